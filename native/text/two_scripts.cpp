#include "text/two_scripts.hpp"

#include <algorithm>
#include <cmath>

#include "text/features.hpp"

namespace webtongue {
namespace {

constexpr int32_t kMinLatinLogProb = -LOG_SCALE / 5;  // probability .82

// The language of a label: what comes before its script.
std::string_view language_of(const Model& model, size_t label) { return model.label(label).substr(0, 3); }

// The label of a language in a script group, or kNoLabel.
int32_t find_label(const Model& model, std::string_view language, uint8_t group) {
    for (size_t label = 0; label < model.label_count(); ++label)
        if (language_of(model, label) == language && model.group_of(label) == group) return static_cast<int32_t>(label);
    return kNoLabel;
}

}  // namespace

void prefer_language_of_latin_part(const Model& model, Scorer& scorer, const Priors& priors, Outcome& outcome) {
    std::vector<Guess>& guesses = outcome.guesses;
    if (guesses.empty() || scorer.letters_in(GROUPS.latin) < kMinLatinPartLetters) return;
    const Outcome latin = scorer.rank_in(GROUPS.latin, 1, priors);
    if (latin.guesses.empty() || latin.guesses.front().log_prob < kMinLatinLogProb) return;
    const std::string_view language = language_of(model, latin.guesses.front().label);
    if (language_of(model, guesses.front().label) == language) return;
    const auto is_same = [&](const Guess& guess) { return language_of(model, guess.label) == language; };
    auto at = std::find_if(guesses.begin(), guesses.end(), is_same);
    const int32_t label = at == guesses.end() ? find_label(model, language, outcome.group) : at->label;
    if (label == kNoLabel || !priors.is_allowed(model, label)) return;
    if (at != guesses.end()) guesses.erase(at);
    const int32_t log_prob = latin.guesses.front().log_prob;
    const double rest = std::max(1 - to_probability(log_prob), 1e-6);
    for (Guess& guess : guesses) guess.log_prob += static_cast<int32_t>(std::lround(LOG_SCALE * std::log(rest)));
    guesses.insert(guesses.begin(), {static_cast<uint16_t>(label), outcome.guesses.front().score, log_prob});
}

}  // namespace webtongue
