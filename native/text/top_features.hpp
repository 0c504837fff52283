// The words and n-grams of a text that separate one label from another, by the scorer and the decisive features.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "text/model.hpp"

namespace webtongue {

constexpr size_t kMaxCollectedFeatures = 8192;  // features collected from a text; later ones repeat the earlier

struct FeatureLogOdds {
    std::string ngram;  // UTF-8, with a space at each end of a word: " the " is a word, "ing " an ending
    int32_t log_odds;  // for the label against the runner-up, in 1/LOG_SCALE nats
};

// Returns at most `max_features` features, the strongest first. Each feature counts once however often it occurs.
std::vector<FeatureLogOdds> top_features(const Model& model, Span text, uint16_t label, uint16_t runner_up, size_t max_features);

}  // namespace webtongue
