#include "text/homoglyphs.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "text/features.hpp"

namespace webtongue {
namespace {

struct Row {
    uint16_t letter;
    uint16_t look_alike[kShapeClasses];
};
constexpr Row ROWS[] = {
#include "tables/homoglyphs.inc"
};

constexpr char32_t kPalochka = 0x4CF;
constexpr int kMinAcronymCapitals = 2;

bool is_neutral(char32_t letter) { return letter == '\'' || script_of(letter) <= SCRIPT_UNKNOWN; }

uint8_t group_of(char32_t letter) { return GROUPS.by_script[script_of(letter)]; }

bool is_capital(char32_t letter) { return lower_of(letter) != letter; }

// After a lower-case letter of a Cyrillic word, a capital I is the palochka of Caucasian languages; elsewhere it is the Ukrainian
// letter.
char32_t folded_letter(const char32_t* letters, int at, uint8_t group) {
    if (letters[at] == 'I' && group == GROUPS.cyrillic && at > 0 && !is_capital(letters[at - 1])) return kPalochka;
    return homoglyph(letters[at], group);
}

// True for a name in capitals with an ending in another script ("ITшник", "VIPа"): no lower-case letter is in the script of the
// capitals.
bool has_acronym(const char32_t* letters, int length) {
    uint8_t capitals = SCRIPT_COMMON;
    int run = 0, lower_counts[kShapeClasses + 1] = {};
    for (int i = 0; i < length; ++i) {
        if (is_neutral(letters[i])) continue;
        const uint8_t group = group_of(letters[i]);
        if (!is_capital(letters[i])) ++lower_counts[GROUPS.shape_class[group]];
        run = !is_capital(letters[i]) ? 0 : i > 0 && run > 0 && group_of(letters[i - 1]) == group ? run + 1 : 1;
        if (run >= kMinAcronymCapitals) capitals = group;
    }
    const int lower_total = lower_counts[1] + lower_counts[2] + lower_counts[3];
    return capitals != SCRIPT_COMMON && lower_total > 0 && lower_counts[GROUPS.shape_class[capitals]] == 0;
}

}  // namespace

char32_t homoglyph(char32_t letter, uint8_t group) {
    const Row* row = std::lower_bound(std::begin(ROWS), std::end(ROWS), letter, [](const Row& r, char32_t l) { return r.letter < l; });
    if (row == std::end(ROWS) || row->letter != letter || GROUPS.shape_class[group] == 0) return 0;
    return row->look_alike[GROUPS.shape_class[group] - 1];
}

bool can_fold(const char32_t* letters, int length, uint8_t group) {
    for (int i = 0; i < length; ++i)
        if (!is_neutral(letters[i]) && group_of(letters[i]) != group && homoglyph(letters[i], group) == 0) return false;
    return true;
}

uint8_t find_intended_group(const char32_t* letters, int length, uint8_t before) {
    int count[kShapeClasses + 1] = {};
    for (int i = 0; i < length; ++i)
        if (!is_neutral(letters[i])) ++count[GROUPS.shape_class[group_of(letters[i])]];
    uint8_t best = SCRIPT_COMMON;
    if (has_acronym(letters, length)) return best;
    int highest_count = 0;
    for (const uint8_t group : {GROUPS.cyrillic, GROUPS.greek, GROUPS.latin}) {
        const int letter_count = group == before ? length + 1 : count[GROUPS.shape_class[group]];
        if (count[GROUPS.shape_class[group]] == 0 || letter_count <= highest_count || !can_fold(letters, length, group)) continue;
        best = group;
        highest_count = letter_count;
    }
    return best;
}

void fold_word(const char32_t* letters, int length, uint8_t group, char32_t* word) {
    for (int i = 0; i < length; ++i)
        word[i] = is_neutral(letters[i]) || group_of(letters[i]) == group ? lower_of(letters[i]) : folded_letter(letters, i, group);
}

}  // namespace webtongue
