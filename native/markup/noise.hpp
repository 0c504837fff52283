// Marks blocks of a page that carry little information about its language.
#pragma once

#include <bitset>
#include <string>
#include <vector>

#include "markup/consent.hpp"
#include "markup/scan.hpp"

namespace webtongue {

enum Noise : uint8_t {
    kNumbers = 1 << 0,    // digits and no letter
    kSymbols = 1 << 1,    // neither letter nor digit
    kCommon = 1 << 2,     // a string that occurs on pages of every language
    kRepeated = 1 << 3,   // an earlier block has the same text
    kDamaged = 1 << 4,    // lost characters: U+FFFD, or question marks in place of letters
    kNotice = 1 << 5,     // a message of a server or tool; common as well
    kConsent = 1 << 6,    // a consent banner or one of its buttons
};

// Strings that occur on pages of every language, and notices of servers; case, spaces, digits and signs are ignored.
class CommonStrings {
public:
    CommonStrings(const std::vector<std::string>& strings, const std::vector<std::string>& notices, ConsentWords consent = {});
    uint8_t flags(Span text) const;  // flags of Noise, 0 for other text
    const ConsentWords& consent() const { return consent_; }

private:
    void add(const std::vector<std::string>& strings, std::vector<uint64_t>& hashes);

    std::vector<uint64_t> common_, notices_;  // hashes, sorted
    std::bitset<65536> starts_;               // hashes of the first four bytes of all strings, which exclude most text
    ConsentWords consent_;
};

// Sets Block::flags.
void mark_noise(Span text, std::vector<Block>& blocks, const CommonStrings& common);

}  // namespace webtongue
