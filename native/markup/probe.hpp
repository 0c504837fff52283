// A first look at a page's bytes: what tells wide encodings, shifting encodings and binary data from text.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

struct Probe {
    uint32_t head = 0;         // bytes counted below
    uint32_t nuls[4] = {};     // NUL bytes of the head, by offset modulo four
    uint32_t controls = 0;     // control bytes of the head that no text has, NUL among them
    bool escape = false;       // an ESC anywhere
    bool tilde_brace = false;  // the shift of HZ, "~{", early in the page
    bool plus = false;         // ASCII, and every plus sign of its beginning may be one that shifts in UTF-7
    bool wide_mark = false;    // a byte order mark of UTF-16 or UTF-32

    // Whether the page may be in an encoding that cannot be scanned as it is; encodings/escapes.py and markup/sniff.py look closer.
    bool may_hide_markup() const { return controls || escape || tilde_brace || plus || wide_mark; }
};

Probe probe(Span page);

}  // namespace webtongue
