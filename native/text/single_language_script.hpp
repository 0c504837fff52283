// Plausibility check for scripts with a single label. Such labels have no weights, so without this check any sequence of letters of the
// script would be that language.
#pragma once
#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

// Hashes of the units of a text in a script group: pairs of letters, or single syllables in Hangul.
std::vector<uint32_t> script_units(uint8_t group, const Span* spans, size_t count);

// True if enough of the units are known in the group's language, and also if the group has no table or the text is short.
bool reads_like_its_language(uint8_t group, const Span* spans, size_t count);

}  // namespace webtongue
