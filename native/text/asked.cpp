#include "text/asked.hpp"

#include <algorithm>

namespace webtongue {

void keep_asked_pieces(const Model& model, const Priors& priors, Reading& reading) {
    if (!priors.is_limited()) return;
    int64_t outside = 0, within = 0;
    const JudgedPiece* largest = nullptr;
    int32_t label = kNoLabel;
    for (JudgedPiece& piece : reading.pieces) {
        if (piece.label == kNoLabel) continue;
        const bool asked = priors.is_asked(model, piece.label);
        if (!piece.aside) (asked ? within : outside) += piece.weight;
        if (asked) continue;
        if (!piece.aside && (largest == nullptr || piece.weight > largest->weight)) {
            largest = &piece;
            label = piece.label;
        }
        piece.label = kNoLabel;
    }
    if (outside > within) reading.unasked = label;
}

void keep_asked_guesses(const Model& model, const Priors& priors, Reading& reading) {
    if (!priors.is_limited()) return;
    std::vector<Guess>& guesses = reading.guesses;
    const auto outsider = std::find_if(guesses.begin(), guesses.end(), [&](const Guess& g) { return !priors.is_asked(model, g.label); });
    if (outsider == guesses.end()) return;
    // A look-alike of what is asked for counts little; yet where the text does not fit that and reads better as the look-alike, it is
    // clear.
    const bool is_clear = reading.doubt.unknown > 0 && outsider->score > guesses.front().score;
    if (outsider == guesses.begin() || is_clear) reading.unasked = outsider->label;
    guesses.erase(outsider);
}

}  // namespace webtongue
