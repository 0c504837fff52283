// Finds spans of UTF-8 in text of another encoding, as in pages that are assembled from several sources.
#pragma once

#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

// Evidence in hundredths of a nat: for well-formed sequences of two, three and four bytes against chance in the other encoding, for an
// isolated sequence of two bytes after an ASCII letter, against a byte in no sequence, and the minimal sum of a span.
struct Utf8Evidence {
    int32_t two, three, four, in_word, error, min_sum;
};

struct Utf8Span {
    size_t begin, end;
};

// Returns spans of whole runs of bytes beyond ASCII, in order. A span may contain errors that its sequences outweigh.
std::vector<Utf8Span> find_utf8_spans(Span text, const Utf8Evidence& evidence);

}  // namespace webtongue
