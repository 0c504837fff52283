#include "text/forms.hpp"

namespace webtongue {
namespace {

constexpr char32_t kFirstGreek = 0x1F00, kFirstForm = 0xFB00, kMathematical = 0x1D400;
constexpr char32_t kAlphabet = 26;
constexpr uint16_t kForms[][kMaxFormLetters] = {
#include "tables/forms.inc"
};
constexpr uint16_t kGreekForms[] = {
#include "tables/greek_forms.inc"
};

}  // namespace

int letters_of_form(char32_t c, char32_t* letters) {
    if (c >= kMathematical) {  // rows of capitals and small letters, style after style
        const char32_t place = (c - kMathematical) % (2 * kAlphabet);
        letters[0] = place < kAlphabet ? 'A' + place : 'a' + place - kAlphabet;
        return 1;
    }
    if (c < kFirstForm) {
        letters[0] = kGreekForms[c - kFirstGreek];
        return letters[0] != 0;
    }
    int count = 0;
    for (const uint16_t letter : kForms[c - kFirstForm])
        if (letter) letters[count++] = letter;
    return count;
}

}  // namespace webtongue
