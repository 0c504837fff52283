#include "train/url.hpp"

#include <algorithm>
#include <cmath>

#include "train/random.hpp"

namespace webtongue {
namespace {

constexpr float kTiny = 1e-6f;

float next_share(uint64_t& state) { return static_cast<float>(next_random(state) >> 40) * 0x1p-24f; }

uint8_t hidden_parts(const UrlFit& config, uint64_t& state) {
    const float host = next_share(state), domain = next_share(state);
    uint8_t hidden = domain < config.drop_domain ? URL_PART_DOMAIN : 0;
    if (host < config.drop_host) hidden = URL_PART_HOST | URL_PART_TOP | URL_PART_DOMAIN;
    else if (host < config.drop_host + config.drop_top) hidden |= URL_PART_TOP;
    return hidden;
}

void softmax(float* scores, uint32_t labels) {
    const float top = *std::max_element(scores, scores + labels);
    float mass = 0;
    for (uint32_t k = 0; k < labels; ++k) mass += scores[k] = std::exp(scores[k] - top);
    for (uint32_t k = 0; k < labels; ++k) scores[k] /= mass;
}

void add_weights(const UrlRows& rows, uint64_t i, const float* weights, float* scores) {
    const float* w = weights + size_t{rows.ids[i]} * URL_LABELS;
    const float value = rows.values[i];
    for (uint32_t k = 0; k < URL_LABELS; ++k) scores[k] += value * w[k];
}

}  // namespace

double fit_urls(const UrlRows& rows, const uint32_t* order, size_t steps, const uint16_t* truth, const float* worth, const UrlFit& config,
                uint64_t seed, float* weights, float* sums, float* bias, float* bias_sums) {
    alignas(64) float scores[URL_LABELS];
    double loss = 0, mass = 0;
    uint64_t state = seed;
    for (size_t step = 0; step < steps; ++step) {
        const uint32_t row = order[step];
        const uint64_t first = rows.starts[row], last = rows.starts[row + 1];
        const uint8_t hidden = hidden_parts(config, state);
        if (step + 1 < steps)
            for (uint64_t i = rows.starts[order[step + 1]]; i < rows.starts[order[step + 1] + 1]; ++i)
                for (uint32_t k = 0; k < URL_LABELS; k += 16) {
                    prefetch(weights + size_t{rows.ids[i]} * URL_LABELS + k);
                    prefetch(sums + size_t{rows.ids[i]} * URL_LABELS + k);
                }
        std::copy(bias, bias + URL_LABELS, scores);
        for (uint64_t i = first; i < last; ++i)
            if (!(hidden & rows.parts[i])) add_weights(rows, i, weights, scores);
        softmax(scores, config.labels);
        const uint16_t right = truth[row];
        loss -= worth[row] * std::log(std::max(scores[right], kTiny));
        mass += worth[row];
        for (uint32_t k = 0; k < config.labels; ++k) scores[k] -= config.smooth / static_cast<float>(config.labels);
        scores[right] -= 1.0f - config.smooth;
        for (uint32_t k = 0; k < config.labels; ++k) scores[k] *= worth[row];
        std::fill(scores + config.labels, scores + URL_LABELS, 0.0f);
        for (uint32_t k = 0; k < URL_LABELS; ++k) {
            bias_sums[k] += scores[k] * scores[k];
            bias[k] -= config.rate * scores[k] / std::sqrt(bias_sums[k] + kTiny);
        }
        for (uint64_t i = first; i < last; ++i) {
            if (hidden & rows.parts[i]) continue;
            float* w = weights + size_t{rows.ids[i]} * URL_LABELS;
            float* g = sums + size_t{rows.ids[i]} * URL_LABELS;
            const float value = rows.values[i];
            for (uint32_t k = 0; k < URL_LABELS; ++k) {
                const float slope = value * scores[k];
                g[k] += slope * slope;
                w[k] -= config.rate * slope / std::sqrt(g[k] + kTiny);
            }
        }
    }
    return mass > 0 ? loss / mass : 0;
}

void predict_urls(const UrlRows& rows, const float* weights, const float* bias, float* out) {
    for (size_t row = 0; row < rows.count; ++row) {
        float* scores = out + row * URL_LABELS;
        std::copy(bias, bias + URL_LABELS, scores);
        for (uint64_t i = rows.starts[row]; i < rows.starts[row + 1]; ++i) add_weights(rows, i, weights, scores);
    }
}

}  // namespace webtongue
