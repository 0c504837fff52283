// How well one label covers a text: the n-grams and words of the text that have positive or negative weights for the label.
#pragma once
#include "text/model.hpp"
#include "text/repeats.hpp"

namespace webtongue {

// N-grams are counted at the longest order of the script only: four letters, or three in Han.
struct Coverage {
    uint32_t features = 0, negative = 0;  // `negative`: features with a negative weight
    uint32_t ngrams = 0, ngrams_known = 0, ngrams_distinctive = 0;  // with a positive weight; with one above kDistinctiveWeight
    uint32_t words = 0, words_known = 0;
};

constexpr int32_t kDistinctiveWeight = 20;  // in weight units; few other labels have such an n-gram

// The weight of an n-gram for a label, or 0. No content of a model file can make it read out of bounds.
int32_t find_weight(const Model& model, uint64_t key, uint16_t slot);

// A sink of each_feature for one or more texts. Looks up one n-gram in 2^thinning_bits, each of them once, as Scorer does.
class CoverageReader {
public:
    CoverageReader(const Model& model, uint16_t label, int thinning_bits)
        : model_(model),
          slot_(model.info(label).slot),
          max_order_(model.group_of(label) == GROUPS.cjk ? MAX_ORDER_CJK : MAX_ORDER),
          skip_mask_((uint64_t{1} << thinning_bits) - 1),
          repeats_(local_repeats()),
          text_(repeats_.start_text()) {}
    void add(Span text) { each_feature(reinterpret_cast<const char*>(text.begin), text.size(), *this); }
    const Coverage& counts() const { return counts_; }

    void letters(uint8_t, int) {}
    void feature(uint64_t key, int order, uint8_t);
    bool more() const { return true; }

private:
    const Model& model_;
    uint16_t slot_;
    int max_order_;
    uint64_t skip_mask_;
    Repeats& repeats_;
    uint16_t text_;
    Coverage counts_;
};

}  // namespace webtongue
