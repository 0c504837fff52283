// Masks debris in running text: URLs, host names, e-mail addresses, handles, markup of plain-text formats, code spans and placeholders.
//
// Debris is not language. Its bytes are replaced by spaces, so that it counts neither for a language nor toward the share of junk, and
// all offsets stay the same. Line feeds are kept. tests/twins/text/debris.py is the readable twin.
#pragma once

#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

// Writes a copy of the text with debris masked and returns true, or returns false and writes nothing if there is none.
bool mask_debris(Span utf8_text, std::vector<Byte>& masked);

// Replaces a part of a text by spaces in its copy. Line feeds are kept.
void blank_out(Span text, Span part, std::vector<Byte>& copy);

namespace debris {

// A half-open range of debris around a trigger byte; empty if there is none.
struct Debris {
    const Byte* begin = nullptr;
    const Byte* end = nullptr;
    bool empty() const { return begin == end; }
};

// Each function returns the debris that a trigger byte is part of. They are defined in debris_addresses.cpp and debris_markup.cpp.
Debris find_url(Span text, const Byte* colon);
Debris find_host(Span text, const Byte* dot);
Debris find_mail_or_handle(Span text, const Byte* at_sign);
Debris find_code_span(Span text, const Byte* backtick);
Debris find_tag(Span text, const Byte* angle);
Debris find_entity(Span text, const Byte* ampersand);
Debris find_placeholder(Span text, const Byte* sign);  // % or {
Debris find_formula(Span text, const Byte* dollar);
Debris find_attribute(Span text, const Byte* equals);

// Debris of a bracket or a command: link targets, badges, wiki links, forum tags, TeX. It has two ranges, before and after its text.
struct BracketDebris {
    Debris first, second;
};
BracketDebris find_bracket(Span text, const Byte* bracket);
BracketDebris find_command(Span text, const Byte* backslash);

// The end of the URL that begins at `p`: at a space, a delimiter, or a script that is written without spaces.
const Byte* url_end(const Byte* p, const Byte* end);

}  // namespace debris
}  // namespace webtongue
