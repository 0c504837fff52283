#include "coding/misread.hpp"

#include "base/utf8.hpp"

namespace webtongue {
namespace {

constexpr size_t kLook = 2048;      // bytes
constexpr uint32_t kFewest = 2;     // sequences: one may be chance
constexpr uint32_t kLeads = 4;      // capitals that make Cyrillic text suspicious

// The windows-1252 byte of a code point beyond ASCII, 0 where it has none.
Byte windows_1252(char32_t c) {
    if (c >= 0x80 && c <= 0xFF) return static_cast<Byte>(c);
    constexpr char16_t kHigh[32] = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
                                    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
                                    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
    for (int i = 0; i < 32; ++i)
        if (kHigh[i] == c) return static_cast<Byte>(0x80 + i);
    return 0;
}

// The windows-1251 byte of a letter that a lead or trail byte of UTF-8 is taken for, 0 where it is none.
Byte windows_1251(char32_t c) {
    if (c >= 0x0410 && c <= 0x044F) return static_cast<Byte>(c - 0x0410 + 0xC0);
    constexpr char16_t kHigh[64] = {0x0402, 0x0403, 0x201A, 0x0453, 0x201E, 0x2026, 0x2020, 0x2021, 0x20AC, 0x2030, 0x0409, 0x2039, 0x040A,
                                    0x040C, 0x040B, 0x040F, 0x0452, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0,      0x2122,
                                    0x0459, 0x203A, 0x045A, 0x045C, 0x045B, 0x045F, 0xA0,   0x040E, 0x045E, 0x0408, 0xA4,   0x0490, 0xA6,
                                    0xA7,   0x0401, 0xA9,   0x0404, 0xAB,   0xAC,   0xAD,   0xAE,   0x0407, 0xB0,   0xB1,   0x0406, 0x0456,
                                    0x0491, 0xB5,   0xB6,   0xB7,   0x0451, 0x2116, 0x0454, 0xBB,   0x0458, 0x0405, 0x0455, 0x0457};
    for (int i = 0; i < 64; ++i)
        if (kHigh[i] == c) return static_cast<Byte>(0x80 + i);
    return 0;
}

// Whether most characters beyond ASCII are sequences of UTF-8 to one who took its bytes for those of `byte_of`.
template <class ByteOf>
bool mostly_sequences(Span text, ByteOf byte_of) {
    uint32_t high = 0, explained = 0, sequences = 0;
    int wanted = 0, run = 0;  // trail bytes still to come, characters of the sequence so far
    for (const Byte* p = text.begin; p < text.end;) {
        if (*p < 0x80) {
            wanted = 0;
            ++p;
            continue;
        }
        const char32_t c = read_utf8(p, text.end);
        ++high;
        // What could not be read at all is U+FFFD by now, or a no-break space that was taken for a space.
        const Byte b = c == 0xFFFD ? 0x81 : byte_of(c);
        if (wanted && b >= 0x80 && b <= 0xBF) {
            ++run;
            if (--wanted == 0) {
                explained += static_cast<uint32_t>(run);
                ++sequences;
            }
            continue;
        }
        wanted = b >= 0xC2 && b <= 0xDF ? 1 : b >= 0xE0 && b <= 0xEF ? 2 : b >= 0xF0 && b <= 0xF4 ? 3 : 0;
        run = 1;
    }
    return sequences >= kFewest && explained * 2 >= high;
}

// Capital Er or Es, which the lead bytes of Cyrillic are in windows-1251, and which seldom follow a small letter.
bool has_cyrillic_leads(Span text) {
    uint32_t found = 0;
    for (const Byte* p = text.begin; (p = find_byte(p, text.end, 0xD0)) < text.end && found < kLeads; ++p)
        found += p + 1 < text.end && (p[1] == 0xA0 || p[1] == 0xA1);
    return found >= kLeads;
}

}  // namespace

bool looks_misread(Span text) {
    if (text.size() > kLook) text.end = text.begin + kLook;
    if (find_byte(text.begin, text.end, 0xC3) != text.end && mostly_sequences(text, windows_1252)) return true;
    return has_cyrillic_leads(text) && mostly_sequences(text, windows_1251);
}

}  // namespace webtongue
