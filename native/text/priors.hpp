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
    Priors(const Model& model, const int32_t* by_label, const uint8_t* allowed);  // allowed: a byte a label, or null

    std::vector<int32_t> by_slot;   // 1/1024 nats; 0 where no label may be answered
    std::vector<int16_t> barred;    // 0, or -1 where no label may be answered
    std::vector<int32_t> of_cluster;  // the highest of each cluster, kImpossible where nothing may be answered
    bool any[256] = {};             // script groups in which something may be answered
    uint16_t likeliest[256][kLikeliest];  // slots of each script group, the likeliest first, kNoSlot where there are fewer
    int32_t highest = INT32_MIN;    // of the labels that may be answered: what is rare is rare beside it
};

}  // namespace webtongue
