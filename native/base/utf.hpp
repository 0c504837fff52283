// Whether text is UTF-8.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

struct Utf8Check {
    size_t errors = 0;      // ill-formed sequences, as the WHATWG decoder counts them
    size_t multibyte = 0;   // well-formed characters beyond ASCII
    size_t first_error = 0;  // offset, or the size when there is none
};

constexpr size_t kGiveUp = 256;  // ill-formed sequences after which a text that has more of them than others is not in UTF-8

// Text with `give_up` errors, and more of them than good characters, is not looked at further: it is not in UTF-8.
Utf8Check check_utf8(Span s, size_t give_up = SIZE_MAX);

}  // namespace webtongue
