// Unicode encodings: checking and repairing UTF-8, and what is turned into UTF-8 before it is scanned.
#pragma once

#include <string>

#include "base/bytes.hpp"

namespace webtongue {

struct Utf8Check {
    size_t errors = 0;      // ill-formed sequences, as the WHATWG decoder counts them
    size_t multibyte = 0;   // well-formed characters beyond ASCII
    size_t first_error = 0;  // offset, or the size when there is none
};

// Text with `give_up` errors, and more of them than good characters, is not looked at further: it is not in UTF-8.
Utf8Check check_utf8(Span s, size_t give_up = SIZE_MAX);

// Every ill-formed sequence becomes U+FFFD.
std::string repair_utf8(Span s);

enum class Wide { utf16le, utf16be, utf32le, utf32be };

// How many bytes of UTF-8 a text makes, and the text itself into a buffer of that size.
size_t wide_to_utf8_size(Span s, Wide from);
void wide_to_utf8(Span s, Wide from, Byte* out);

}  // namespace webtongue
