#include "text/apply_hints.hpp"

#include <algorithm>
#include <utility>

namespace webtongue {
namespace {

constexpr uint64_t kProbabilityOne = uint64_t{1} << 30;  // probability 1 in the fixed point of Model::exp_of
constexpr double kMaxHintNats = 64;  // bound on all hints together, which keeps sums in range
constexpr double kMaxClarity = 7;
constexpr size_t kMaxUnreadLabels = 24;  // labels that a text is scored for again
constexpr int32_t kMinLog = -16 * LOG_SCALE;  // a lower probability counts as zero

// The table of exponentials has steps of 4 units; the rest is linear, so that the small mass that no label has is exact enough.
uint64_t probability_mass(const Model& model, int32_t log_prob) {
    if (log_prob >= 0) return kProbabilityOne;
    const uint64_t mass = model.exp_of(-int64_t{log_prob}), rest = static_cast<uint64_t>(-int64_t{log_prob}) & 3;
    return mass - mass * rest / LOG_SCALE;
}

// The log of a probability mass, in 1/LOG_SCALE nats.
int32_t log_of_mass(const Model& model, uint64_t mass) {
    if (mass == 0) return kMinLog;
    int32_t halvings = 0;
    for (; mass < kProbabilityOne; mass <<= 1) ++halvings;
    return std::max(kMinLog, model.log_of(mass) - halvings * kLn2);
}

// The probability mass that the guesses leave unassigned.
uint64_t unassigned_mass(const Model& model, const std::vector<Guess>& guesses) {
    uint64_t sum = 0;
    for (const Guess& guess : guesses) sum += probability_mass(model, guess.log_prob);
    return sum < kProbabilityOne ? kProbabilityOne - sum : 0;
}

// The number of letters that carry information, those of lists and menus in part. A Han character counts as three.
double text_amount(const HintScaling& scaling, const Reading& reading) {
    const double running = static_cast<double>(reading.words.count) / kMaxRunningWords;
    return informative_letters(reading) * (letter_weight(reading.group) / 2.0) * (scaling.list_share + (1 - scaling.list_share) * running);
}

// The log-odds, in nats, of the text's best label and its look-alikes against the likeliest alternative: another label, or none. Above
// kMaxClarity the rounding of probabilities decides.
double text_clarity(const Model& model, const Policy& policy, const Reading& reading, uint64_t unassigned) {
    uint64_t own = 0;
    int32_t other = log_of_mass(model, unassigned);
    for (const Guess& guess : reading.guesses)
        if (are_look_alikes(policy, guess.label, reading.guesses.front().label)) own += probability_mass(model, guess.log_prob);
        else other = std::max(other, guess.log_prob);
    return std::clamp(static_cast<double>(log_of_mass(model, own) - other) / LOG_SCALE, 0.0, kMaxClarity);
}

// Lowers the odds of an unknown language: known languages have become likelier by `norm` in sum.
void update_unknown_odds(const Model& model, int32_t norm, UnknownOdds& unknown_odds) {
    if (unknown_odds.score == INT32_MIN) return;
    const int32_t unknown = log_of_mass(model, kProbabilityOne - probability_mass(model, unknown_odds.log_known)) - norm;
    if (unknown >= 0) return;
    unknown_odds.log_known = log_of_mass(model, kProbabilityOne - probability_mass(model, unknown));
    unknown_odds.score = static_cast<int32_t>(int64_t{unknown - unknown_odds.log_known} * 100 / LOG_SCALE);
}

}  // namespace

int32_t to_log_units(double nats) {
    return nats > -kMaxHintNats && nats < kMaxHintNats ? static_cast<int32_t>(std::lround(nats * LOG_SCALE))
           : nats > 0                                  ? 64 * LOG_SCALE
                                                       : -64 * LOG_SCALE;
}

int32_t hint_log(const Reading& reading, int32_t label) {
    for (const LabelHint& hint : reading.hints)
        if (hint.label == label) return hint.nats;
    return 0;
}

bool is_overridden(const Policy& policy, const Reading& reading, int32_t label) {
    return !reading.text_guesses.empty() && std::none_of(reading.text_guesses.begin(), reading.text_guesses.end(), [&](const Guess& guess) {
        return guess.label == label && guess.log_prob >= policy.supported_log_prob;
    });
}

bool is_foreign_text(const Policy& policy, const Reading& reading, int32_t label) {
    return !reading.text_guesses.empty() && std::none_of(reading.text_guesses.begin(), reading.text_guesses.end(), [&](const Guess& guess) {
        return guess.log_prob >= policy.text_excludes && are_look_alikes(policy, guess.label, label);
    });
}

double hint_scale(const Policy& policy, const Reading& reading, int32_t label) {
    const int32_t best = reading.text_guesses.empty() ? kNoLabel : reading.text_guesses.front().label;
    const bool is_inside =
        best != kNoLabel && policy.look_alikes[static_cast<size_t>(best)] != kNoGroup && are_look_alikes(policy, best, label);
    return is_inside ? reading.group_hint_scale : reading.hint_scale;
}

std::vector<uint16_t> find_unread_labels(const Model& model, const Priors& priors, const Policy& policy, const LabelSums& hints,
                                         const Reading& reading) {
    std::vector<uint16_t> out;
    if (reading.text_guesses.empty() || reading.boilerplate) return out;
    const auto support = [&](int32_t label) { return to_log_units(hints.get(label) * hint_scale(policy, reading, label)); };
    for (const int32_t label : hints.labels()) {
        if (support(label) < policy.reread_min || model.group_of(static_cast<size_t>(label)) != reading.group) continue;
        const auto same = [&](const Guess& guess) { return guess.label == label; };
        if (priors.is_allowed(model, label) && std::none_of(reading.text_guesses.begin(), reading.text_guesses.end(), same))
            out.push_back(static_cast<uint16_t>(label));
    }
    std::sort(out.begin(), out.end(), [&](uint16_t a, uint16_t b) { return std::pair(-support(a), a) < std::pair(-support(b), b); });
    if (out.size() > kMaxUnreadLabels) out.resize(kMaxUnreadLabels);
    return out;
}

void apply_hints(const Model& model, const Policy& policy, const LabelSums& hints, const HintScaling& scaling, Reading& reading) {
    if (reading.text_guesses.empty()) {
        reading.text_guesses = reading.guesses;
        reading.text_unknown_odds = reading.unknown_odds;
    } else {  // hints were applied before: the new ones replace them
        reading.guesses = reading.text_guesses;
        reading.unknown_odds = reading.text_unknown_odds;
    }
    reading.hints.clear();
    if (reading.guesses.empty() || reading.boilerplate) return;
    const uint64_t unassigned = unassigned_mass(model, reading.guesses);
    const double amount = text_amount(scaling, reading);
    reading.hint_scale = scaling.outside_group(amount, text_clarity(model, policy, reading, unassigned));
    reading.group_hint_scale = std::max(reading.hint_scale, scaling.inside_group(amount));
    for (const int32_t label : hints.labels())
        reading.hints.push_back({static_cast<uint16_t>(label), to_log_units(hints.get(label) * hint_scale(policy, reading, label))});
    const int32_t unassigned_log = unassigned ? log_of_mass(model, unassigned) : kImpossible;
    int32_t top = unassigned_log;
    for (Guess& guess : reading.guesses) {
        guess.log_prob += hint_log(reading, guess.label);
        top = std::max(top, guess.log_prob);
    }
    // The total relative to exp(top). It is at least 1, since the best guess is included.
    uint64_t mass = unassigned ? probability_mass(model, unassigned_log - top) : 0;
    for (const Guess& guess : reading.guesses) mass += probability_mass(model, guess.log_prob - top);
    const int32_t norm = top + model.log_of(mass);
    for (Guess& guess : reading.guesses) guess.log_prob = std::min(0, guess.log_prob - norm);
    std::stable_sort(reading.guesses.begin(), reading.guesses.end(), is_likelier);
    update_unknown_odds(model, norm, reading.unknown_odds);
}

}  // namespace webtongue
