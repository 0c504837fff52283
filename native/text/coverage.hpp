// How well one label knows a text: which of its n-grams and words it has weights for, and of what sign.
#pragma once
#include "text/model.hpp"
#include "text/repeats.hpp"

namespace webtongue {

// N-grams are the longest that the script has: four letters, three in Han.
struct Coverage {
    uint32_t features = 0, against = 0;      // all, and those that speak against the label
    uint32_t grams = 0, known = 0, well = 0;  // known: that speak for it; well: more than kWell
    uint32_t words = 0, words_known = 0;
};

constexpr int32_t kWell = 20;  // weight units: an n-gram that few others have

// The label's weight of an n-gram, 0 where it has none. Nothing in the file can make it read out of bounds.
int32_t weight_of(const Model& model, uint64_t key, uint16_t slot);

// A sink of each_feature; texts may follow each other. Of the n-grams one in 2^thinness is looked up, and each once, as in Scorer.
class CoverageReader {
public:
    CoverageReader(const Model& model, uint16_t label, int thinness)
        : model_(model),
          slot_(model.info(label).slot),
          longest_(model.group_of(label) == GROUPS.cjk ? MAX_ORDER_CJK : MAX_ORDER),
          passed_over_((uint64_t{1} << thinness) - 1),
          repeats_(local_repeats()),
          text_(repeats_.begin()) {}
    void add(const char* text, size_t size) { each_feature(text, size, *this); }
    const Coverage& counts() const { return counts_; }

    void letters(uint8_t, int) {}
    void feature(uint64_t key, int order, uint8_t);
    bool more() const { return true; }

private:
    const Model& model_;
    uint16_t slot_;
    int longest_;
    uint64_t passed_over_;
    Repeats& repeats_;
    uint16_t text_;
    Coverage counts_;
};

}  // namespace webtongue
