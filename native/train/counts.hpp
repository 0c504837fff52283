// Counting n-grams by label: the first step of training.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace webtongue {

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
        uint8_t seen;    // occurrences, 255 and more alike
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

}  // namespace webtongue
