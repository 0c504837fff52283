// Placeholder text: the words of "lorem ipsum" in any order, which templates show where text will be. It looks like Latin.
#pragma once

#include <cstddef>

#include "base/bytes.hpp"

namespace webtongue {

// Log odds of placeholder text against real Latin, in hundredths of a nat, by the words of a text; each word counts once. Called
// only for text that may be Latin.
int32_t placeholder_score(const Span* spans, size_t count);

}  // namespace webtongue
