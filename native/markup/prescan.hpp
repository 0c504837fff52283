// The prescan of the HTML standard, which determines the encoding of a byte stream.
#pragma once

#include <algorithm>

#include "base/bytes.hpp"

namespace webtongue {

// The known encoding labels, as sorted hashes (hash_lower).
struct Labels {
    const uint64_t* begin;
    const uint64_t* end;
    bool has(Span label) const { return std::binary_search(begin, end, hash_lower(label)); }
};

struct Prescan {
    Span label;  // the declared label, empty if there is none
    bool from_xml = false;
};

// Prescans bytes (callers pass the first 1,024). The label is returned as written: the caller resolves it, and maps `utf-16` to `utf-8`
// and `x-user-defined` to `windows-1252`.
Prescan prescan(Span head, const Labels& known);

}  // namespace webtongue
