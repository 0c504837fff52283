// The one way from a log to a probability.
#pragma once

#include <cmath>
#include <cstdint>

namespace webtongue {

constexpr int NATS = 1024;  // log-probabilities are in 1/1024 nats

inline double rounded(double chance) { return std::round(chance * 1e6) / 1e6; }

// To six decimals, rounded down so that a sum never rises: what is printed, stored and compared is the same number everywhere, whatever
// the last bit of exp() is.
inline double chance_of(int32_t log_prob) { return std::floor(std::exp(log_prob / double{NATS}) * 1e6) / 1e6; }

}  // namespace webtongue
