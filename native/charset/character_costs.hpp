// How unlikely the characters of a short text are in an encoding: negative log-probabilities of each character after the one before it.
//
// A sum of n-grams needs some text to be sure. The probability of characters in the languages of an encoding tells a few of them apart:
// Thai that is decoded as GBK gives hanzi that nobody uses. ASCII is the same in all encodings and counts only right after another
// character.
#pragma once
#include "charset/multibyte.hpp"

namespace webtongue {

constexpr size_t COST_CONTEXTS = 6;            // kinds of the byte before
constexpr size_t COST_SYMBOLS = 128 + 2;       // bytes beyond ASCII, letters of ASCII, the rest of ASCII
constexpr size_t COST_STEPS = 3 * 3;           // from and to: letters of ASCII, the rest of ASCII, characters of several bytes
constexpr size_t PAIR_COSTS = 128 * 256;       // by both bytes; in the column of NUL, characters of other lengths by their first byte
constexpr int32_t COST_UNIT = 1024 / 8;        // of 1/1024 nats
constexpr uint8_t ILLEGAL_COST = 128, CUT_COST = 32;

// Of an encoding with one byte per character; `letter_kinds` has the class of the character of each byte.
uint64_t single_byte_cost(Span text, const uint8_t* costs, const uint8_t* letter_kinds);

// Of an encoding of East Asia.
uint64_t multibyte_cost(Span text, EncodingKind kind, const uint8_t* pairs, const uint8_t* steps);

}  // namespace webtongue
