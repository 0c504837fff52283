// What text and prior did for the best guess against the next, where no hint was weighed in: fuse.py has the same with hints.
#pragma once

#include "text/priors.hpp"
#include "text/reading.hpp"

namespace webtongue {

struct Worth {
    double text = 0, prior = 0;  // bits
};

Worth worth_of(const Model& model, const Priors& priors, const Reading& reading);

// The log-likelihood of a text for a guess, in nats, up to what is the same for all guesses of it.
double log_likelihood(const Model& model, const Priors& priors, const Guess& guess);

}  // namespace webtongue
