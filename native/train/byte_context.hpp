// Fitting the weights of byte contexts: the right coding must win its duel with every other contender. Used by webtongue.train only.
#pragma once
#include "coding/byte_model.hpp"

namespace webtongue {

struct ContextFit {
    int bits;     // of the table of weights
    float rate;   // of AdaGrad
    float decay;  // L2, applied to the weights an example touches
};

// One pass; returns the mean loss of a duel. `right` has a byte for each class and text.
double fit_contexts(const ByteModel& model, const std::vector<Span>& texts, const uint8_t* right, const int32_t* offsets,
                    const ContextFit& config, float* weights, float* sums);

}  // namespace webtongue
