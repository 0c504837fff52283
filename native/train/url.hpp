// Fitting the URL model: multinomial logistic regression by AdaGrad over numbered features. Used by webtongue.train only.
#pragma once
#include <cstddef>
#include <cstdint>

#include "url/model.hpp"

namespace webtongue {

struct UrlFit {
    uint32_t labels;
    float rate;         // of AdaGrad
    float drop_host;    // share of examples whose host is hidden, so that paths learn to speak for themselves
    float drop_top;     // of those whose top level domain is, so that names and paths do
    float drop_domain;  // of those whose registered domain is: others must be told without it
    float smooth;       // share of the truth that is spread over all labels
};

// What a feature is a part of; an example hides any of them.
enum UrlHidden : uint8_t { URL_PART_HOST = 1, URL_PART_TOP = 2, URL_PART_DOMAIN = 4 };

// Examples as rows of feature numbers; `parts` says what a feature is a part of, `values` what it counts.
struct UrlRows {
    const uint64_t* starts;  // one more than there are rows
    const uint32_t* ids;
    const uint8_t* parts;
    const float* values;
    size_t count;
};

// One pass in the given order; returns the mean loss. weights and sums: features x URL_LABELS; bias: URL_LABELS, of which
// the first `labels` are used.
double fit_urls(const UrlRows& rows, const uint32_t* order, size_t steps, const uint16_t* truth, const float* worth, const UrlFit& config,
                uint64_t seed, float* weights, float* sums, float* bias, float* bias_sums);
void predict_urls(const UrlRows& rows, const float* weights, const float* bias, float* out);

}  // namespace webtongue
