// Letters that stand for plain ones: full-width and half-width forms, presentation forms and ligatures, mathematical letters, and the
// letters of polytonic Greek.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

constexpr int kMostLetters = 3;  // that a form stands for

// A test that nearly all characters of the web fail.
inline bool may_be_form(char32_t c) {
    return c >= 0x1F00 && (c <= 0x1FFF || (c >= 0xFB00 && (c <= 0xFFDC || (c >= 0x1D400 && c <= 0x1D6A3))));
}

// The letters that a character stands for, and how many they are: none for one that stands for itself.
int letters_of_form(char32_t c, char32_t* letters);

// The first of them, or the character.
inline char32_t first_letter_of(char32_t c) {
    char32_t letters[kMostLetters];
    return may_be_form(c) && letters_of_form(c, letters) ? letters[0] : c;
}

}  // namespace webtongue
