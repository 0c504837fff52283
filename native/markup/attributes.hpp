// The attributes of one tag, read as browsers read them.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

struct Attribute {
    Span name, value;
};

// Walks the attributes after a tag's name. When next() says false, `p` is past the `>` (closed) or at the end
// of the page (not closed: browsers drop such a tag).
struct AttributeReader {
    const Byte* p;
    const Byte* end;
    bool closed = false;
    bool self_closing = false;

    bool next(Attribute& out) {
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
        out.name.begin = p++;  // a leading `=` belongs to the name
        while (p < end && !ends_name(*p)) ++p;
        out.name.end = p;
        const Byte* q = p;
        while (q < end && is_space(*q)) ++q;
        out.value = {q, q};
        if (q == end || *q != '=') {
            p = q;
            return true;
        }
        ++q;
        while (q < end && is_space(*q)) ++q;
        read_value(q, out);
        return true;
    }

    void skip_all() {
        Attribute ignored;
        while (next(ignored)) {}
    }

private:
    void read_value(const Byte* q, Attribute& out) {
        if (q < end && (*q == '"' || *q == '\'')) {
            const Byte* close = find_byte(q + 1, end, *q);
            out.value = {q + 1, close};
            p = close == end ? end : close + 1;
            return;
        }
        out.value.begin = q;
        while (q < end && !ends_value(*q)) ++q;
        out.value.end = q;
        p = q;
    }
};

// Past the `>` of a tag whose attributes after p do not matter: those with quoted values go by in steps of sixteen bytes. Null
// where a language may be among them or anything is out of the ordinary: AttributeReader then says what it is.
inline const Byte* skip_attributes(const Byte* p, const Byte* end) {
#if defined(__SSE2__)
    const auto load = [](const Byte* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); };
    const auto where = [](__m128i bytes, char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
    const auto bits = [](__m128i mask) { return static_cast<unsigned>(_mm_movemask_epi8(mask)); };
    const __m128i small = _mm_set1_epi8(0x20);
    const Byte* start = p;  // of what stands before the next value
    bool equals = false, several = false;  // signs of equality there
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
        const Byte* q = p + __builtin_ctz(ends);
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
