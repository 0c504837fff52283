// Training kernels: counting n-grams by label, choosing the rows of the table, fitting them by stochastic gradient.
//
// The table is block-sparse: labels are laid out in clusters of 16 look-alikes, and an n-gram has one row of 16
// weights for each cluster in which it is worth its bytes. Rows left out count as zero, "no rarer than anywhere".
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace webtongue {

constexpr int LANES = 16;  // labels a cluster: one 16-byte row, one SSE load

// Lines of text packed end to end: line i is text[offsets[i] .. offsets[i + 1]).
struct Lines {
    const char* text;
    const uint64_t* offsets;
    size_t count;
};

// The script group that most letters of each line belong to, and the share of all letters it holds (0..255).
void line_groups(const Lines& lines, uint8_t* group, uint8_t* share);

// Weighted n-gram frequencies for every label, within its script group only.
class Counts {
public:
    struct Pair {
        uint64_t key;
        float share;     // of the label's n-grams of this order
        uint16_t label;
        uint8_t order;
    };
    // weights: one a line, so that no source outweighs the others. Call once a label.
    void add(uint16_t label, uint8_t group, const Lines& lines, const float* weights, uint32_t least);
    void sort();         // by key, then label: after the last add
    // Square roots of shares hashed into `width` buckets: label profiles to cluster by. out: labels x width.
    void profiles(float* out, size_t labels, size_t width) const;
    const std::vector<Pair>& pairs() const { return pairs_; }

private:
    std::vector<Pair> pairs_;
};

struct FitConfig {
    float rate;          // step size
    float damp;          // what Adagrad's sums start at: large keeps close to the counts
    float heat;          // logits = heat * score / features^power
    float power;
    float drop;          // share of features of order >= 4 left out of an example, so that none is leant on
    float floor_l2;      // pull to the starting weights at each touch
};

class Table {
public:
    // slot_of[label]: position of the label, cluster * 16 + lane. Keeps the `rows` most valuable rows.
    Table(const Counts& counts, const std::vector<uint32_t>& slot_of, const std::vector<float>& worth,
          const std::vector<uint8_t>& group_of, size_t rows, float floor);
    // One pass over the examples in the order given; returns the mean loss. Examples whose group is not in
    // [first, last) clusters are the caller's to leave out. Threads may fit disjoint cluster ranges at once.
    double fit(const Lines& lines, const uint32_t* slots, uint32_t first, uint32_t last, const FitConfig& config,
               uint64_t seed);
    // Scores of all slots, float: for choosing settings before anything is quantised.
    void score(const Lines& lines, float* out, uint32_t first, uint32_t last, int32_t* features) const;
    // Keeps the `rows` of most weight times use; the others count as zero from then on.
    void prune(size_t rows);

    size_t rows() const { return cluster_.size(); }
    size_t grams() const { return keys_.size(); }
    uint32_t clusters() const { return clusters_; }
    const std::vector<uint64_t>& keys() const { return keys_; }
    const std::vector<uint32_t>& starts() const { return starts_; }  // grams + 1
    const std::vector<uint8_t>& cluster() const { return cluster_; }
    const std::vector<float>& weights() const { return weights_; }   // rows x 16

private:
    void build_index();
    int64_t find(uint64_t key) const;

    uint32_t clusters_ = 0;
    std::vector<uint64_t> keys_;
    std::vector<uint32_t> starts_;
    std::vector<uint8_t> cluster_;
    std::vector<float> weights_, start_weights_, sums_;
    std::vector<float> use_;       // expected occurrences of the row's n-gram: largest share times worth
    std::vector<uint32_t> index_;  // open addressing: gram + 1, 0 where empty
    uint32_t shift_ = 0;
};

}  // namespace webtongue
