// The HTML standard's prescan of a byte stream to determine its encoding.
#pragma once

#include <algorithm>

#include "base/bytes.hpp"

namespace webtongue {

// The encoding labels that count, as sorted hashes (hash_lower).
struct Labels {
    const uint64_t* begin;
    const uint64_t* end;
    bool has(Span label) const { return std::binary_search(begin, end, hash_lower(label)); }
};

struct Prescan {
    Span label;        // what the page says, empty if nothing
    bool from_xml = false;
};

// Looks at the bytes given (callers pass the first 1,024). The label is as written: turning `utf-16` into `utf-8`
// and `x-user-defined` into `windows-1252` is for whoever knows the labels; `known` says which there are.
Prescan prescan(Span head, const Labels& known);

}  // namespace webtongue
