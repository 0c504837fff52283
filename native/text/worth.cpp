#include "text/worth.hpp"

#include <algorithm>
#include <cmath>

namespace webtongue {
namespace {

constexpr double kBits = 1.4426950408889634;  // in a nat
constexpr double kLeastRest = 1e-6;           // that something else is right, however sure a label is

double nats_of(int32_t log) { return static_cast<double>(log) / NATS; }

int32_t prior_of(const Model& model, const Priors& priors, const Guess& guess) { return priors.by_slot[model.info(guess.label).slot]; }

}  // namespace

double log_likelihood(const Model& model, const Priors& priors, const Guess& guess) {
    return nats_of(guess.log_prob - prior_of(model, priors, guess));
}

Worth worth_of(const Model& model, const Priors& priors, const Reading& reading) {
    Worth out;
    if (reading.guesses.empty()) return out;
    const Guess& best = reading.guesses[0];
    double odds = nats_of(best.log_prob);
    if (reading.guesses.size() > 1) {
        const Guess& rival = reading.guesses[1];
        out.prior = kBits * nats_of(prior_of(model, priors, best) - prior_of(model, priors, rival));
        odds -= nats_of(rival.log_prob);
    } else {
        odds -= std::log(std::max(-std::expm1(odds), kLeastRest));
    }
    out.text = kBits * odds - out.prior;
    return out;
}

}  // namespace webtongue
