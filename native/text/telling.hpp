// The words and n-grams of a text that tell one label from another: what the scorer and the decisive features took from each.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "text/model.hpp"

namespace webtongue {

constexpr size_t kMostTelling = 8192;  // features of a text that are looked at: what follows says the same again

struct Telling {
    std::string gram;  // UTF-8, a space for each end of a word: " the " is a word, "ing " an ending
    int32_t nats;      // for the label, against its rival, 1/1024 nats
};

// Features that say something, the loudest first and no more than `most`; each counts once, however often it stands in the text.
std::vector<Telling> telling_features(const Model& model, Span text, uint16_t label, uint16_t rival, size_t most);

}  // namespace webtongue
