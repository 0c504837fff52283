// A quick check of a page's bytes for wide encodings, stateful encodings and binary data.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

struct Probe {
    uint32_t head = 0;         // bytes that are counted below; a run of NULs as padding is one
    uint32_t nuls[4] = {};     // NUL bytes of the head, by offset modulo four
    uint32_t controls = 0;     // control bytes of the head that do not occur in text, including NUL
    bool escape = false;       // an ESC anywhere
    bool tilde_brace = false;  // "~{", the shift of HZ, early in the page
    bool plus = false;         // the page is ASCII, and every plus sign near its start may be a shift of UTF-7
    bool wide_mark = false;    // a byte order mark of UTF-16 or UTF-32

    // True if the page may be in an encoding that cannot be scanned as bytes; charset/stateful.py and markup/sniff.py decide.
    bool may_hide_markup() const { return controls || escape || tilde_brace || plus || wide_mark; }
};

Probe probe(Span page);

}  // namespace webtongue
