// Fitting the URL model: multinomial logistic regression by AdaGrad over numbered features. Used by webtongue.train only.
#pragma once
#include <cstddef>
#include <cstdint>

namespace webtongue {

struct UrlFit {
    uint32_t labels;
    float rate;       // of AdaGrad
    float drop_host;  // share of examples whose host is hidden, so that paths learn to speak for themselves
    float decay;      // L2, applied to the weights an example touches
    float smooth;     // share of the truth that is spread over all labels
};

// Examples as rows of feature numbers; `hosts` says whether a feature comes from the host, `values` what it counts.
struct UrlRows {
    const uint64_t* starts;  // one more than there are rows
    const uint32_t* ids;
    const uint8_t* hosts;
    const float* values;
    size_t count;
};

// One pass in the given order; returns the mean loss. weights and sums: features x labels; bias: labels.
double fit_urls(const UrlRows& rows, const uint32_t* order, size_t steps, const uint16_t* truth, const float* worth,
                const UrlFit& config, uint64_t seed, float* weights, float* sums, float* bias, float* bias_sums);
void predict_urls(const UrlRows& rows, uint32_t labels, const float* weights, const float* bias, float* out);

}  // namespace webtongue
