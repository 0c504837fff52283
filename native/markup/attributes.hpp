// Parses the attributes of a tag as browsers do.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

struct Attribute {
    Span name, value;
};

// Iterates over the attributes after a tag's name. When next() returns false, `p` is past the `>` (closed) or at the end of the page (not
// closed: browsers drop such a tag).
struct AttributeReader {
    const Byte* p;
    const Byte* end;
    bool closed = false;
    bool self_closing = false;

    bool next(Attribute& attribute) {
        self_closing = false;
        for (;; ++p) {
            if (p == end) return false;
            if (*p == '>') {
                ++p;
                closed = true;
                return false;
            }
            if (*p == '/') self_closing = p + 1 < end && p[1] == '>';
            else if (!is_space(*p)) break;
        }
        attribute.name.begin = p++;  // a leading `=` belongs to the name
        while (p < end && !ends_name(*p)) ++p;
        attribute.name.end = p;
        const Byte* q = p;
        while (q < end && is_space(*q)) ++q;
        attribute.value = {q, q};
        if (q == end || *q != '=') {
            p = q;
            return true;
        }
        ++q;
        while (q < end && is_space(*q)) ++q;
        read_value(q, attribute);
        return true;
    }

    void skip_all() {
        Attribute ignored;
        while (next(ignored)) {}
    }

private:
    void read_value(const Byte* q, Attribute& attribute) {
        if (q < end && (*q == '"' || *q == '\'')) {
            const Byte* close = find_byte(q + 1, end, *q);
            attribute.value = {q + 1, close};
            p = close == end ? end : close + 1;
            return;
        }
        attribute.value.begin = q;
        while (q < end && !ends_value(*q)) ++q;
        attribute.value.end = q;
        p = q;
    }
};

// Skips past the `>` of a tag whose attributes are not needed, sixteen bytes at a time if their values are quoted. Returns null if a
// language may be among them or if anything is unusual; AttributeReader must then parse them.
inline const Byte* skip_attributes(const Byte* p, const Byte* end) {
#ifdef WEBTONGUE_SSE2
    const auto load = [](const Byte* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); };
    const auto where = [](__m128i bytes, char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
    const auto bits = [](__m128i mask) { return static_cast<unsigned>(_mm_movemask_epi8(mask)); };
    const __m128i small = _mm_set1_epi8(0x20);
    const Byte* start = p;  // end of the last value
    bool equals = false, several = false;  // one or several `=` since then
    while (end - p >= 32) {
        const __m128i chunk = load(p);
        const unsigned ends = bits(_mm_or_si128(where(chunk, '>'), _mm_or_si128(where(chunk, '"'), where(chunk, '\''))));
        const unsigned before = ends ? (ends & (0u - ends)) - 1 : 0xFFFF;
        const unsigned lang = bits(_mm_and_si128(where(_mm_or_si128(chunk, small), 'l'), where(_mm_or_si128(load(p + 3), small), 'g')));
        const unsigned signs = bits(where(chunk, '=')) & before;
        if (lang & before) return nullptr;
        several |= signs && (equals || signs & (signs - 1));
        equals |= signs != 0;
        if (!ends) {
            p += 16;
            continue;
        }
        const Byte* q = p + lowest_bit(ends);
        if (*q == '>') return q[-1] == '/' ? nullptr : q + 1;
        if (several || q - start < 2 || q[-1] != '=' || q[-2] == '/' || is_space(q[-2])) return nullptr;
        p = find_byte(q + 1, end, *q);
        if (p == end) return nullptr;
        start = ++p;
        equals = false;
    }
#else
    static_cast<void>(p);
    static_cast<void>(end);
#endif
    return nullptr;
}

}  // namespace webtongue
