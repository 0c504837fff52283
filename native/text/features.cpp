#include "text/features.hpp"

#include <initializer_list>

namespace webtongue {

ScriptGroups::ScriptGroups()
    : shape_class{},
      cjk(script_by_name("Hani")),
      latin(script_by_name("Latn")),
      cyrillic(script_by_name("Cyrl")),
      greek(script_by_name("Grek")) {
    for (int id = 0; id < 256; ++id) by_script[id] = static_cast<uint8_t>(id);
    for (const char* name : {"Hira", "Kana", "Bopo"}) by_script[script_by_name(name)] = cjk;
    shape_class[latin] = 1;
    shape_class[cyrillic] = 2;
    shape_class[greek] = 3;
}

const ScriptGroups GROUPS;

AsciiLetters::AsciiLetters() : lower{}, group(GROUPS.by_script[script_by_name("Latn")]) {
    for (int c = 'a'; c <= 'z'; ++c) lower[c] = lower[c - 'a' + 'A'] = static_cast<uint8_t>(c);
}

const AsciiLetters ASCII_LETTERS;

PlainLetters::PlainLetters() : letters{} {
    for (char32_t code = 0x80; code < END; ++code) {
        const uint8_t script = script_of(code);
        const bool may_combine = code >= 0x300 && code < 0x370;
        if (script <= SCRIPT_UNKNOWN || !is_letter(code) || may_combine || code == 0x2BC || is_skipped(code) || may_be_form(code)) continue;
        letters[code] = {static_cast<uint16_t>(lower_of(code)), GROUPS.by_script[script]};
    }
}

// Made at the first call, when the tables of scripts.cpp exist.
const PlainLetters::Letter* PlainLetters::table() {
    static const PlainLetters plain_letters;
    return plain_letters.letters;
}

}  // namespace webtongue
