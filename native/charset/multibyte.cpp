#include "charset/multibyte.hpp"

namespace webtongue {
namespace {

// What a byte can start: nothing, a single-byte character, a pair (with a second byte of the first or of the second set of trail
// bytes), or a character that may be longer.
enum First : uint8_t { nothing, single, pair, pair2, longer };

// Rows of the character set: common characters, as the standards arranged them, rare ones and signs.
enum Row : uint8_t { unknown, common, rare, sign };

struct Ranges {
    uint8_t first[256];
    bool trail[2][256];
    uint8_t row[256];  // by first byte
    uint8_t min_common_trail = 0x40;  // a common row has only second bytes from here
};

// A range of bytes in an encoding and their role; `value` is a First, a bool for trail bytes, or a Row.
enum class Part : uint8_t { first, trail, trail2, row };
struct Range {
    EncodingKind kind;
    Part part;
    int low, high;
    uint8_t value;
};

constexpr Range kTable[] = {
    {EncodingKind::gb18030, Part::first, 0x81, 0xFE, longer},   {EncodingKind::gb18030, Part::trail, 0x40, 0x7E, true},
    {EncodingKind::gb18030, Part::trail, 0x80, 0xFE, true},     {EncodingKind::gb18030, Part::row, 0x81, 0xFE, rare},
    {EncodingKind::gb18030, Part::row, 0xA1, 0xA9, sign},       {EncodingKind::gb18030, Part::row, 0xB0, 0xD7, common},
    {EncodingKind::big5, Part::first, 0x87, 0xFE, pair},        {EncodingKind::big5, Part::trail, 0x40, 0x7E, true},
    {EncodingKind::big5, Part::trail, 0xA1, 0xFE, true},        {EncodingKind::big5, Part::row, 0x87, 0xFE, rare},
    {EncodingKind::big5, Part::row, 0xA1, 0xA3, sign},          {EncodingKind::big5, Part::row, 0xA4, 0xC6, common},
    {EncodingKind::euc_jp, Part::first, 0xA1, 0xFE, pair},      {EncodingKind::euc_jp, Part::first, 0x8E, 0x8E, pair2},
    {EncodingKind::euc_jp, Part::first, 0x8F, 0x8F, longer},    {EncodingKind::euc_jp, Part::trail, 0xA1, 0xFE, true},
    {EncodingKind::euc_jp, Part::trail2, 0xA1, 0xDF, true},     {EncodingKind::euc_jp, Part::row, 0x8F, 0xFE, rare},
    {EncodingKind::euc_jp, Part::row, 0xA1, 0xA8, sign},        {EncodingKind::euc_jp, Part::row, 0xA4, 0xA5, common},
    {EncodingKind::euc_jp, Part::row, 0xB0, 0xCF, common},      {EncodingKind::shift_jis, Part::first, 0x81, 0x9F, pair},
    {EncodingKind::shift_jis, Part::first, 0xA1, 0xDF, single}, {EncodingKind::shift_jis, Part::first, 0xE0, 0xFC, pair},
    {EncodingKind::shift_jis, Part::trail, 0x40, 0x7E, true},   {EncodingKind::shift_jis, Part::trail, 0x80, 0xFC, true},
    {EncodingKind::shift_jis, Part::row, 0x81, 0xFC, rare},     {EncodingKind::shift_jis, Part::row, 0x81, 0x87, sign},
    {EncodingKind::shift_jis, Part::row, 0x82, 0x83, common},   {EncodingKind::shift_jis, Part::row, 0x88, 0x97, common},
    {EncodingKind::euc_kr, Part::first, 0x81, 0xC6, pair},      {EncodingKind::euc_kr, Part::first, 0xC7, 0xFE, pair2},
    {EncodingKind::euc_kr, Part::trail, 0x41, 0x5A, true},      {EncodingKind::euc_kr, Part::trail, 0x61, 0x7A, true},
    {EncodingKind::euc_kr, Part::trail, 0x81, 0xFE, true},      {EncodingKind::euc_kr, Part::trail2, 0xA1, 0xFE, true},
    {EncodingKind::euc_kr, Part::row, 0x81, 0xFE, rare},        {EncodingKind::euc_kr, Part::row, 0xA1, 0xAF, sign},
    {EncodingKind::euc_kr, Part::row, 0xB0, 0xC8, common},      {EncodingKind::johab, Part::first, 0x84, 0xD3, pair},
    {EncodingKind::johab, Part::first, 0xD8, 0xDE, pair2},      {EncodingKind::johab, Part::first, 0xE0, 0xF9, pair2},
    {EncodingKind::johab, Part::trail, 0x41, 0x7E, true},       {EncodingKind::johab, Part::trail, 0x81, 0xFE, true},
    {EncodingKind::johab, Part::trail2, 0x31, 0x7E, true},      {EncodingKind::johab, Part::trail2, 0x91, 0xFE, true},
    {EncodingKind::euc_tw, Part::first, 0xA1, 0xFD, pair},      {EncodingKind::euc_tw, Part::first, 0x8E, 0x8E, longer},
    {EncodingKind::euc_tw, Part::trail, 0xA1, 0xFE, true},
};

// Later ranges of the table override earlier ones.
constexpr Ranges ranges_of(EncodingKind kind) {
    Ranges ranges{};
    for (int c = 0; c < 0x80; ++c) ranges.first[c] = single;
    ranges.min_common_trail = kind == EncodingKind::gb18030 || kind == EncodingKind::euc_kr ? 0xA1 : 0x40;
    for (const Range& range : kTable)
        for (int c = range.low; c <= range.high && range.kind == kind; ++c) {
            if (range.part == Part::first) ranges.first[c] = range.value;
            if (range.part == Part::row) ranges.row[c] = range.value;
            if (range.part == Part::trail || range.part == Part::trail2) ranges.trail[range.part == Part::trail2][c] = range.value != 0;
        }
    return ranges;
}

constexpr Ranges kRanges[] = {ranges_of(EncodingKind::single), ranges_of(EncodingKind::gb18030),   ranges_of(EncodingKind::big5),
                              ranges_of(EncodingKind::euc_jp), ranges_of(EncodingKind::shift_jis), ranges_of(EncodingKind::euc_kr),
                              ranges_of(EncodingKind::johab),  ranges_of(EncodingKind::euc_tw),    ranges_of(EncodingKind::other)};

bool within(Byte c, Byte low, Byte high) { return c >= low && c <= high; }

// Returns the length of a character that may be longer than two bytes, 0 if there is none, -1 if the text ends inside it.
int long_character(const Byte* p, const Byte* end, EncodingKind kind, const Ranges& ranges) {
    const auto left = end - p;
    if (kind == EncodingKind::gb18030) {
        if (!within(p[1], 0x30, 0x39)) return ranges.trail[0][p[1]] ? 2 : 0;
        if (left < 4) return -1;
        return within(p[2], 0x81, 0xFE) && within(p[3], 0x30, 0x39) ? 4 : 0;
    }
    const int length = kind == EncodingKind::euc_tw ? 4 : 3;  // euc_jp
    if (left < length) return -1;
    if (kind == EncodingKind::euc_tw && !within(p[1], 0xA1, 0xB0)) return 0;
    for (int i = 1; i < length; ++i)
        if (!ranges.trail[0][p[i]]) return 0;
    return length;
}

}  // namespace

int character_length(const Byte* p, const Byte* end, EncodingKind kind) {
    const Ranges& ranges = kRanges[static_cast<size_t>(kind)];
    const uint8_t first = ranges.first[*p];
    if (first == single) return 1;
    if (first == nothing) return 0;
    if (end - p < 2) return -1;
    return first == longer ? long_character(p, end, kind, ranges) : 2 * ranges.trail[first == pair2][p[1]];
}

MultibyteCounts check_multibyte(Span text, EncodingKind kind) {
    MultibyteCounts counts;
    const Ranges& ranges = kRanges[static_cast<size_t>(kind)];
    const Byte* last = nullptr;  // end of the last character of several bytes
    for (const Byte* p = text.begin; p < text.end;) {
        const int length = character_length(p, text.end, kind);
        if (length < 0) break;
        if (length > 1) {
            const uint8_t row = ranges.row[*p] == common && p[1] < ranges.min_common_trail ? static_cast<uint8_t>(rare) : ranges.row[*p];
            counts.common += row == common;
            counts.rare += row == rare;
            counts.joined += p == last;
            last = p + length;
        }
        counts.good += length > 1;
        counts.long_characters += length > 2;
        counts.bad += length == 0;
        p += length ? length : 1;
    }
    return counts;
}

}  // namespace webtongue
