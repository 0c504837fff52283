#include "coding/multibyte.hpp"

namespace webtongue {
namespace {

// What a byte can begin: nothing, a character by itself, one of two bytes (whose second is in the first or in the second
// set of trail bytes), or one that is longer at times.
enum First : uint8_t { nothing, alone, pair, pair2, longer };

// Rows of the common letters, as the standards arranged them, of others and of signs.
enum Row : uint8_t { unknown, common, rare, sign };

struct Ranges {
    uint8_t first[256];
    bool trail[2][256];
    uint8_t row[256];      // by the first byte,
    uint8_t from = 0x40;  // where the second is not below this
};

constexpr void fill(uint8_t* of, int low, int high, First first) {
    for (int c = low; c <= high; ++c) of[c] = first;
}
constexpr void allow(bool* of, int low, int high) {
    for (int c = low; c <= high; ++c) of[c] = true;
}

constexpr void arrange(Ranges& out, int low, int high, Row row) {
    for (int c = low; c <= high; ++c) out.row[c] = row;
}

constexpr Ranges ranges_of(Coding coding) {
    Ranges out{};
    for (int c = 0; c < 0x80; ++c) out.first[c] = alone;
    switch (coding) {
        case Coding::gb18030:
            fill(out.first, 0x81, 0xFE, longer);
            allow(out.trail[0], 0x40, 0x7E);
            allow(out.trail[0], 0x80, 0xFE);
            arrange(out, 0x81, 0xFE, rare);
            arrange(out, 0xA1, 0xA9, sign);
            arrange(out, 0xB0, 0xD7, common);
            out.from = 0xA1;
            break;
        case Coding::big5:
            fill(out.first, 0x87, 0xFE, pair);
            allow(out.trail[0], 0x40, 0x7E);
            allow(out.trail[0], 0xA1, 0xFE);
            arrange(out, 0x87, 0xFE, rare);
            arrange(out, 0xA1, 0xA3, sign);
            arrange(out, 0xA4, 0xC6, common);
            break;
        case Coding::euc_jp:
            fill(out.first, 0xA1, 0xFE, pair);
            out.first[0x8E] = pair2;
            out.first[0x8F] = longer;
            allow(out.trail[0], 0xA1, 0xFE);
            allow(out.trail[1], 0xA1, 0xDF);
            arrange(out, 0x8F, 0xFE, rare);
            arrange(out, 0xA1, 0xA8, sign);
            arrange(out, 0xA4, 0xA5, common);
            arrange(out, 0xB0, 0xCF, common);
            break;
        case Coding::shift_jis:
            fill(out.first, 0x81, 0x9F, pair);
            fill(out.first, 0xA1, 0xDF, alone);
            fill(out.first, 0xE0, 0xFC, pair);
            allow(out.trail[0], 0x40, 0x7E);
            allow(out.trail[0], 0x80, 0xFC);
            arrange(out, 0x81, 0xFC, rare);
            arrange(out, 0x81, 0x87, sign);
            arrange(out, 0x82, 0x83, common);
            arrange(out, 0x88, 0x97, common);
            break;
        case Coding::euc_kr:
            fill(out.first, 0x81, 0xC6, pair);
            fill(out.first, 0xC7, 0xFE, pair2);
            allow(out.trail[0], 0x41, 0x5A);
            allow(out.trail[0], 0x61, 0x7A);
            allow(out.trail[0], 0x81, 0xFE);
            allow(out.trail[1], 0xA1, 0xFE);
            arrange(out, 0x81, 0xFE, rare);
            arrange(out, 0xA1, 0xAF, sign);
            arrange(out, 0xB0, 0xC8, common);
            out.from = 0xA1;
            break;
        case Coding::johab:
            fill(out.first, 0x84, 0xD3, pair);
            fill(out.first, 0xD8, 0xDE, pair2);
            fill(out.first, 0xE0, 0xF9, pair2);
            allow(out.trail[0], 0x41, 0x7E);
            allow(out.trail[0], 0x81, 0xFE);
            allow(out.trail[1], 0x31, 0x7E);
            allow(out.trail[1], 0x91, 0xFE);
            break;
        case Coding::euc_tw:
            fill(out.first, 0xA1, 0xFD, pair);
            out.first[0x8E] = longer;
            allow(out.trail[0], 0xA1, 0xFE);
            break;
        default:
            break;
    }
    return out;
}

constexpr Ranges kRanges[] = {ranges_of(Coding::single), ranges_of(Coding::gb18030),   ranges_of(Coding::big5),
                              ranges_of(Coding::euc_jp), ranges_of(Coding::shift_jis), ranges_of(Coding::euc_kr),
                              ranges_of(Coding::johab),  ranges_of(Coding::euc_tw),    ranges_of(Coding::other)};

bool within(Byte c, Byte low, Byte high) { return c >= low && c <= high; }

// Length of the character at p that may be longer than two bytes, 0 if there is none; -1 if the text ends inside it.
int long_character(const Byte* p, const Byte* end, Coding coding, const Ranges& ranges) {
    const auto left = end - p;
    if (coding == Coding::gb18030) {
        if (!within(p[1], 0x30, 0x39)) return ranges.trail[0][p[1]] ? 2 : 0;
        if (left < 4) return -1;
        return within(p[2], 0x81, 0xFE) && within(p[3], 0x30, 0x39) ? 4 : 0;
    }
    const int length = coding == Coding::euc_tw ? 4 : 3;  // euc_jp
    if (left < length) return -1;
    if (coding == Coding::euc_tw && !within(p[1], 0xA1, 0xB0)) return 0;
    for (int i = 1; i < length; ++i)
        if (!ranges.trail[0][p[i]]) return 0;
    return length;
}

}  // namespace

Validity check_multibyte(Span text, Coding coding) {
    Validity out;
    const Ranges& ranges = kRanges[static_cast<size_t>(coding)];
    const Byte* last = nullptr;  // the end of the last character of several bytes
    for (const Byte* p = text.begin; p < text.end;) {
        const uint8_t first = ranges.first[*p];
        if (first == alone) {
            ++p;
            continue;
        }
        int length = 0;
        if (first != nothing) {
            if (text.end - p < 2) break;
            length = first == longer ? long_character(p, text.end, coding, ranges) : 2 * ranges.trail[first == pair2][p[1]];
            if (length < 0) break;
        }
        if (length > 1) {
            const uint8_t row = ranges.row[*p] == common && p[1] < ranges.from ? static_cast<uint8_t>(rare) : ranges.row[*p];
            out.common += row == common;
            out.rare += row == rare;
            out.joined += p == last;
            last = p + length;
        }
        out.good += length > 1;
        out.long_ones += length > 2;
        out.bad += length == 0;
        p += length ? length : 1;
    }
    return out;
}

}  // namespace webtongue
