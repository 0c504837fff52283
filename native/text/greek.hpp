// Greek as it is written since 1982: one accent, and none on words of one syllable.
//
// Polytonic letters stand for monotonic ones by the table of forms.hpp; what remains are the accents of short words, which only
// polytonic text has. tests/twins/text/greek.py is the readable twin.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

// Removes the accent of a word of one syllable, in lower case: τόν becomes τον. Interrogatives lose theirs too.
void strip_monosyllable(char32_t* letters, int length);

}  // namespace webtongue
