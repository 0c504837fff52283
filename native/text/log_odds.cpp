#include "text/log_odds.hpp"

#include <algorithm>
#include <cmath>

namespace webtongue {
namespace {

constexpr double kBitsPerNat = 1.4426950408889634;
constexpr double kMinRest = 1e-6;  // lower bound on the probability that another label is right

double to_nats(int32_t log) { return static_cast<double>(log) / LOG_SCALE; }

}  // namespace

double log_likelihood(const Model& model, const Priors& priors, const Reading& reading, const Guess& guess) {
    return to_nats(guess.log_prob - priors.faded(priors.log_prior(model, guess.label), reading.facts.prior_weight));
}

EvidenceBits evidence_bits(const Model& model, const Priors& priors, const Reading& reading) {
    EvidenceBits out;
    if (reading.guesses.empty()) return out;
    const Guess& best = reading.guesses[0];
    double log_odds = to_nats(best.log_prob);
    if (reading.guesses.size() > 1) {
        const Guess& runner_up = reading.guesses[1];
        const auto faded = [&](const Guess& guess) {
            return priors.faded(priors.log_prior(model, guess.label), reading.facts.prior_weight);
        };
        out.prior = kBitsPerNat * to_nats(faded(best) - faded(runner_up));
        log_odds -= to_nats(runner_up.log_prob);
    } else {
        log_odds -= std::log(std::max(-std::expm1(log_odds), kMinRest));
    }
    out.text = kBitsPerNat * log_odds - out.prior;
    return out;
}

}  // namespace webtongue
