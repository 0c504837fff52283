// Words that mix look-alike letters of two scripts: typed in one script with letters of another, by habit or to deceive.
//
// Latin, Cyrillic and Greek share many letter shapes. A word is folded into a script if every letter belongs to it or looks like one of
// its letters. tests/twins/text/homoglyphs.py is the readable twin.
#pragma once

#include <cstdint>

namespace webtongue {

// The script group that a word of several scripts is meant to be in, or SCRIPT_COMMON if it cannot be in one ("ITшник", "webсайт").
// `letters` are as written, capitals included. If two groups are possible, `before`, the group of the previous word, is preferred,
// otherwise the one with more letters.
uint8_t find_intended_group(const char32_t* letters, int length, uint8_t before);

// True if every letter of a word belongs to `group` or looks like one of its letters.
bool can_fold(const char32_t* letters, int length, uint8_t group);

// Writes the letters in lower case into `word`, with letters of other groups replaced by their look-alikes in `group`.
void fold_word(const char32_t* letters, int length, uint8_t group, char32_t* word);

// The lower-case letter of a group that another letter looks like, or 0.
char32_t homoglyph(char32_t letter, uint8_t group);

}  // namespace webtongue
