#include "url_train.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace webtongue {
namespace {

constexpr float kTiny = 1e-6f;

uint64_t next_random(uint64_t& state) {  // splitmix64
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

void softmax(std::vector<float>& scores) {
    const float top = *std::max_element(scores.begin(), scores.end());
    float mass = 0;
    for (float& s : scores) mass += s = std::exp(s - top);
    for (float& s : scores) s /= mass;
}

}  // namespace

double fit_urls(const UrlRows& rows, const uint32_t* order, size_t steps, const uint16_t* truth, const float* worth,
                const UrlFit& config, uint64_t seed, float* weights, float* sums, float* bias, float* bias_sums) {
    const uint32_t labels = config.labels;
    std::vector<float> scores(labels);
    double loss = 0, mass = 0;
    uint64_t state = seed;
    for (size_t step = 0; step < steps; ++step) {
        const uint32_t row = order[step];
        const uint64_t first = rows.starts[row], last = rows.starts[row + 1];
        const bool hide = config.drop_host > static_cast<float>(next_random(state) >> 40) * 0x1p-24f;
        if (step + 1 < steps)
            for (uint64_t i = rows.starts[order[step + 1]]; i < rows.starts[order[step + 1] + 1]; ++i)
                for (uint32_t k = 0; k < labels; k += 16) __builtin_prefetch(weights + size_t{rows.ids[i]} * labels + k);
        std::copy(bias, bias + labels, scores.begin());
        for (uint64_t i = first; i < last; ++i) {
            if (hide && rows.hosts[i]) continue;
            const float* w = weights + size_t{rows.ids[i]} * labels;
            const float value = rows.values[i];
            for (uint32_t k = 0; k < labels; ++k) scores[k] += value * w[k];
        }
        softmax(scores);
        const uint16_t right = truth[row];
        loss -= worth[row] * std::log(std::max(scores[right], kTiny));
        mass += worth[row];
        for (float& s : scores) s -= config.smooth / static_cast<float>(labels);
        scores[right] -= 1.0f - config.smooth;
        for (float& s : scores) s *= worth[row];
        for (uint32_t k = 0; k < labels; ++k) {
            bias_sums[k] += scores[k] * scores[k];
            bias[k] -= config.rate * scores[k] / std::sqrt(bias_sums[k] + kTiny);
        }
        for (uint64_t i = first; i < last; ++i) {
            if (hide && rows.hosts[i]) continue;
            float* w = weights + size_t{rows.ids[i]} * labels;
            float* g = sums + size_t{rows.ids[i]} * labels;
            const float value = rows.values[i];
            for (uint32_t k = 0; k < labels; ++k) {
                const float slope = value * scores[k] + config.decay * w[k];
                g[k] += slope * slope;
                w[k] -= config.rate * slope / std::sqrt(g[k] + kTiny);
            }
        }
    }
    return mass > 0 ? loss / mass : 0;
}

void predict_urls(const UrlRows& rows, uint32_t labels, const float* weights, const float* bias, float* out) {
    for (size_t row = 0; row < rows.count; ++row) {
        float* scores = out + row * labels;
        std::copy(bias, bias + labels, scores);
        for (uint64_t i = rows.starts[row]; i < rows.starts[row + 1]; ++i) {
            const float* w = weights + size_t{rows.ids[i]} * labels;
            for (uint32_t k = 0; k < labels; ++k) scores[k] += rows.values[i] * w[k];
        }
    }
}

}  // namespace webtongue
