// HTML character references, from bytes to code points.
#pragma once

#include <string>

#include "base/bytes.hpp"
#include "base/utf8.hpp"

namespace webtongue {

// What one reference stands for: up to two code points, and how many bytes it took (0: not a reference).
struct Reference {
    char32_t points[2] = {0, 0};
    int count = 0;
    size_t length = 0;
};

// Read the reference that starts at `p`, which is on the `&`. Inside attribute values a name without its
// semicolon does not count when `=` or a letter or digit follows (`?a=1&copy=2`).
Reference read_reference(const Byte* p, const Byte* end, bool in_attribute);

// Replace every reference in `s` by UTF-8; all other bytes pass as they are.
std::string unescape(Span s, bool in_attribute);

}  // namespace webtongue
