// The contributions of text and prior to the log odds of the best guess against the next, without hints. evidence/combine.py has the
// same with hints.
#pragma once

#include "text/priors.hpp"
#include "text/reading.hpp"

namespace webtongue {

struct EvidenceBits {
    double text = 0, prior = 0;  // bits
};

EvidenceBits evidence_bits(const Model& model, const Priors& priors, const Reading& reading);

// The log-likelihood of a text for a guess in nats, up to a constant that all guesses share.
double log_likelihood(const Model& model, const Priors& priors, const Reading& reading, const Guess& guess);

}  // namespace webtongue
