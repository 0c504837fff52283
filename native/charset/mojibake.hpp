// Detects mojibake: UTF-8 decoded as windows-1252, 1251 or 1253, or bytes of a legacy encoding decoded as windows-1252.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

// True if most characters beyond ASCII are the bytes of UTF-8 ("Ã©" for é, "Ð¿" or "Рї" for п), or if words consist of them as in no
// language ("Ïðèâåò" for Привет). A language model would take such text for a language with many accents.
bool looks_like_mojibake(Span utf8_text);

}  // namespace webtongue
