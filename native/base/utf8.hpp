// Reads and writes UTF-8, one code point at a time.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

// Returns the code point at p and advances p. Each byte that is invalid or begins an overlong form gives U+FFFD; never reads past `end`.
inline char32_t read_utf8(const Byte*& p, const Byte* end) {
    const Byte c = *p++;
    if (c < 0x80) return c;
    const int more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : c >= 0xC0 ? 1 : 0;
    if (!more || end - p < more) return 0xFFFD;
    char32_t code = c & (0x3F >> more);
    for (int i = 0; i < more; ++i) {
        if ((p[i] & 0xC0) != 0x80) return 0xFFFD;
        code = code << 6 | (p[i] & 0x3F);
    }
    constexpr char32_t kLeast[] = {0, 0x80, 0x800, 0x10000};  // by the number of further bytes
    if (code < kLeast[more]) return 0xFFFD;
    p += more;
    return code;
}

// Spaces and line ends of Unicode, those of ASCII included.
inline bool is_unicode_space(char32_t c) {
    if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0D);
    if (c < 0x2000) return c == 0x85 || c == 0xA0 || c == 0x1680;
    return c <= 0x200A || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

// The number of bytes of the space at p, or 0 if there is none. p must be before `end`.
inline size_t space_size(const Byte* p, const Byte* end) {
    if (*p < 0x80) return is_unicode_space(*p);
    if (*p != 0xC2 && (*p < 0xE1 || *p > 0xE3)) return 0;
    const Byte* next = p;
    return is_unicode_space(read_utf8(next, end)) ? static_cast<size_t>(next - p) : 0;
}

// The end of the token at p: at the next space, or at `end`.
inline const Byte* token_end(const Byte* p, const Byte* end) {
    while (p < end) {
        p = skip_visible_ascii(p, end);
        for (; p < end && (*p <= ' ' || *p >= 0x80); ++p)
            if (space_size(p, end)) return p;
    }
    return p;
}

// Appends a code point as UTF-8 and returns the new end of `out`, which must have room for four bytes.
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

}  // namespace webtongue
