// Counts characters of the multi-byte encodings of East Asia, and bytes that are invalid in them.
#pragma once
#include "base/bytes.hpp"

namespace webtongue {

// Kinds of encodings by their numbers in the file of a byte model: single-byte, multi-byte, and those without a check here.
enum class EncodingKind : uint8_t { single, gb18030, big5, euc_jp, shift_jis, euc_kr, johab, euc_tw, other };

struct MultibyteCounts {
    uint64_t good = 0;  // characters of several bytes
    uint64_t long_characters = 0;  // characters of more than two bytes
    uint64_t bad = 0;  // bytes beyond ASCII that start no character
    uint64_t joined = 0;  // characters of several bytes right after another one; in Latin text such pairs are isolated
    uint64_t common = 0, rare = 0;  // characters in rows of common ones and in other rows; signs are neither
};

// Share of common characters, in 1024, that text and random bytes have alike.
constexpr uint64_t NEUTRAL_COMMON_SHARE = 717;

// True if bytes may belong to no character: some start none, or the characters are mostly uncommon, as after a byte too many.
inline bool may_have_strays(const MultibyteCounts& counts) {
    return counts.bad || counts.common * 1024 < (counts.common + counts.rare) * NEUTRAL_COMMON_SHARE;
}

// Returns the length of the character at p in bytes: 0 if there is none, -1 if the text ends inside it.
int character_length(const Byte* p, const Byte* end, EncodingKind kind);

// A sequence that the end of the text cuts is neither good nor bad.
MultibyteCounts check_multibyte(Span text, EncodingKind kind);

}  // namespace webtongue
