// Fit a byte model: logistic regression by AdaGrad where several classes may be right. Used by webtongue.lab.train only.
#pragma once
#include <cstddef>
#include <cstdint>

namespace webtongue {

struct ByteFit {
    uint32_t classes;
    float rate;    // learning rate of AdaGrad
    float decay;   // L2, applied to the weights that an example uses
    float smooth;  // label smoothing: share of the truth for all classes
    float own;     // share of the truth for the class that an example was generated for
};

constexpr uint8_t OWN = 2;  // in `right`: the class that an example was generated for; other right classes are 1

// Runs one pass in the given order and returns the mean loss. Examples are rows of n feature numbers, each with value 1 / sqrt(n);
// `right` has one byte per example and class. weights and sums: features x classes; bias: classes.
double fit_bytes(const uint64_t* starts, const uint32_t* ids, const uint32_t* order, size_t steps, const uint8_t* right, const float* worth,
                 const ByteFit& config, float* weights, float* sums, float* bias, float* bias_sums);

}  // namespace webtongue
