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
    kNotice = 1 << 5,     // what a server or a tool writes on its own pages; common as well
    kConsent = 1 << 6,    // speaks of cookies: it may be a banner
};

// Strings that pages of every language have, and notices of servers, whatever their case, spaces, digits and signs.
class CommonStrings {
public:
    CommonStrings(const std::vector<std::string>& strings, const std::vector<std::string>& notices);
    uint8_t flags(Span text) const;  // of Noise, 0 where it is neither

private:
    void add(const std::vector<std::string>& strings, std::vector<uint64_t>& hashes);

    std::vector<uint64_t> common_, notices_;  // hashes, sorted
    std::bitset<65536> starts_;               // how they start: most text is ruled out by that
};

// Sets Block::flags.
void mark_noise(Span text, std::vector<Block>& blocks, const CommonStrings& common);

}  // namespace webtongue
