#include "misread.hpp"

#include "utf8_reader.hpp"

namespace webtongue {
namespace {

constexpr size_t kLook = 2048;      // bytes
constexpr uint32_t kFewest = 2;     // sequences: one may be chance

// The windows-1252 byte of a code point beyond ASCII, 0 where it has none.
Byte windows_1252(char32_t c) {
    if (c >= 0x80 && c <= 0xFF) return static_cast<Byte>(c);
    constexpr char16_t kHigh[32] = {0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
                                    0x2039, 0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
                                    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178};
    for (int i = 0; i < 32; ++i)
        if (kHigh[i] == c) return static_cast<Byte>(0x80 + i);
    return 0;
}

}  // namespace

bool looks_misread(Span text) {
    if (text.size() > kLook) text.end = text.begin + kLook;
    if (find_byte(text.begin, text.end, 0xC3) == text.end) return false;  // a lead byte, taken for a letter, starts so
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
        // What could not be read at all in windows-1252 is U+FFFD by now, or a no-break space that was taken for a space.
        const Byte b = c == 0xFFFD ? 0x81 : windows_1252(c);
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

}  // namespace webtongue
