// Decodes HTML character references.
#pragma once

#include <string>

#include "base/bytes.hpp"
#include "base/utf8.hpp"

namespace webtongue {

// The one or two code points of a reference, and its length in bytes (0: not a reference).
struct Reference {
    char32_t points[2] = {0, 0};
    int count = 0;
    size_t length = 0;
};

// Reads the reference whose `&` is at `p`. In attribute values, a name without its semicolon does not count if `=`, a letter or a digit
// follows (`?a=1&copy=2`).
Reference read_reference(const Byte* p, const Byte* end, bool in_attribute);

// Replaces every reference in `s` by UTF-8; other bytes are kept.
std::string unescape(Span s, bool in_attribute);

}  // namespace webtongue
