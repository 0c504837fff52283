// Detects text that is not language, and text that was decoded in the wrong encoding.
#pragma once

#include "markup/scan.hpp"
#include "text/decide.hpp"
#include "text/sample.hpp"

namespace webtongue {

constexpr uint32_t kMinLettersBesideDebris = 3;  // with fewer letters, the text is its debris

// Sets Reading::misread and Reading::junk. Text that fits its label and has no signs of code is not checked for junk, unless
// `may_be_list`: a text of that length may be a list, which scores like language. A list of
// capitalised phrases is in a language if it has enough common words of it: the menu of a home page, and not a list of members. Text that
// may be junk has a lower probability.
void detect_nonlanguage(const Model& model, Span text, bool may_be_list, Reading& out);

// Does the same for a page, which is not language if neither its main text nor all of its text is. `unmasked` is its text with debris,
// null if it has none.
void detect_nonlanguage(const Model& model, const Scan& scan, const Sample& sample, const Byte* unmasked, Reading& out);

// Makes a text that is a name unknown if no language is likely: hints may still name one.
void discount_name(const Model& model, const Span* spans, size_t count, Reading& out);

// Clears a low junk score of a page with a title or headings if most of its text is confidently in a language: documentation is full of
// code and numbers.
void clear_junk_of_prose(const Scan& scan, const Policy& policy, Reading& out);

}  // namespace webtongue
