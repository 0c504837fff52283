#include "text/homoglyphs.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "text/features.hpp"

namespace webtongue {
namespace {

struct Row {
    uint16_t letter;
    uint16_t twin[kShapedScripts];
};
constexpr Row ROWS[] = {
#include "tables/homoglyphs.inc"
};

constexpr char32_t kPalochka = 0x4CF;
constexpr int kAcronym = 2;  // capitals in a row

bool is_neutral(char32_t letter) { return letter == '\'' || script_of(letter) <= SCRIPT_UNKNOWN; }

uint8_t group_at(char32_t letter) { return GROUPS.of[script_of(letter)]; }

bool is_capital(char32_t letter) { return lower_of(letter) != letter; }

// A capital I after a small letter of a Cyrillic word is the palochka of the Caucasus, elsewhere it is the letter of Ukrainian.
char32_t twin_at(const char32_t* letters, int at, uint8_t group) {
    if (letters[at] == 'I' && group == GROUPS.cyrillic && at > 0 && !is_capital(letters[at - 1])) return kPalochka;
    return homoglyph(letters[at], group);
}

// A name in capitals with an ending in another script ("ITшник", "VIPа"): no small letter is of the capitals' script.
bool has_acronym(const char32_t* letters, int length) {
    uint8_t capitals = SCRIPT_COMMON;
    int row = 0, small[kShapedScripts + 1] = {};
    for (int i = 0; i < length; ++i) {
        if (is_neutral(letters[i])) continue;
        const uint8_t group = group_at(letters[i]);
        if (!is_capital(letters[i])) ++small[GROUPS.shaped[group]];
        row = !is_capital(letters[i]) ? 0 : i > 0 && row > 0 && group_at(letters[i - 1]) == group ? row + 1 : 1;
        if (row >= kAcronym) capitals = group;
    }
    const int smalls = small[1] + small[2] + small[3];
    return capitals != SCRIPT_COMMON && smalls > 0 && small[GROUPS.shaped[capitals]] == 0;
}

}  // namespace

char32_t homoglyph(char32_t letter, uint8_t group) {
    const Row* row = std::lower_bound(std::begin(ROWS), std::end(ROWS), letter, [](const Row& r, char32_t l) { return r.letter < l; });
    if (row == std::end(ROWS) || row->letter != letter || GROUPS.shaped[group] == 0) return 0;
    return row->twin[GROUPS.shaped[group] - 1];
}

bool can_be_in(const char32_t* letters, int length, uint8_t group) {
    for (int i = 0; i < length; ++i)
        if (!is_neutral(letters[i]) && group_at(letters[i]) != group && homoglyph(letters[i], group) == 0) return false;
    return true;
}

uint8_t group_meant(const char32_t* letters, int length, uint8_t before) {
    int count[kShapedScripts + 1] = {};
    for (int i = 0; i < length; ++i)
        if (!is_neutral(letters[i])) ++count[GROUPS.shaped[group_at(letters[i])]];
    uint8_t best = SCRIPT_COMMON;
    if (has_acronym(letters, length)) return best;
    int most = 0;
    for (const uint8_t group : {GROUPS.cyrillic, GROUPS.greek, GROUPS.latin}) {
        const int here = group == before ? length + 1 : count[GROUPS.shaped[group]];
        if (count[GROUPS.shaped[group]] == 0 || here <= most || !can_be_in(letters, length, group)) continue;
        best = group;
        most = here;
    }
    return best;
}

void fold_into(const char32_t* letters, int length, uint8_t group, char32_t* word) {
    for (int i = 0; i < length; ++i)
        word[i] = is_neutral(letters[i]) || group_at(letters[i]) == group ? lower_of(letters[i]) : twin_at(letters, i, group);
}

}  // namespace webtongue
