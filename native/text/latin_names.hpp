// Counts Latin letters that are names or terms inside text of another script.
//
// Text in every script has names of products, titles and terms in Latin letters, sometimes more than letters of its own script. They
// differ from running Latin text in their shape: a few words in a row, most of them capitalised, or a quotation.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

// Returns the number of Latin letters that should not count when the script of a text is decided.
// tests/twins/text/latin_names.py is the readable twin.
uint32_t count_latin_names(Span utf8_text);

}  // namespace webtongue
