// Text that was read in a wrong encoding before it came here: UTF-8 taken for windows-1252 or windows-1251 and written out again.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

// Whether most characters beyond ASCII make up the bytes of UTF-8: "Ã©" for é, "Ð¿" or "Рї" for п. Such text is letters
// to any model, and would be taken for a language with many accents.
bool looks_misread(Span utf8_text);

}  // namespace webtongue
