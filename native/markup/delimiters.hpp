// Finds the ends of comments, scripts, CDATA sections, processing instructions and foreign elements by search.
#pragma once

#include "markup/tags.hpp"

namespace webtongue {

inline Span tag_name(const Byte* p, const Byte* end) {
    const Byte* q = p;
    while (q < end && !ends_tag_name(*q)) ++q;
    return {p, q};
}

// Returns the position after the next `c`, or the end.
inline const Byte* skip_past(const Byte* p, const Byte* end, Byte c) {
    p = find_byte(p, end, c);
    return p == end ? end : p + 1;
}

// Returns the first "</name" with a delimiter after it, or the end.
const Byte* find_end_tag(const Byte* p, const Byte* end, Span name);
// Does the same for a script: inside a comment, a nested <script> hides the next </script>.
const Byte* find_script_end(const Byte* p, const Byte* end);
// Skips past the `>` of a comment whose `<!--` ends at p.
const Byte* skip_comment(const Byte* p, const Byte* end);
// Skips past the next "?>", or to the end.
const Byte* skip_instruction(const Byte* p, const Byte* end);
// Returns the position of the next "]]>", or the end.
const Byte* find_cdata_end(const Byte* p, const Byte* end);
// Skips svg or math to its end, or to an HTML tag that ends it.
const Byte* skip_foreign(const Byte* p, const Byte* end, Tag outer);

}  // namespace webtongue
