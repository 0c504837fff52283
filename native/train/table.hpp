// Training kernels of the text model: choosing the rows of the table, and fitting them by stochastic gradient.
//
// The table is block-sparse: labels are laid out in clusters of 16 look-alikes, and an n-gram has one row of 16
// weights for each cluster in which it is worth its bytes. Rows left out count as zero, "no rarer than anywhere".
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "train/counts.hpp"

namespace webtongue {

constexpr int LANES = 16;  // labels a cluster: one 16-byte row, one SSE load
constexpr uint32_t MOST_SLOTS = 256 * LANES;  // the number of a cluster is a byte

struct FitConfig {
    float rate;   // step size
    float damp;   // what Adagrad's sums start at: large keeps close to the counts
    float scale;   // logits = scale * score / features^power
    float power;
    float drop;   // share of features of order >= 4 left out of an example, so that none is leant on
};

struct TableConfig {
    size_t rows;     // of 16 weights, for n-grams that many labels share
    size_t lines;    // of 16 (n-gram, label) pairs, for the others: one cache line each in the model file
    size_t dense;    // from how many labels an n-gram is worth rows
    float floor;     // frequency that counts as zero
    float keep;      // pairs below this value are not considered at all
};

constexpr int LINE = 16;  // pairs a line

// The line of the sparse table that an n-gram lies in.
inline uint32_t line_of(uint64_t key, uint64_t lines) { return static_cast<uint32_t>(((key >> 32) * lines) >> 32); }

class Table {
public:
    // slot_of[label]: position of the label, cluster * 16 + lane. worth[label]: what a byte spent on it is worth.
    Table(const Counts& counts, const std::vector<uint32_t>& slot_of, const std::vector<float>& worth, const std::vector<uint8_t>& group_of,
          const TableConfig& config);
    // One pass over the examples in the order given; returns the mean loss. slots: the true label's slot, which must
    // lie in clusters [first, last). Threads may fit disjoint ranges at once.
    double fit(const Lines& lines, const uint32_t* slots, uint32_t first, uint32_t last, const FitConfig& config, uint64_t seed);
    // Makes room for the gradient sums; call before fitting from several threads.
    void prepare(float damp);

    uint32_t clusters() const { return clusters_; }
    // Dense part: gram g has rows starts[g] .. starts[g + 1], each of one cluster.
    const std::vector<uint64_t>& keys() const { return keys_; }
    const std::vector<uint32_t>& starts() const { return starts_; }
    const std::vector<uint8_t>& cluster() const { return cluster_; }
    const std::vector<float>& weights() const { return weights_; }
    // Sparse part, sorted by line: (key, slot, weight).
    const std::vector<uint64_t>& pair_keys() const { return pair_keys_; }
    const std::vector<uint16_t>& pair_slots() const { return pair_slots_; }
    const std::vector<float>& pair_weights() const { return pair_weights_; }

private:
    struct Hit {
        uint32_t begin, end;  // rows, or one pair
        uint16_t times;       // occurrences in the example: all are in the counts, and it counts as one
        bool dense;
    };
    struct Work;
    void choose_rows(const Counts& counts, const std::vector<uint32_t>& slot_of, const std::vector<float>& value,
                     const std::vector<float>& start, const std::vector<uint32_t>& grams, const TableConfig& config);
    void choose_pairs(const Counts& counts, const std::vector<uint32_t>& slot_of, const std::vector<float>& value,
                      const std::vector<float>& start, const std::vector<uint32_t>& grams, const TableConfig& config);
    void build_index();
    void gather(const char* text, size_t size, Work& work, float drop, uint64_t& seed) const;
    float leave_out(Work& work, uint32_t truth) const;
    void sum(const Work& work, uint32_t first, uint32_t last, float* logits) const;
    void step(const Work& work, uint32_t first, uint32_t last, uint32_t truth, const FitConfig& config);

    uint32_t clusters_ = 0;
    uint64_t lines_ = 0;
    std::vector<uint64_t> keys_;
    std::vector<uint32_t> starts_;
    std::vector<uint8_t> cluster_;
    std::vector<float> weights_, sums_;
    std::vector<uint64_t> pair_keys_;
    std::vector<uint16_t> pair_slots_;
    std::vector<float> pair_weights_, pair_sums_;
    std::vector<uint8_t> seen_, pair_seen_;  // training occurrences behind each weight
    std::vector<uint32_t> index_;        // open addressing over the dense grams: gram + 1, 0 where empty
    std::vector<uint32_t> line_starts_;  // first pair of each line
    uint32_t shift_ = 0;
};

}  // namespace webtongue
