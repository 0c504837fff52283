// Placeholder text: the words of "lorem ipsum" in any order, which templates show where text will be. It looks like Latin.
#pragma once

#include <vector>

#include "text/model.hpp"
#include "text/reading.hpp"

namespace webtongue {

// Log odds of placeholder text against real Latin, in hundredths of a nat, by the words of a text; each word counts once. Called
// only for text that may be Latin.
int32_t placeholder_score(const Span* spans, size_t count);

// True if a text or a part of it may be Latin, and so placeholder text.
bool may_be_placeholder(const Model& model, const Reading& reading);

// Writes a copy of the text without its sentences of placeholder text and returns true, or returns false if it has none or has no other
// sentence. Line feeds and offsets stay.
bool mask_placeholder(Span utf8_text, std::vector<Byte>& masked);

// True if a text without its placeholder text is in another language than Latin: the rest is not placeholder text that was missed.
bool is_other_language(const Model& model, const Reading& rest);

}  // namespace webtongue
