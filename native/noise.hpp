// What in a page's text says little of its language: marked block by block, never removed.
#pragma once

#include <vector>

#include "scan.hpp"

namespace webtongue {

enum Noise : uint8_t {
    kNumbers = 1 << 0,    // digits and no letter
    kSymbols = 1 << 1,    // neither letter nor digit
    kCommon = 1 << 2,     // a string that pages of every language have
    kRepeated = 1 << 3,   // the same text was a block before
    kDamaged = 1 << 4,    // characters lost: U+FFFD, or question marks where letters were
};

// Sets Block::flags. `common` holds the sorted hashes (hash_folded) of the common strings.
void mark_noise(Span text, std::vector<Block>& blocks, const uint64_t* common, size_t common_count);

// Hash of a text's letters and digits, ASCII case and everything else ignored: "Home Page!" equals "home page".
uint64_t hash_folded(Span text);

}  // namespace webtongue
