// Where comments, scripts, sections, instructions and foreign elements end: found by search, not by a state machine's steps.
#pragma once

#include "markup/tags.hpp"

namespace webtongue {

inline Span tag_name(const Byte* p, const Byte* end) {
    const Byte* q = p;
    while (q < end && !ends_tag_name(*q)) ++q;
    return {p, q};
}

// Past the next `c`, or the end.
inline const Byte* past(const Byte* p, const Byte* end, Byte c) {
    p = find_byte(p, end, c);
    return p == end ? end : p + 1;
}

// First "</name" + delimiter at or after p, or the end.
const Byte* find_end_tag(const Byte* p, const Byte* end, Span name);
// The same of a script: inside a comment a nested <script> hides the next </script>.
const Byte* find_script_end(const Byte* p, const Byte* end);
// Past the `>` of a comment whose `<!--` ends at p.
const Byte* skip_comment(const Byte* p, const Byte* end);
// Past the next "?>", or the end.
const Byte* past_instruction(const Byte* p, const Byte* end);
// On the next "]]>", or the end.
const Byte* find_cdata_end(const Byte* p, const Byte* end);
// Through svg or math to its end, or to an HTML tag that breaks out of it.
const Byte* skip_foreign(const Byte* p, const Byte* end, Tag outer);

}  // namespace webtongue
