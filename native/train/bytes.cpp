#include "train/bytes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace webtongue {

constexpr float kTiny = 1e-6f;

double fit_bytes(const uint64_t* starts, const uint32_t* ids, const uint32_t* order, size_t steps, const uint8_t* right, const float* worth,
                 const ByteFit& config, float* weights, float* sums, float* bias, float* bias_sums) {
    const uint32_t classes = config.classes;
    std::vector<float> scores(classes), slope(classes);
    double loss = 0, mass = 0;
    for (size_t step = 0; step < steps; ++step) {
        const uint32_t row = order[step];
        const uint64_t first = starts[row], last = starts[row + 1];
        const float value = last > first ? 1.0f / std::sqrt(static_cast<float>(last - first)) : 0.0f;
        std::copy(bias, bias + classes, scores.begin());
        for (uint64_t i = first; i < last; ++i) {
            const float* w = weights + size_t{ids[i]} * classes;
            for (uint32_t k = 0; k < classes; ++k) scores[k] += value * w[k];
        }
        const float top = *std::max_element(scores.begin(), scores.end());
        const uint8_t* truth = right + size_t{row} * classes;
        float all = 0, good = 0;
        for (uint32_t k = 0; k < classes; ++k) {
            scores[k] = std::exp(scores[k] - top);
            all += scores[k];
            good += truth[k] ? scores[k] : 0;
        }
        good = std::max(good, kTiny * all);
        loss -= worth[row] * std::log(good / all);
        mass += worth[row];
        // The right classes share the truth in proportion to their scores, except for the fixed share of the own class.
        const bool owned = std::find(truth, truth + classes, OWN) != truth + classes;
        for (uint32_t k = 0; k < classes; ++k) {
            const float shared = truth[k] ? scores[k] / good : 0;
            const float share = owned ? (1 - config.own) * shared + config.own * static_cast<float>(truth[k] == OWN) : shared;
            slope[k] = worth[row] * (scores[k] / all - (1 - config.smooth) * share - config.smooth / static_cast<float>(classes));
            bias_sums[k] += slope[k] * slope[k];
            bias[k] -= config.rate * slope[k] / std::sqrt(bias_sums[k] + kTiny);
        }
        for (uint64_t i = first; i < last; ++i) {
            float* w = weights + size_t{ids[i]} * classes;
            float* g = sums + size_t{ids[i]} * classes;
            for (uint32_t k = 0; k < classes; ++k) {
                const float s = value * slope[k] + config.decay * w[k];
                g[k] += s * s;
                w[k] -= config.rate * s / std::sqrt(g[k] + kTiny);
            }
        }
    }
    return mass > 0 ? loss / mass : 0;
}

}  // namespace webtongue
