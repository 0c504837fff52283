// Letters that stand for plain ones: full-width and half-width forms, presentation forms and ligatures, mathematical letters, and the
// letters of polytonic Greek.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

constexpr int kMaxFormLetters = 3;  // plain letters that one character stands for

// A fast test that excludes nearly all characters of the web.
inline bool may_be_form(char32_t c) {
    return c >= 0x1F00 && (c <= 0x1FFF || (c >= 0xFB00 && (c <= 0xFFDC || (c >= 0x1D400 && c <= 0x1D6A3))));
}

// Writes the plain letters that a character stands for and returns their number; 0 for a plain character.
int letters_of_form(char32_t c, char32_t* letters);

// The first plain letter of a character, or the character itself.
inline char32_t first_letter_of(char32_t c) {
    char32_t letters[kMaxFormLetters];
    return may_be_form(c) && letters_of_form(c, letters) ? letters[0] : c;
}

}  // namespace webtongue
