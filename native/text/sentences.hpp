// Where a block of text may change its language: at the end of a sentence, at the end of a line, between two scripts.
#pragma once

#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

// What a part must hold at least, in letters (a Han character or Hangul syllable is three): less does not tell a language, and is left
// with its neighbour.
constexpr uint32_t kSentenceLetters = 28;

// Appends where each part of the text but the first begins, counted from `text.begin`. A text that has no room for two gives nothing.
void cut_sentences(Span text, std::vector<uint32_t>& cuts);

}  // namespace webtongue
