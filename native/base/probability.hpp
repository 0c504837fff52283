// Conversion from logs to probabilities, in one place.
#pragma once

#include <cmath>
#include <cstdint>

namespace webtongue {

constexpr int LOG_SCALE = 1024;  // logs are integers in 1/1024 nats
constexpr int32_t kLn2 = 710;    // ln 2 in 1/LOG_SCALE nats

inline double round_to_micros(double chance) { return std::round(chance * 1e6) / 1e6; }

// Returns a probability rounded down to six decimals, so that sums never exceed 1 and results do not depend on the last bit of exp().
inline double to_probability(int32_t log_prob) { return std::floor(std::exp(log_prob / double{LOG_SCALE}) * 1e6) / 1e6; }

}  // namespace webtongue
