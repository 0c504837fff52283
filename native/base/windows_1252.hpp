// windows-1252 the other way round: bytes by the characters that they stand for.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

// The byte of a character beyond ASCII, 0 where it has none. Control codes are those of ISO 8859-1, which fill its holes.
inline Byte windows_1252_byte(char32_t c) {
    if (c < 0x100) return static_cast<Byte>(c);
    if (c < 0x152 || c > 0x2122 || (c > 0x192 && c < 0x2C6) || (c > 0x2DC && c < 0x2013)) return 0;
    constexpr char16_t kHigh[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
                                    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
                                    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
    for (int i = 0; i < 32; ++i)
        if (kHigh[i] == c) return static_cast<Byte>(0x80 + i);
    return 0;
}

}  // namespace webtongue
