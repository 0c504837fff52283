// Links of a page that lead to other hosts or name a language: what tells of the pages they lead to.
#pragma once

#include <string>
#include <vector>

#include "markup/scan.hpp"

namespace webtongue {

constexpr size_t kMostOutlinks = 100;    // of a page: nine in ten have fewer than 40, and a directory or a farm says little of each
constexpr size_t kLongestOutlink = 2048;  // bytes of an address
constexpr size_t kLongestAnchor = 200;    // bytes of a link's words: more say no more
constexpr size_t kLongestHreflang = 35;   // bytes of a language's tag

struct Outlink {
    std::string url, anchor, hreflang;  // UTF-8
};

// Links with a whole address of http or https, on another host than `host` (in lower case) or with a language; each address once, without
// its fragment. `source` is what was scanned.
std::vector<Outlink> outlinks(const Scan& scan, Span source, Span host);

}  // namespace webtongue
