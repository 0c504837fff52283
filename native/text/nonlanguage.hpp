// Detects text that is not language, and text that was decoded in the wrong encoding.
#pragma once

#include "markup/scan.hpp"
#include "text/decide.hpp"
#include "text/sample.hpp"

namespace webtongue {

constexpr uint32_t kMinLettersBesideDebris = 3;  // a text with fewer letters beside its debris consists of debris

// Sets Reading::misread and Reading::junk. Text that fits its label and has no signs of code is not checked for junk, unless
// `may_be_list` is set for a text that is long enough to be a list, which scores like language. A list of capitalised phrases is
// language if it has enough common words, as the menu of a home page has; a list of members has few. Lowers the probability of text
// that may be junk.
void detect_nonlanguage(const Model& model, Span text, bool may_be_list, Reading& out);

// Does the same for a page. A page is not language if neither its main text nor its whole text is language. `unmasked` is the text
// with its debris, null if there is no debris.
void detect_nonlanguage(const Model& model, const Scan& scan, const Sample& sample, const Byte* unmasked, Reading& out);

// Marks a text that is only a name as unknown language if no language is likely. Hints may still decide its language.
void discount_name(const Model& model, const Span* spans, size_t count, Reading& out);

// Clears a low junk score of a page with a title or headings if most of its text is confidently in a language: documentation is full of
// code and numbers.
void clear_junk_of_prose(const Scan& scan, const Policy& policy, Reading& out);

}  // namespace webtongue
