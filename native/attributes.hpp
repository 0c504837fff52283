// The attributes of one tag, read as browsers read them.
#pragma once

#include "bytes.hpp"

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
        while (next(ignored)) {
        }
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

}  // namespace webtongue
