// Tells blocks of running text from names and codes by their words, whatever the language.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

enum class BlockStyle : uint8_t {
    running,   // has words next to each other, as sentences have, or letters without case
    fragment,  // neither running text nor one of the following
    names,     // two or more capitalised words, with single small words between them
    codes,     // file names, identifiers and numbers, with fewer words; a price is a fragment
};

// Classifies the text of a block. A long block is running text. tests/twins/text/block_style.py is the readable twin.
BlockStyle style_of(Span utf8_block);

}  // namespace webtongue
