// Unicode encodings: checking and repairing UTF-8, and what is turned into UTF-8 before it is scanned.
#pragma once

#include <string>

#include "bytes.hpp"

namespace webtongue {

struct Utf8Check {
    size_t errors = 0;      // ill-formed sequences, as the WHATWG decoder counts them
    size_t multibyte = 0;   // well-formed characters beyond ASCII
    size_t first_error = 0;  // offset, or the size when there is none
};

Utf8Check check_utf8(Span s);

// Every ill-formed sequence becomes U+FFFD.
std::string repair_utf8(Span s);

std::string utf16_to_utf8(Span s, bool big_endian);
std::string utf32_to_utf8(Span s, bool big_endian);

// `high` gives the code point of each byte from 0x80 on.
std::string single_byte_to_utf8(Span s, const uint16_t high[128]);

}  // namespace webtongue
