#include "text/greek.hpp"

#include <string_view>

namespace webtongue {
namespace {

// Vowels with an accent and, in the same order, without. A diaeresis stays: it makes a syllable of its own.
constexpr std::u32string_view kAccented = U"\u03AC\u03AD\u03AE\u03AF\u03CC\u03CD\u03CE\u0390\u03B0";
constexpr std::u32string_view kPlain = U"\u03B1\u03B5\u03B7\u03B9\u03BF\u03C5\u03C9\u03CA\u03CB";
constexpr std::u32string_view kBeforeIota = U"\u03B1\u03B5\u03BF\u03C5";  // first letters of diphthongs
constexpr std::u32string_view kBeforeUpsilon = U"\u03B1\u03B5\u03BF\u03B7";
constexpr char32_t kIota = U'\u03B9', kUpsilon = U'\u03C5';

bool has(std::u32string_view letters, char32_t letter) { return letters.find(letter) != std::u32string_view::npos; }

// The vowel without its accent, or 0 for any other letter.
char32_t plain_vowel(char32_t letter) {
    const size_t at = kAccented.find(letter);
    if (at != std::u32string_view::npos) return kPlain[at];
    return has(kPlain, letter) ? letter : 0;
}

bool are_diphthong(char32_t first, char32_t second) {
    return second == kIota ? has(kBeforeIota, first) : second == kUpsilon && has(kBeforeUpsilon, first);
}

}  // namespace

void strip_monosyllable(char32_t* letters, int length) {
    int syllables = 0, accented = -1;
    char32_t previous = 0;  // the vowel before, as written
    for (int i = 0; i < length; ++i) {
        const char32_t vowel = plain_vowel(letters[i]);
        if (vowel && !are_diphthong(previous, vowel) && ++syllables > 1) return;
        if (vowel && vowel != letters[i]) accented = i;
        previous = vowel ? letters[i] : 0;
    }
    if (accented >= 0) letters[accented] = plain_vowel(letters[accented]);
}

}  // namespace webtongue
