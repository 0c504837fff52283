// HTML element names and their properties for the scanner.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

enum TagFlag : uint32_t {
    kBreak = 1 << 0,        // starts and ends a block of text
    kVoid = 1 << 1,         // has no content
    kSkip = 1 << 2,         // content is raw and never shown; it is skipped by search
    kShow = 1 << 3,         // content is raw and shown (xmp)
    kForeign = 1 << 4,      // svg, math
    kHidden = 1 << 5,       // parsed, but its text is ignored (template)
    kBarrier = 1 << 6,      // an end tag does not close elements beyond it (table cells and similar)
    kList = 1 << 7,         // a list: an `li` inside does not close an `li` outside
    kClosesP = 1 << 8,      // its start tag closes an open paragraph
    kHeading = 1 << 9,
    kItem = 1 << 10,
    kNavigation = 1 << 11,
    kBreakout = 1 << 12,    // ends svg or math inside which it occurs
    kUnknown = 1 << 13,
};

enum TagId : uint8_t {
    kTagOther = 0,
    kTagA,
    kTagArea,
    kTagBase,
    kTagBody,
    kTagDd,
    kTagDt,
    kTagHtml,
    kTagImg,
    kTagInput,
    kTagLi,
    kTagLink,
    kTagMath,
    kTagMeta,
    kTagOption,
    kTagOptgroup,
    kTagP,
    kTagPlaintext,
    kTagScript,
    kTagSvg,
    kTagTable,
    kTagTbody,
    kTagTd,
    kTagTh,
    kTagTr,
    kTagTemplate,
    kTagTitle,
    kTagForeignObject,
    kTagDesc,
    kTagNamed,
    // Further names get numbers from kTagNamed; unknown names share the last 64.
};
constexpr int kUnknownIds = 64;

struct Tag {
    uint8_t id = 0;
    uint32_t flags = 0;
};

// Looks up a name without regard to case. Unknown names share some ids by hash, so that unknown elements still nest with themselves.
// `page_end` bounds how far past the name may be read.
Tag find_tag(Span name, const Byte* page_end);

}  // namespace webtongue
