// Count n-grams by label: the first step of training.
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

// Writes the script group of most letters of each line, and its share of all letters (0..255).
void line_groups(const Lines& lines, uint8_t* group, uint8_t* share);

// Weighted n-gram frequencies for every label, within its script group only.
class Counts {
public:
    struct Pair {
        uint64_t key;
        float share;     // share of the label's n-grams of this order
        uint16_t label;
        uint8_t order;
        uint8_t seen;    // occurrences, at most 255
    };
    // weights: one per line, so that sources have their shares. Call once per label.
    void add(uint16_t label, uint8_t group, const Lines& lines, const float* weights, uint32_t least);
    void sort();         // by key, then label; call after the last add
    // Adds square roots of shares, hashed into `width` buckets, to out (labels x width): profiles for clustering labels.
    void profiles(float* out, size_t labels, size_t width) const;
    const std::vector<Pair>& pairs() const { return pairs_; }

private:
    std::vector<Pair> pairs_;
};

}  // namespace webtongue
