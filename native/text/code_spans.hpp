// Masks code and data beside prose: a line of a program, a record of JSON, a query, the time of a subtitle.
//
// A text of which a part is code is neither code nor in the language of its identifiers. The text is split into lines and sentences, and
// those that are not language are replaced by spaces where prose remains. tests/twins/text/code_spans.py is the readable twin.
#pragma once

#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

constexpr size_t kMaxCodeTextBytes = 4096;  // a longer text is judged as a whole

// Writes a copy of the text with code masked and returns true, or returns false if the text is too long, has no code, or has too little
// prose beside its code. Comments of code are not prose beside it. `unmasked` is the same text before its debris was masked, by which
// comments are told. Line feeds and offsets stay.
bool mask_code(Span utf8_text, const Byte* unmasked, std::vector<Byte>& masked);

}  // namespace webtongue
