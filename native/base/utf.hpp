// Validation of UTF-8.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

struct Utf8Check {
    size_t errors = 0;  // invalid sequences, as the WHATWG decoder counts them
    size_t multibyte = 0;  // valid characters beyond ASCII
};

constexpr size_t kMaxUtf8Errors = 256;  // after this many errors, a text with more errors than valid characters is not UTF-8

// Stops after `give_up` errors if they outnumber the valid characters: such text is not UTF-8.
Utf8Check check_utf8(Span s, size_t give_up = SIZE_MAX);

}  // namespace webtongue
