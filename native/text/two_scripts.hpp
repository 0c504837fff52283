// Text that mixes two scripts of one language: Taiwanese in Han characters and Latin letters, Serbian in both of its alphabets.
#pragma once

#include "text/priors.hpp"
#include "text/reading.hpp"

namespace webtongue {

constexpr uint32_t kMinLatinPartLetters = 8;  // fewer Latin letters do not tell the language of a text in another script

// Puts the label first whose language the Latin letters of the text are clearly in, if that language is also written in the script of
// the text. `outcome` is the ranking of a text in another script than Latin.
void prefer_language_of_latin_part(const Model& model, Scorer& scorer, const Priors& priors, Outcome& outcome);

}  // namespace webtongue
