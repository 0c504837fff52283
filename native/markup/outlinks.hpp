// Links of a page to other hosts or with a language: evidence for the pages that they lead to.
#pragma once

#include <string>
#include <vector>

#include "markup/scan.hpp"

namespace webtongue {

constexpr size_t kMaxOutlinks = 100;  // per page: nine pages in ten have fewer than 40; more are a directory or a link farm
constexpr size_t kMaxOutlinkBytes = 2048;
constexpr size_t kMaxAnchorBytes = 200;  // more text adds no information
constexpr size_t kMaxHreflangBytes = 35;

struct Outlink {
    std::string url, anchor, hreflang;  // UTF-8
};

// Returns links with an absolute http or https URL to another host than `host` (in lower case) or with a language; each URL once, without
// its fragment. `source` is the scanned page.
std::vector<Outlink> outlinks(const Scan& scan, Span source, Span host);

}  // namespace webtongue
