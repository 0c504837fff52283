// Words that mix letters of two scripts which look alike: typed in one script with letters of another, out of habit or to deceive.
//
// Latin, Cyrillic and Greek share many shapes. A word is folded to a script if every letter is of it or looks like one of its own;
// tests/twins/text/features.py has the readable twin.
#pragma once

#include <cstdint>

namespace webtongue {

// The script group that a word of several is meant in, SCRIPT_COMMON where it cannot be in one ("ITшник", "webсайт"). `letters` are as
// written, capitals too; of two that would do it is `before`, the group of the word before, or else the one with more letters.
uint8_t group_meant(const char32_t* letters, int length, uint8_t before);

// Whether a word of one group can be read as one of another.
bool can_be_in(const char32_t* letters, int length, uint8_t group);

// Writes the letters in lower case, those of other groups as the ones of `group` that they look like.
void fold_into(const char32_t* letters, int length, uint8_t group, char32_t* word);

// The letter of a group that another looks like, in lower case, 0 where there is none.
char32_t homoglyph(char32_t letter, uint8_t group);

}  // namespace webtongue
