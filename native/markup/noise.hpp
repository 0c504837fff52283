// What in a page's text says little of its language: marked block by block, never removed.
#pragma once

#include <bitset>
#include <string>
#include <vector>

#include "markup/scan.hpp"

namespace webtongue {

enum Noise : uint8_t {
    kNumbers = 1 << 0,    // digits and no letter
    kSymbols = 1 << 1,    // neither letter nor digit
    kCommon = 1 << 2,     // a string that pages of every language have
    kRepeated = 1 << 3,   // the same text was a block before
    kDamaged = 1 << 4,    // characters lost: U+FFFD, or question marks where letters were
};

// Strings that pages of every language have, whatever their case, spaces and signs.
class CommonStrings {
public:
    explicit CommonStrings(const std::vector<std::string>& strings);
    bool has(Span text) const;

private:
    std::vector<uint64_t> hashes_;  // sorted
    std::bitset<65536> starts_;     // how they start: most text is ruled out by that
};

// Sets Block::flags.
void mark_noise(Span text, std::vector<Block>& blocks, const CommonStrings& common);

}  // namespace webtongue
