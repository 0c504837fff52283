// Fit the weights of byte contexts: the right encoding must beat every other contender. Used by webtongue.lab.train only.
#pragma once
#include "charset/byte_model.hpp"

namespace webtongue {

struct ContextFit {
    int bits;     // log2 of the number of weights
    float rate;   // learning rate of AdaGrad
    float decay;  // L2, applied to the weights that an example uses
};

// Runs one pass and returns the mean loss of a comparison. `right` has a byte for each text and class.
double fit_contexts(const ByteModel& model, const std::vector<Span>& texts, const uint8_t* right, const int32_t* offsets,
                    const ContextFit& config, float* weights, float* sums);

}  // namespace webtongue
