// Fitting a byte model: logistic regression by AdaGrad where several classes may be right. Used by webtongue.train only.
#pragma once
#include <cstddef>
#include <cstdint>

namespace webtongue {

struct ByteFit {
    uint32_t classes;
    float rate;    // of AdaGrad
    float decay;   // L2, applied to the weights an example touches
    float smooth;  // share of the truth that is spread over all classes
    float own;     // share of it that the class an example was made for has for itself
};

constexpr uint8_t OWN = 2;  // in `right`: the class that an example was made for; others are 1

// One pass in the given order; returns the mean loss. Examples are rows of feature numbers, each worth 1 / sqrt(how many);
// `right` has classes bytes an example. weights and sums: features x classes; bias: classes.
double fit_bytes(const uint64_t* starts, const uint32_t* ids, const uint32_t* order, size_t steps, const uint8_t* right, const float* worth,
                 const ByteFit& config, float* weights, float* sums, float* bias, float* bias_sums);

}  // namespace webtongue
