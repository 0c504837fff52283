// Fit the URL model: multinomial logistic regression by AdaGrad over numbered features. Used by webtongue.lab.train only.
#pragma once
#include <cstddef>
#include <cstdint>

#include "url/model.hpp"

namespace webtongue {

struct UrlFit {
    uint32_t labels;
    float rate;         // learning rate of AdaGrad
    float drop_host;    // share of examples without the features of the host, so that paths are learnt
    float drop_top;     // share of examples without the top level domain
    float drop_domain;  // share of examples without the registered domain, which new URLs do not share
    float smooth;       // label smoothing: share of the truth for all labels
};

// Parts of a URL, as flags; an example leaves out any of them.
enum UrlHidden : uint8_t { URL_PART_HOST = 1, URL_PART_TOP = 2, URL_PART_DOMAIN = 4 };

// Examples as rows of feature numbers; `parts` has the parts of each feature, `values` its value.
struct UrlRows {
    const uint64_t* starts;  // one more than rows
    const uint32_t* ids;
    const uint8_t* parts;
    const float* values;
    size_t count;
};

// Runs one pass in the given order and returns the mean loss. weights and sums: features x URL_LABELS; bias: URL_LABELS, of which
// the first `labels` are used.
double fit_urls(const UrlRows& rows, const uint32_t* order, size_t steps, const uint16_t* truth, const float* worth, const UrlFit& config,
                uint64_t seed, float* weights, float* sums, float* bias, float* bias_sums);
void predict_urls(const UrlRows& rows, const float* weights, const float* bias, float* out);

}  // namespace webtongue
