// Train the text model: choose the rows of the table, and fit them by stochastic gradient descent.
//
// The table is block-sparse: labels are assigned to clusters of 16 similar ones, and an n-gram has one row of 16 weights for each
// cluster in which its value justifies the bytes. Missing rows count as zero.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "train/counts.hpp"

namespace webtongue {

constexpr int LANES = 16;  // labels per cluster: one 16-byte row, one SSE load
constexpr uint32_t MAX_TABLE_SLOTS = 256 * LANES;  // the number of a cluster is one byte

struct FitConfig {
    float rate;   // step size
    float damp;   // initial value of AdaGrad's sums: a large value keeps weights close to the counts
    float scale;   // logits = scale * score / features^power
    float power;
    float drop;   // share of features of order >= 4 left out of an example, as regularisation
};

struct TableConfig {
    size_t rows;     // rows of 16 weights, for n-grams that many labels share
    size_t lines;    // lines of 16 (n-gram, label) pairs for the others, each one cache line in the model file
    size_t dense;    // minimum number of labels of an n-gram with rows
    float floor;     // frequencies below it count as zero
    float keep;      // minimum value of a pair
};

constexpr int LINE = 16;  // pairs per line

// The line of the sparse table that an n-gram lies in.
inline uint32_t line_of(uint64_t key, uint64_t lines) { return static_cast<uint32_t>(((key >> 32) * lines) >> 32); }

class Table {
public:
    // slot_of[label]: slot of the label, cluster * 16 + lane. worth[label]: weight of the label in the choice of rows.
    Table(const Counts& counts, const std::vector<uint32_t>& slot_of, const std::vector<float>& worth, const std::vector<uint8_t>& group_of,
          const TableConfig& config);
    // Runs one pass over the examples in the given order and returns the mean loss. slots: the slot of the true label, in
    // clusters [first, last). Threads may fit disjoint ranges of clusters at the same time.
    double fit(const Lines& lines, const uint32_t* slots, uint32_t first, uint32_t last, const FitConfig& config, uint64_t seed);
    // Allocates the gradient sums; call before fitting from several threads.
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
        uint16_t times;       // occurrences in the example, which counts them once
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
    std::vector<uint8_t> seen_, pair_seen_;  // occurrences in training of each weight
    std::vector<uint32_t> index_;        // open addressing over the dense grams: gram + 1, 0 where empty
    std::vector<uint32_t> line_starts_;  // first pair of each line
    uint32_t shift_ = 0;
};

}  // namespace webtongue
