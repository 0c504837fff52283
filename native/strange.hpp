// Text that no label fits: its best label scores it far below its own text, knows little of it, and hardly leads.
#pragma once

#include "scorer.hpp"

namespace webtongue {

// In 1/1024: the score beside the label's low score; the unseen n-grams beside its many; the lead over the second guess and
// the doubt in the first, in nats; the score a feature, in 32 weight units. tools/fit_strange.py weighs them.
constexpr int kStrangeFeatures = 5;
struct StrangeFeatures {
    bool known = false;  // enough text, in a script of many languages: where there are few, all are known
    int32_t values[kStrangeFeatures] = {};
};

StrangeFeatures strange_features(const Model& model, const std::vector<Guess>& guesses, uint32_t features, uint32_t unseen);

// Whether both score and unseen n-grams are far beyond what 95% of the best label's own text has: in every script.
bool is_unlike(const Model& model, const Guess& best, uint32_t features, uint32_t unseen);

// Hundredths of a nat that the text is in no language of the model; what is above 0 is not forced into one.
int32_t strangeness(const Model& model, const std::vector<Guess>& guesses, uint32_t features, uint32_t unseen);

}  // namespace webtongue
