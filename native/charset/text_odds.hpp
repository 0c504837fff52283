// How much likelier bytes are as text of an encoding than as random bytes, by the costs of characters.
//
// Some encodings assign a letter to every byte, so that random bytes are never invalid in them; but they are an unlikely sequence of
// letters. In an encoding of East Asia, a stray byte shifts the boundaries of all characters up to the next one of ASCII. The likeliest
// division into characters is found there, which may leave single bytes out.
#pragma once
#include <vector>

#include "charset/multibyte.hpp"

namespace webtongue {

// The tables of an encoding with one byte per character: costs of bytes, classes and small letters of the characters of all bytes.
struct SingleByteCosts {
    const uint8_t* costs;
    const uint8_t* letter_kinds;
    const uint16_t* letters;
};

// Returns log-odds in units of costs. Words in capitals count like words in small letters.
int64_t single_byte_odds(Span text, const SingleByteCosts& tables);

// The costs of an encoding of East Asia.
struct MultibyteCosts {
    EncodingKind kind;
    const uint8_t* pairs;
    const uint8_t* steps;
};

// The likeliest division of a text into characters, with its cost and log-odds in units of costs.
struct Division {
    uint64_t cost = 0;
    int64_t odds = 0;
    std::vector<size_t> strays;  // offsets of bytes that belong to no character
};
Division divide_characters(Span text, const MultibyteCosts& tables);

}  // namespace webtongue
