// HTML character references, from bytes to code points.
#pragma once

#include <string>

#include "bytes.hpp"

namespace webtongue {

// What one reference stands for: up to two code points, and how many bytes it took (0: not a reference).
struct Reference {
    char32_t points[2] = {0, 0};
    int count = 0;
    size_t length = 0;
};

// Read the reference that starts at `p`, which is on the `&`. Inside attribute values a name without its
// semicolon does not count when `=` or a letter or digit follows (`?a=1&copy=2`).
Reference read_reference(const Byte* p, const Byte* end, bool in_attribute);

// Append a code point as UTF-8; returns the new end of `out`, which must have room for four bytes.
inline Byte* put_utf8(Byte* out, char32_t c) {
    if (c < 0x80) {
        *out++ = static_cast<Byte>(c);
    } else if (c < 0x800) {
        *out++ = static_cast<Byte>(0xC0 | (c >> 6));
        *out++ = static_cast<Byte>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        *out++ = static_cast<Byte>(0xE0 | (c >> 12));
        *out++ = static_cast<Byte>(0x80 | ((c >> 6) & 0x3F));
        *out++ = static_cast<Byte>(0x80 | (c & 0x3F));
    } else {
        *out++ = static_cast<Byte>(0xF0 | (c >> 18));
        *out++ = static_cast<Byte>(0x80 | ((c >> 12) & 0x3F));
        *out++ = static_cast<Byte>(0x80 | ((c >> 6) & 0x3F));
        *out++ = static_cast<Byte>(0x80 | (c & 0x3F));
    }
    return out;
}

// Replace every reference in `s` by UTF-8; all other bytes pass as they are.
std::string unescape(Span s, bool in_attribute);

}  // namespace webtongue
