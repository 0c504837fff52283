#include "text/hinted.hpp"

#include <algorithm>

namespace webtongue {
namespace {

constexpr uint64_t kOne = uint64_t{1} << 30;  // a probability of 1, as Model::exp_of has it
constexpr int32_t kHeard = 2 * NATS;   // a hint of less is not enough to take a text for borrowed
constexpr int32_t kOwn = -6 * NATS;    // a label that the text makes less likely than one in 400 is not what it is in
constexpr int32_t kSupported = -1420;  // ln(1/4): a label that the text makes less likely is hints' doing
constexpr double kMostNats = 64;       // that hints can say: keeps sums within bounds
constexpr int32_t kLeastLog = -16 * NATS;     // below this a probability is as good as none

uint64_t mass_of(const Model& model, int32_t log_prob) { return log_prob >= 0 ? kOne : model.exp_of(-int64_t{log_prob}); }

// ln of a part of one, 1/1024 nats.
int32_t log_of_part(const Model& model, uint64_t part) {
    if (part == 0) return kLeastLog;
    int32_t halvings = 0;
    for (; part < kOne; part <<= 1) ++halvings;
    return std::max(kLeastLog, model.log_of(part) - halvings * 710);
}

// What the guesses leave over, as a part of one.
uint64_t rest_of(const Model& model, const std::vector<Guess>& guesses) {
    uint64_t sum = 0;
    for (const Guess& guess : guesses) sum += mass_of(model, guess.log_prob);
    return sum < kOne ? kOne - sum : 0;
}

int32_t prior_of(const Model& model, const Priors& priors, uint16_t label) { return priors.by_slot[model.info(label).slot]; }

// The log-likelihood of the text for a page in another language than its text, without that page's prior.
int32_t borrowed_likelihood(const Model& model, const Priors& priors, const Borrowed& borrowed, const Reading& reading) {
    // What a server or a tool writes says nothing of the site: the other half is as likely to be in any language as the priors say.
    if (reading.boilerplate) return log_of_part(model, rest_of(model, reading.guesses)) - priors.total;
    const Guess& best = reading.guesses.front();
    int32_t out = kImpossible;
    // A rare language is borrowed as rarely as it is written, and other letters than Latin ones hardly ever.
    const bool latin = borrowed.label != kNoLabel && reading.group == model.group_of(static_cast<size_t>(borrowed.label));
    if (borrowed.any > kImpossible / 2 && latin) out = best.log_prob - priors.total + borrowed.any;
    for (const Guess& guess : reading.guesses)
        if (guess.label == borrowed.label && borrowed.english > kImpossible / 2)
            out = std::max(out, guess.log_prob - prior_of(model, priors, guess.label) + borrowed.english);
    return out;
}

// What is hinted at stands among the guesses, however the text reads.
void add_borrowed(const Model& model, const Priors& priors, const Borrowed& borrowed, Reading& reading) {
    const int32_t likelihood = borrowed_likelihood(model, priors, borrowed, reading);
    if (likelihood <= kImpossible / 2) return;
    for (const Hinted& hint : reading.hints) {
        if (hint.nats < kHeard || !priors.is_asked(model, hint.label)) continue;
        const int32_t log_prob = std::min(0, prior_of(model, priors, hint.label) + likelihood);
        const auto same = [&](const Guess& guess) { return guess.label == hint.label; };
        const auto found = std::find_if(reading.guesses.begin(), reading.guesses.end(), same);
        if (found == reading.guesses.end()) reading.guesses.push_back({hint.label, 0, log_prob});
        else found->log_prob = std::max(found->log_prob, log_prob);
    }
}

// The languages that are known have become likelier beside those that are not: by `norm` all together.
void weigh_doubt(const Model& model, int32_t norm, Doubt& doubt) {
    if (doubt.unknown == INT32_MIN) return;
    const int32_t unknown = log_of_part(model, kOne - mass_of(model, doubt.known)) - norm;
    if (unknown >= 0) return;
    doubt.known = log_of_part(model, kOne - mass_of(model, unknown));
    doubt.unknown = static_cast<int32_t>(int64_t{unknown - doubt.known} * 100 / NATS);
}

}  // namespace

int32_t logs_of(double nats) {
    return nats > -kMostNats && nats < kMostNats ? static_cast<int32_t>(std::lround(nats * NATS)) : nats > 0 ? 64 * NATS : -64 * NATS;
}

int32_t hinted_nats(const Reading& reading, int32_t label) {
    for (const Hinted& hint : reading.hints)
        if (hint.label == label) return hint.nats;
    return 0;
}

bool is_turned(const Reading& reading, int32_t label) {
    return !reading.by_text.empty() && std::none_of(reading.by_text.begin(), reading.by_text.end(), [&](const Guess& guess) {
        return guess.label == label && guess.log_prob >= kSupported;
    });
}

bool is_borrowed(const Policy& policy, const Reading& reading, int32_t label) {
    return !reading.by_text.empty() && std::none_of(reading.by_text.begin(), reading.by_text.end(), [&](const Guess& guess) {
        return guess.log_prob >= kOwn && are_alike(policy, guess.label, label);
    });
}

void weigh_hints(const Model& model, const Priors& priors, std::vector<Hinted> hints, const Borrowed& borrowed, Reading& reading) {
    if (reading.by_text.empty()) {
        reading.by_text = reading.guesses;
        reading.doubt_by_text = reading.doubt;
    } else {  // weighed before: the new hints take the place of the old
        reading.guesses = reading.by_text;
        reading.doubt = reading.doubt_by_text;
    }
    reading.hints = std::move(hints);
    if (reading.guesses.empty()) return;
    const uint64_t rest = rest_of(model, reading.guesses);
    add_borrowed(model, priors, borrowed, reading);
    const int32_t left = rest ? log_of_part(model, rest) : kImpossible;
    int32_t top = left;
    for (Guess& guess : reading.guesses) {
        guess.log_prob += hinted_nats(reading, guess.label);
        top = std::max(top, guess.log_prob);
    }
    // Everything beside the best, of which 1 is exp(top): never less than one, since the best is among it.
    uint64_t mass = rest ? mass_of(model, left - top) : 0;
    for (const Guess& guess : reading.guesses) mass += mass_of(model, guess.log_prob - top);
    const int32_t norm = top + model.log_of(mass);
    for (Guess& guess : reading.guesses) guess.log_prob = std::min(0, guess.log_prob - norm);
    std::stable_sort(reading.guesses.begin(), reading.guesses.end(),
                     [](const Guess& a, const Guess& b) { return a.log_prob != b.log_prob ? a.log_prob > b.log_prob : a.label < b.label; });
    weigh_doubt(model, norm, reading.doubt);
}

}  // namespace webtongue
