#include "markup/entities.hpp"

#include <algorithm>
#include <array>

namespace webtongue {
namespace {

struct NamedEntity {
    const char* name;  // with its semicolon, if it has one
    uint8_t length;
    char32_t first, second;
};

constexpr NamedEntity kEntities[] = {
#include "tables/entities.inc"
};
constexpr size_t kEntityCount = sizeof(kEntities) / sizeof(kEntities[0]);
constexpr size_t kMaxNameBytes = 32;      // "CounterClockwiseContourIntegral;"
constexpr size_t kMaxBareNameBytes = 6;   // "Aacute": the longest name that may lack the semicolon
constexpr char32_t kReplacement = 0xFFFD;

// The code points of the numeric references 0x80-0x9F, which browsers decode as windows-1252.
constexpr char32_t kWindows1252[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
                                       0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
                                       0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

// The first index in the sorted table for every first byte, so that a search compares some 40 names, not 2,231.
struct Index {
    std::array<uint16_t, 129> first{};
    Index() {
        for (size_t i = 0, c = 0; c <= 128; ++c) {
            while (i < kEntityCount && static_cast<Byte>(kEntities[i].name[0]) < c) ++i;
            first[c] = static_cast<uint16_t>(i);
        }
    }
};
const Index kIndex;

const NamedEntity* find_name(const Byte* p, size_t n) {
    if (*p >= 128) return nullptr;
    const NamedEntity* low = kEntities + kIndex.first[*p];
    const NamedEntity* high = kEntities + kIndex.first[*p + 1];
    while (low < high) {
        const NamedEntity* mid = low + (high - low) / 2;
        int order = std::memcmp(mid->name, p, std::min<size_t>(mid->length, n));
        if (order == 0) order = mid->length < n ? -1 : mid->length > n;
        if (order == 0) return mid;
        if (order < 0) low = mid + 1;
        else high = mid;
    }
    return nullptr;
}

Reference from_name(const NamedEntity* match, size_t consumed) {
    Reference r;
    r.points[0] = match->first;
    r.points[1] = match->second;
    r.count = match->second ? 2 : 1;
    r.length = consumed;
    return r;
}

// True for noncharacters and control codes, which are dropped as in Python's html.unescape.
bool is_invalid(char32_t c) {
    return (c >= 0x1 && c <= 0x8) || c == 0xB || (c >= 0xE && c <= 0x1F) || (c >= 0x7F && c <= 0x9F) || (c >= 0xFDD0 && c <= 0xFDEF) ||
           (c & 0xFFFE) == 0xFFFE;
}

Reference read_number(const Byte* p, const Byte* end) {
    const Byte* q = p + 2;
    const bool hex = q < end && (*q | 0x20) == 'x';
    if (hex) ++q;
    const Byte* digits = q;
    char32_t value = 0;
    for (; q < end; ++q) {
        const int digit = hex ? hex_value(*q) : (is_digit(*q) ? *q - '0' : -1);
        if (digit < 0) break;
        if (value < 0x110000) value = value * (hex ? 16 : 10) + static_cast<char32_t>(digit);
    }
    Reference r;
    if (q == digits) return r;
    if (q < end && *q == ';') ++q;
    r.length = static_cast<size_t>(q - p);
    r.count = 1;
    if (value == 0 || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) r.points[0] = kReplacement;
    else if (value == 0x0D) r.points[0] = 0x0D;
    else if (value >= 0x80 && value <= 0x9F) r.points[0] = kWindows1252[value - 0x80];
    else if (is_invalid(value)) r.count = 0;
    else r.points[0] = value;
    return r;
}

}  // namespace

Reference read_reference(const Byte* p, const Byte* end, bool in_attribute) {
    if (end - p < 3) return {};
    if (p[1] == '#') return read_number(p, end);
    const Byte* name = p + 1;
    const Byte* q = name;
    const Byte* limit = end - name > static_cast<ptrdiff_t>(kMaxNameBytes) ? name + kMaxNameBytes : end;
    while (q < limit && is_alnum(*q)) ++q;
    if (q == name) return {};
    if (q < end && *q == ';')
        if (const NamedEntity* match = find_name(name, static_cast<size_t>(q + 1 - name)))
            return from_name(match, static_cast<size_t>(q + 1 - p));
    for (size_t n = std::min<size_t>(static_cast<size_t>(q - name), kMaxBareNameBytes); n >= 2; --n) {
        const NamedEntity* match = find_name(name, n);
        if (!match) continue;
        const Byte* after = name + n;
        if (in_attribute && after < end && (*after == '=' || is_alnum(*after))) return {};
        return from_name(match, n + 1);
    }
    return {};
}

std::string unescape(Span s, bool in_attribute) {
    std::string out;
    out.reserve(s.size());
    const Byte* p = s.begin;
    while (p < s.end) {
        const Byte* amp = find_byte(p, s.end, '&');
        out.append(reinterpret_cast<const char*>(p), static_cast<size_t>(amp - p));
        if (amp == s.end) break;
        const Reference r = read_reference(amp, s.end, in_attribute);
        if (r.length == 0) out.push_back('&');
        Byte buffer[8];
        Byte* stop = buffer;
        for (int i = 0; i < r.count; ++i) stop = put_utf8(stop, r.points[i]);
        out.append(reinterpret_cast<const char*>(buffer), static_cast<size_t>(stop - buffer));
        p = amp + (r.length ? r.length : 1);
    }
    return out;
}

}  // namespace webtongue
