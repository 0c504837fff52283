// Priors over labels, and ranking with them: what turns scores into probabilities.
#pragma once

#include <vector>

#include "text/scorer.hpp"

namespace webtongue {

constexpr int32_t kImpossible = -(1 << 30);
constexpr size_t kLikeliest = 4;
constexpr uint16_t kNoSlot = 0xFFFF;
constexpr int32_t BAR = -kImpossible;  // what a barred slot's score is lowered by

// What a character of a script group carries, in half letters.
uint32_t letter_weight(uint8_t group);

// Log priors laid out as the scores are, so that ranking is a few passes over plain arrays.
struct Priors {
    // asked: a byte a label, 0 for those that are scored but not answered; null where all may be
    Priors(const Model& model, const int32_t* by_label, const uint8_t* asked);

    bool is_limited() const { return !outside.empty(); }
    bool is_asked(const Model& model, int32_t label) const {
        return !is_limited() || !outside[model.info(static_cast<size_t>(label)).slot];
    }

    // How likely a label is to stand in a piece of a page, whether it is asked for or not.
    int32_t likely(uint16_t slot) const { return by_slot[slot] + (is_limited() && outside[slot] ? lowered : 0); }

    std::vector<int32_t> by_slot;   // 1/1024 nats; 0 where there is no label
    std::vector<int16_t> barred;    // 0, or -1 where there is no label
    std::vector<uint8_t> outside;   // 1 where a label is not asked for; empty where all are
    std::vector<int32_t> of_cluster;  // the highest of each cluster, kImpossible where there is no label
    bool any[256] = {};             // script groups that a label is of
    uint16_t likeliest[256][kLikeliest];  // slots of each script group, the likeliest first, kNoSlot where there are fewer
    int32_t highest = INT32_MIN;    // of the labels that may be answered: what is rare is rare beside it
    int32_t total = 0;              // ln of the sum of all
    int32_t lowered = 0;            // by how much the likeliest outside of the list is behind it

private:
    void rank_likely(const Model& model, size_t id);
};

}  // namespace webtongue
