#include "markup/delimiters.hpp"

#include "markup/attributes.hpp"

namespace webtongue {
namespace {

// Returns the end of a script with `<!--`: inside such a comment, a nested <script> hides the next </script>.
const Byte* find_escaped_script_end(const Byte* p, const Byte* end) {
    bool commented = false, nested = false;
    const auto named = [end](const Byte* q) { return starts_lower(q, end, "script") && q + 6 < end && ends_tag_name(q[6]); };
    for (; p < end; ++p) {
        if (*p == '<') {
            if (end - p >= 4 && p[1] == '!' && p[2] == '-' && p[3] == '-' && !commented) {
                commented = true;
                p += 1;  // "<!-->" is a whole comment
            } else if (p + 1 < end && p[1] == '/' && named(p + 2)) {
                if (!nested) return p;
                nested = false;
            } else if (commented && !nested && named(p + 1)) {
                nested = true;
            }
        } else if (commented && *p == '-' && end - p >= 3 && p[1] == '-' && p[2] == '>') {
            commented = nested = false;
        }
    }
    return end;
}

// Skips a comment or CDATA section inside svg or math whose `<!` is at p.
const Byte* skip_foreign_declaration(const Byte* p, const Byte* end) {
    const Byte* q = p + 2;
    if (end - q >= 2 && q[0] == '-' && q[1] == '-') return skip_comment(q + 2, end);
    if (!starts_lower(q, end, "[cdata[")) return skip_past(q, end, '>');
    q = find_cdata_end(q + 7, end);
    return q == end ? end : q + 3;
}

}  // namespace

const Byte* find_end_tag(const Byte* p, const Byte* end, Span name) {
    const size_t need = name.size() + 2;
    while (static_cast<size_t>(end - p) > need) {
        p = find_byte(p, end, '<');
        if (static_cast<size_t>(end - p) <= need) return end;
        if (p[1] == '/' && ends_tag_name(p[need])) {
            size_t i = 0;
            while (i < name.size() && lower(p[2 + i]) == lower(name.begin[i])) ++i;
            if (i == name.size()) return p;
        }
        ++p;
    }
    return end;
}

const Byte* find_script_end(const Byte* p, const Byte* end) {
    static const char kName[] = "script";
    const Byte* name = reinterpret_cast<const Byte*>(kName);
    const Byte* close = find_end_tag(p, end, {name, name + 6});
    for (const Byte* q = p; (q = find_byte(q, close, '<')) != close; ++q)
        if (close - q >= 4 && q[1] == '!' && q[2] == '-' && q[3] == '-') return find_escaped_script_end(p, end);
    return close;
}

const Byte* skip_comment(const Byte* p, const Byte* end) {
    if (p < end && *p == '>') return p + 1;
    if (end - p >= 2 && p[0] == '-' && p[1] == '>') return p + 2;
    for (const Byte* q = p; (q = find_byte(q, end, '>')) != end; ++q) {
        if (q - p >= 2 && q[-1] == '-' && q[-2] == '-') return q + 1;
        if (q - p >= 3 && q[-1] == '!' && q[-2] == '-' && q[-3] == '-') return q + 1;
    }
    return end;
}

const Byte* skip_instruction(const Byte* p, const Byte* end) {
    for (const Byte* q = p; (q = find_byte(q, end, '>')) != end; ++q)
        if (q > p && q[-1] == '?') return q + 1;
    return end;
}

const Byte* find_cdata_end(const Byte* p, const Byte* end) {
    for (const Byte* q = p; (q = find_byte(q, end, '>')) != end; ++q)
        if (q - p >= 2 && q[-1] == ']' && q[-2] == ']') return q - 2;
    return end;
}

const Byte* skip_foreign(const Byte* p, const Byte* end, Tag outer) {
    size_t depth = 1, islands = 0;  // islands are elements that may contain HTML
    while (p < end && depth) {
        p = find_byte(p, end, '<');
        if (end - p < 2) break;
        const bool closing = p[1] == '/';
        if (p[1] == '!') {
            p = skip_foreign_declaration(p, end);
            continue;
        }
        const Byte* name_at = p + 1 + closing;
        if (name_at == end || !is_alpha(*name_at)) {
            ++p;
            continue;
        }
        const Span name = tag_name(name_at, end);
        const Tag tag = find_tag(name, end);
        if (!islands && tag.flags & (closing ? kBreak | kBreakout : kBreakout)) break;
        AttributeReader reader{name.end, end};
        reader.skip_all();
        p = reader.p;
        const int step = closing ? -1 : reader.self_closing ? 0 : 1;
        if (tag.id == outer.id) depth += step;
        else if (tag.id == kTagForeignObject || tag.id == kTagDesc || tag.id == kTagTitle) {
            if (step > 0 || islands) islands += step;
        }
    }
    return depth && end - p < 2 ? end : p;
}

}  // namespace webtongue
