// Whether bytes can be text of a multi-byte encoding of East Asia.
#pragma once
#include "base/bytes.hpp"

namespace webtongue {

// Kinds of codings, as numbered in a byte model's file: one byte a character, several, or not known here.
enum class Coding : uint8_t { single, gb18030, big5, euc_jp, shift_jis, euc_kr, johab, euc_tw, other };

struct Validity {
    uint64_t good = 0;  // characters of several bytes
    uint64_t long_ones = 0;  // of more than two
    uint64_t bad = 0;   // bytes beyond ASCII that begin none
    uint64_t joined = 0;  // characters of several bytes right after another: in Latin text every such pair stands alone
    uint64_t common = 0, rare = 0;  // characters in the rows of the common ones, and in others; signs are neither
};

// A sequence cut by the end of the text is neither.
Validity check_multibyte(Span text, Coding coding);

}  // namespace webtongue
