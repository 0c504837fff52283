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

// One range of bytes of a coding, and what they are there: `as` is a First, whether they trail, or a Row.
enum class Part : uint8_t { first, trail, trail2, row };
struct Range {
    Coding coding;
    Part part;
    int low, high;
    uint8_t as;
};

constexpr Range kTable[] = {
    {Coding::gb18030, Part::first, 0x81, 0xFE, longer},  {Coding::gb18030, Part::trail, 0x40, 0x7E, true},
    {Coding::gb18030, Part::trail, 0x80, 0xFE, true},    {Coding::gb18030, Part::row, 0x81, 0xFE, rare},
    {Coding::gb18030, Part::row, 0xA1, 0xA9, sign},      {Coding::gb18030, Part::row, 0xB0, 0xD7, common},
    {Coding::big5, Part::first, 0x87, 0xFE, pair},       {Coding::big5, Part::trail, 0x40, 0x7E, true},
    {Coding::big5, Part::trail, 0xA1, 0xFE, true},       {Coding::big5, Part::row, 0x87, 0xFE, rare},
    {Coding::big5, Part::row, 0xA1, 0xA3, sign},         {Coding::big5, Part::row, 0xA4, 0xC6, common},
    {Coding::euc_jp, Part::first, 0xA1, 0xFE, pair},     {Coding::euc_jp, Part::first, 0x8E, 0x8E, pair2},
    {Coding::euc_jp, Part::first, 0x8F, 0x8F, longer},   {Coding::euc_jp, Part::trail, 0xA1, 0xFE, true},
    {Coding::euc_jp, Part::trail2, 0xA1, 0xDF, true},    {Coding::euc_jp, Part::row, 0x8F, 0xFE, rare},
    {Coding::euc_jp, Part::row, 0xA1, 0xA8, sign},       {Coding::euc_jp, Part::row, 0xA4, 0xA5, common},
    {Coding::euc_jp, Part::row, 0xB0, 0xCF, common},     {Coding::shift_jis, Part::first, 0x81, 0x9F, pair},
    {Coding::shift_jis, Part::first, 0xA1, 0xDF, alone}, {Coding::shift_jis, Part::first, 0xE0, 0xFC, pair},
    {Coding::shift_jis, Part::trail, 0x40, 0x7E, true},  {Coding::shift_jis, Part::trail, 0x80, 0xFC, true},
    {Coding::shift_jis, Part::row, 0x81, 0xFC, rare},    {Coding::shift_jis, Part::row, 0x81, 0x87, sign},
    {Coding::shift_jis, Part::row, 0x82, 0x83, common},  {Coding::shift_jis, Part::row, 0x88, 0x97, common},
    {Coding::euc_kr, Part::first, 0x81, 0xC6, pair},     {Coding::euc_kr, Part::first, 0xC7, 0xFE, pair2},
    {Coding::euc_kr, Part::trail, 0x41, 0x5A, true},     {Coding::euc_kr, Part::trail, 0x61, 0x7A, true},
    {Coding::euc_kr, Part::trail, 0x81, 0xFE, true},     {Coding::euc_kr, Part::trail2, 0xA1, 0xFE, true},
    {Coding::euc_kr, Part::row, 0x81, 0xFE, rare},       {Coding::euc_kr, Part::row, 0xA1, 0xAF, sign},
    {Coding::euc_kr, Part::row, 0xB0, 0xC8, common},     {Coding::johab, Part::first, 0x84, 0xD3, pair},
    {Coding::johab, Part::first, 0xD8, 0xDE, pair2},     {Coding::johab, Part::first, 0xE0, 0xF9, pair2},
    {Coding::johab, Part::trail, 0x41, 0x7E, true},      {Coding::johab, Part::trail, 0x81, 0xFE, true},
    {Coding::johab, Part::trail2, 0x31, 0x7E, true},     {Coding::johab, Part::trail2, 0x91, 0xFE, true},
    {Coding::euc_tw, Part::first, 0xA1, 0xFD, pair},     {Coding::euc_tw, Part::first, 0x8E, 0x8E, longer},
    {Coding::euc_tw, Part::trail, 0xA1, 0xFE, true},
};

// Later ranges of the table overrule earlier ones.
constexpr Ranges ranges_of(Coding coding) {
    Ranges out{};
    for (int c = 0; c < 0x80; ++c) out.first[c] = alone;
    out.from = coding == Coding::gb18030 || coding == Coding::euc_kr ? 0xA1 : 0x40;
    for (const Range& range : kTable)
        for (int c = range.low; c <= range.high && range.coding == coding; ++c) {
            if (range.part == Part::first) out.first[c] = range.as;
            if (range.part == Part::row) out.row[c] = range.as;
            if (range.part == Part::trail || range.part == Part::trail2) out.trail[range.part == Part::trail2][c] = range.as != 0;
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
