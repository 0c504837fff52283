// Script, letter class and lower case of a code point, from tables/scripts.inc.
#pragma once
#include <cstddef>
#include <cstdint>

namespace webtongue {

// Ids of the three values that are not scripts. All other ids are looked up by name.
enum : uint8_t { SCRIPT_COMMON = 0, SCRIPT_INHERITED = 1, SCRIPT_UNKNOWN = 2 };

// A flat table for the first two planes, which have all living scripts: one load per code point, and only the cache lines that a text
// touches. Han beyond them is looked up by range.
struct ScriptTables {
    static constexpr char32_t FLAT = 0x20000;
    uint8_t script[FLAT];
    uint8_t letter[FLAT];      // 1 for letters and marks
    uint16_t lower[0x10000];  // the Basic Multilingual Plane; Deseret and Adlam are looked up by range
    ScriptTables();
};
extern const ScriptTables SCRIPTS;

// Composes a lower-case letter and a mark (U+0300 to U+036F) into one code point, or returns 0.
char32_t compose(char32_t letter, char32_t mark);

uint8_t find_script(char32_t code);
bool find_letter_class(char32_t code);
char32_t find_lower(char32_t code);

inline uint8_t script_of(char32_t code) { return code < ScriptTables::FLAT ? SCRIPTS.script[code] : find_script(code); }
inline bool is_letter(char32_t code) { return code < ScriptTables::FLAT ? SCRIPTS.letter[code] != 0 : find_letter_class(code); }
inline char32_t lower_of(char32_t code) { return code < 0x10000 ? SCRIPTS.lower[code] : find_lower(code); }

size_t script_count();
const char* script_name(uint8_t id);  // ISO 15924 code, "Zzzz" for an unknown id
uint8_t script_by_name(const char* name);  // SCRIPT_UNKNOWN for an unknown name

}  // namespace webtongue
