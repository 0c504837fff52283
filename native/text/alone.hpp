// Whether text reads like its language where a script has one label: such labels have no weights, and letters in any order would be it.
#pragma once
#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

// What is looked up of a text in a script group: pairs of letters, in Hangul syllables; numbers of 32 bits.
std::vector<uint32_t> alone_units(uint8_t group, const Span* read, size_t count);

// False where too few of them are known in the group's language. True where the group has no table, or the text is short.
bool reads_alone(uint8_t group, const Span* read, size_t count);

}  // namespace webtongue
