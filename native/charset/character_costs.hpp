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
constexpr int32_t COST_UNIT = 1024 / 8;        // in 1/1024 nats
constexpr uint8_t ILLEGAL_COST = 128, CUT_COST = 32;

// What a character of an encoding of East Asia is a step from or to.
enum class CostStep : uint8_t { ascii_letter, ascii_rest, several_bytes };

// Classes of characters, as numbered by the trainer (context.py): marks, and letters with odd numbers for capitals.
constexpr uint8_t kMark = 3, kFirstLetter = 16;

inline bool is_ascii_letter(Byte c) { return static_cast<Byte>((c | 0x20) - 'a') < 26; }
inline bool is_capital_kind(uint8_t kind) { return kind >= kFirstLetter && kind % 2; }
inline CostStep step_of(Byte c) { return is_ascii_letter(c) ? CostStep::ascii_letter : CostStep::ascii_rest; }

// The context of costs after a character beyond ASCII, by its class.
uint8_t after_high(uint8_t kind);
// The context of p, where a character of ASCII or none stands before it.
uint8_t after_ascii(Span text, const Byte* p, const uint8_t* letter_kinds);
// True for a context after a capital; the one after a small letter is one less.
bool is_capital_context(uint8_t context);

// Of an encoding with one byte per character; `letter_kinds` has the class of the character of each byte.
uint64_t single_byte_cost(Span text, const uint8_t* costs, const uint8_t* letter_kinds);

}  // namespace webtongue
