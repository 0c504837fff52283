#include "text/allowlist.hpp"

#include <algorithm>

namespace webtongue {

void drop_disallowed_chunks(const Model& model, const Priors& priors, Reading& reading) {
    if (!priors.has_allowlist()) return;
    int64_t outside_weight = 0, allowed_weight = 0;
    const LabeledChunk* largest = nullptr;
    int32_t label = kNoLabel;
    for (LabeledChunk& chunk : reading.chunks) {
        if (chunk.label == kNoLabel) continue;
        const bool is_allowed = priors.is_allowed(model, chunk.label);
        if (!chunk.is_secondary) (is_allowed ? allowed_weight : outside_weight) += chunk.weight;
        if (is_allowed) continue;
        if (!chunk.is_secondary && (largest == nullptr || chunk.weight > largest->weight)) {
            largest = &chunk;
            label = chunk.label;
        }
        chunk.label = kNoLabel;
    }
    if (outside_weight > allowed_weight) reading.outside_allowlist = label;
}

void drop_disallowed_guess(const Model& model, const Priors& priors, Reading& reading) {
    if (!priors.has_allowlist()) return;
    std::vector<Guess>& guesses = reading.guesses;
    const auto outsider = std::find_if(guesses.begin(), guesses.end(), [&](const Guess& g) { return !priors.is_allowed(model, g.label); });
    if (outsider == guesses.end()) return;
    // A look-alike of an allowed label gets little weight. It still wins if the text does not fit the allowed label and scores better as
    // the look-alike.
    const bool is_clear = reading.unknown_odds.score > 0 && outsider->score > guesses.front().score;
    if (outsider == guesses.begin() || is_clear) reading.outside_allowlist = outsider->label;
    guesses.erase(outsider);
}

}  // namespace webtongue
