// Finds where a block of text may change its language: at the end of a sentence or line, and between two scripts.
#pragma once

#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

// Minimum letters of a part (a Han character or Hangul syllable counts as three). A shorter part cannot be identified and joins its
// neighbour.
constexpr uint32_t kSentenceLetters = 28;

// Where a text may be cut. A text that does not fit its language as a whole is cut finely: after short sentences, and between words.
struct CutOptions {
    uint32_t min_letters = kSentenceLetters;  // minimum length of a part
    uint32_t max_letters = UINT32_MAX;  // a longer part is cut between two words
};
constexpr CutOptions kFineCuts = {12, 32};

// Appends the start of each part except the first, relative to `text.begin`. Appends nothing for a text too short for two parts.
void cut_sentences(Span text, const CutOptions& options, std::vector<uint32_t>& cuts);

}  // namespace webtongue
