#include "text/decide.hpp"

#include <algorithm>

#include "text/apply_hints.hpp"

namespace webtongue {
namespace {

constexpr uint32_t kMinFeaturesPerLetter = 2;  // lower bound for a letter of a word that is new in the text

Decision refuse(Reason reason, double confidence = 0) {
    Decision out;
    out.reason = reason;
    out.confidence = confidence;
    return out;
}

Reason no_guess_reason(const Policy& policy, const Reading& reading) {
    if (reading.letters == 0) return Reason::no_letters;
    return reading.letters < policy.min_letters ? Reason::too_short : Reason::unknown_script;
}

// The number of informative letters in units of alphabetic letters: a Han character counts as three.
uint32_t alphabetic_letters(const Reading& reading) { return informative_letters(reading) * letter_weight(reading.group) / 2; }

// True if the text has enough running words, or fewer and longer ones.
bool has_running_words(const Policy& policy, const RunningWords& words) {
    return words.count >= policy.reliable_words ||
           (words.count >= policy.reliable_long_words && words.letters >= policy.long_words_letters);
}

// True if there is enough text for a reliable answer of this probability.
bool has_enough_text(const Policy& policy, const Reading& reading, int32_t log_prob) {
    const uint32_t enough = log_prob >= policy.very_sure_log_prob ? policy.reliable_letters_very_sure : policy.reliable_letters;
    return alphabetic_letters(reading) >= enough && has_running_words(policy, reading.words);
}

// The summed probability of the best guess and of the rare labels in its cluster. If romanised text may be Hindi or Urdu, neither is
// likely, but it is still likely that it is one of the two.
double rare_probability(const Model& model, const Priors& priors, const Policy& policy, const Guess& best, const Reading& reading) {
    const auto cluster = [&model](const Guess& guess) { return model.info(guess.label).slot / LANES_PER_ROW; };
    double sum = 0;
    for (const Guess& guess : reading.guesses)
        if (guess.label == best.label ||
            (cluster(guess) == cluster(best) && priors.log_prior(model, guess.label) - priors.highest < policy.rare_neighbour_log_prior))
            sum += to_probability(guess.log_prob);
    return sum;
}

// True if the text is not enough evidence for a rare label: the rarer a label, the higher the probability it needs.
bool is_too_rare(const Model& model, const Priors& priors, const Policy& policy, const Guess& best, const Reading& reading) {
    const int32_t rarity = priors.log_prior(model, best.label) + hint_log(reading, best.label) - priors.highest;
    if (rarity >= 0) return false;
    if (rarity < policy.rare_log_prior && informative_letters(reading) < policy.rare_letters) return true;
    return rare_probability(model, priors, policy, best, reading) < 1 - std::exp(static_cast<double>(rarity) / policy.rare_scale);
}

// The reason for `mul`: no language has enough of the page, or two have about the same share and nothing prefers one of them.
Reason mixed_page_reason(const Policy& policy, const Reading& reading, const std::vector<LanguageShare>& languages) {
    if (languages.size() < 2 || languages[1].share < policy.min_share) return Reason::none;
    if (languages[0].share < policy.main_share) return Reason::several_languages;
    return are_balanced(policy, languages) && reading.preferred == kNoLabel ? Reason::two_languages : Reason::none;
}

double score_to_probability(int32_t score) { return round_to_micros(1 / (1 + std::exp(-score / 100.0))); }

}  // namespace

uint32_t informative_letters(const Reading& reading) { return std::min(reading.letters, reading.features / kMinFeaturesPerLetter); }

bool are_look_alikes(const Policy& policy, int32_t a, int32_t b) {
    const int16_t group = policy.look_alikes[static_cast<size_t>(a)];
    return a == b || (group != kNoGroup && group == policy.look_alikes[static_cast<size_t>(b)]);
}

std::vector<LanguageShare> sum_languages(const Policy& policy, const std::vector<Share>& shares) {
    std::vector<LanguageShare> out;
    uint64_t total_letters = 0;
    for (const Share& share : shares) {
        total_letters += share.letters;
        auto at =
            std::find_if(out.begin(), out.end(), [&](const LanguageShare& h) { return are_look_alikes(policy, h.label, share.label); });
        if (at == out.end()) out.push_back({share.label, static_cast<double>(share.letters)});
        else at->share += static_cast<double>(share.letters);
    }
    for (LanguageShare& language : out) language.share = round_to_micros(language.share / static_cast<double>(total_letters));
    std::stable_sort(out.begin(), out.end(), [](const LanguageShare& a, const LanguageShare& b) { return a.share > b.share; });
    return out;
}

bool are_balanced(const Policy& policy, const std::vector<LanguageShare>& languages) {
    return languages.size() > 1 && languages[0].share - languages[1].share <= policy.level_share;
}

Decision decide(const Model& model, const Priors& priors, const Policy& policy, const Reading& reading) {
    if (reading.junk.score > 0) return refuse(Reason::not_language, score_to_probability(reading.junk.score));
    if (reading.placeholder_score > 0) return refuse(Reason::placeholder_text, score_to_probability(reading.placeholder_score));
    if (reading.misread) return refuse(Reason::misread);
    if (reading.outside_allowlist != kNoLabel && reading.letters >= policy.min_letters) return refuse(Reason::not_allowed);
    if (reading.guesses.empty() || reading.letters < policy.min_letters) return refuse(no_guess_reason(policy, reading));
    const Guess& best = reading.guesses.front();
    // Hints choose among languages of a text; they make none of bytes that are hardly text.
    const Guess& best_by_text = reading.text_guesses.empty() ? best : reading.text_guesses.front();
    if (best_by_text.log_prob < policy.min_log_prob) return refuse(Reason::unknown_language);
    if (is_too_rare(model, priors, policy, best, reading)) return refuse(Reason::too_rare);
    Decision out;
    if (reading.shares.size() > 1 || (reading.shares.size() == 1 && reading.shares.front().label != best.label))
        out.languages = sum_languages(policy, reading.shares);
    out.reason = mixed_page_reason(policy, reading, out.languages);
    if (out.reason != Reason::none) {
        out.confidence = to_probability(reading.unknown_odds.log_known);
        return out;
    }
    if (reading.unknown_odds.score > 0 || (reading.poor_fit && reading.shares.empty())) return refuse(Reason::unknown_language);
    out.label = best.label;
    out.confidence = to_probability(best.log_prob);
    const bool foreign_text = is_foreign_text(policy, reading, best.label);
    if (foreign_text && out.languages.empty()) out.languages = {{reading.text_guesses.front().label, 1.0}};
    out.reliable = !is_overridden(policy, reading, best.label) && !reading.filed_by_hints && best.log_prob >= policy.reliable_log_prob &&
                   has_enough_text(policy, reading, best.log_prob) && !reading.boilerplate;
    out.tier = model.info(best.label).tier;
    out.group = policy.look_alikes[best.label];
    for (const Guess& guess : reading.guesses)
        if (are_look_alikes(policy, guess.label, best.label)) out.group_confidence += to_probability(guess.log_prob);
    out.group_confidence = std::min(1.0, round_to_micros(out.group_confidence));
    out.settled = reading.hints.empty() && reading.letters >= policy.long_letters && reading.words.count >= policy.reliable_words &&
                  best.log_prob >= policy.clear_log_prob && out.group == kNoGroup && out.languages.size() < 2 && !reading.boilerplate;
    if (foreign_text) return out;  // the shares describe the text, which is not in the page's language
    auto main = std::find_if(out.languages.begin(), out.languages.end(),
                             [&](const LanguageShare& h) { return are_look_alikes(policy, h.label, best.label); });
    // the text as a whole has another label than its chunks
    if (main == out.languages.end() && !out.languages.empty()) main = out.languages.begin();
    if (main != out.languages.end()) main->label = best.label;
    return out;
}

std::vector<LabeledChunk> display_chunks(const Policy& policy, const DecidedReading& read) {
    const Decision& decision = read.decision;
    std::vector<LabeledChunk> out = read.reading.chunks;
    for (LabeledChunk& chunk : out) {
        // Chunks that are too short to be labeled one by one get the language of the page.
        if (chunk.label == kNoLabel && !chunk.is_secondary && read.reading.shares.empty())
            chunk.label = decision.languages.empty() ? decision.label : decision.languages.front().label;
        if (chunk.label == kNoLabel) continue;
        const auto same = [&](const LanguageShare& h) { return are_look_alikes(policy, h.chunk_label, chunk.label); };
        const auto language = std::find_if(decision.languages.begin(), decision.languages.end(), same);
        if (language != decision.languages.end()) chunk.label = language->label;
        else if (decision.label != kNoLabel && are_look_alikes(policy, decision.label, chunk.label)) chunk.label = decision.label;
    }
    return out;
}

}  // namespace webtongue
