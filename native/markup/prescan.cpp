#include "markup/prescan.hpp"

#include "markup/attributes.hpp"
#include "markup/declarations.hpp"

namespace webtongue {
namespace {

// Returns the charset of a <meta> tag by the standard's algorithm.
Span meta_charset(AttributeReader& reader, const Labels& known) {
    bool pragma = false;
    int need_pragma = -1;  // not known yet
    Span charset;
    bool seen_equiv = false, seen_content = false, seen_charset = false;
    Attribute a;
    while (reader.next(a)) {
        if (!seen_equiv && equals_lower(a.name, "http-equiv")) {
            seen_equiv = true;
            pragma |= equals_lower(a.value, "content-type");
        } else if (!seen_content && equals_lower(a.name, "content")) {
            seen_content = true;
            const Span match = charset_in(a.value);
            if (!charset.begin && match.begin && known.has(match)) {
                charset = match;
                need_pragma = 1;
            }
        } else if (!seen_charset && equals_lower(a.name, "charset")) {
            seen_charset = true;
            charset = known.has(trim(a.value)) ? trim(a.value) : Span{};
            need_pragma = 0;
        }
    }
    if (need_pragma < 0 || (need_pragma && !pragma) || !reader.closed) return {};
    return charset;
}

const Byte* skip_comment_dashes(const Byte* p, const Byte* end) {
    // p is at "<!--", whose dashes may be those of "-->".
    for (const Byte* q = p + 4; q < end; ++q)
        if (*q == '>' && q[-1] == '-' && q[-2] == '-') return q + 1;
    return end;
}

// Returns the encoding of an XML declaration at the start, which the standard uses if no meta has one.
Span xml_encoding(Span head, const Labels& known) {
    if (!starts_lower(head.begin, head.end, "<?xml") || std::memcmp(head.begin, "<?xml", 5) != 0) return {};
    const Byte* stop = find_byte(head.begin, head.end, '>');
    if (stop == head.end) return {};
    const Byte* p = head.begin;
    while (p < stop && !(stop - p >= 8 && std::memcmp(p, "encoding", 8) == 0)) ++p;
    if (p == stop) return {};
    p += 8;
    while (p < stop && *p <= 0x20) ++p;
    if (p == stop || *p != '=') return {};
    ++p;
    while (p < stop && *p <= 0x20) ++p;
    if (p == stop || (*p != '"' && *p != '\'')) return {};
    const Byte* close = find_byte(p + 1, stop, *p);
    if (close == stop) return {};
    for (const Byte* q = p + 1; q < close; ++q)
        if (*q <= 0x20) return {};
    return known.has({p + 1, close}) ? Span{p + 1, close} : Span{};
}

}  // namespace

Prescan prescan(Span head, const Labels& known) {
    const Byte* p = head.begin;
    const Byte* end = head.end;
    for (; p < end; ++p) {
        if (*p != '<') continue;
        if (starts_lower(p, end, "<!--")) {
            p = skip_comment_dashes(p, end) - 1;
        } else if (starts_lower(p, end, "<meta") && p + 5 < end && (is_space(p[5]) || p[5] == '/')) {
            AttributeReader reader{p + 5, end};
            const Span label = meta_charset(reader, known);
            if (label.begin) return {label, false};
            p = reader.p - 1;
        } else if (end - p >= 2 && (is_alpha(p[1]) || (p[1] == '/' && end - p >= 3 && is_alpha(p[2])))) {
            const Byte* q = p + 1;
            while (q < end && !is_space(*q) && *q != '>') ++q;
            AttributeReader reader{q, end};
            reader.skip_all();
            p = reader.p - 1;
        } else if (end - p >= 2 && (p[1] == '!' || p[1] == '/' || p[1] == '?')) {
            p = find_byte(p, end, '>');
            if (p == end) break;
        }
    }
    return {xml_encoding(head, known), true};
}

}  // namespace webtongue
