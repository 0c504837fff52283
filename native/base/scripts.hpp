// Script, letter class and lower case of a code point, from tables/scripts.inc.
#pragma once
#include <cstddef>
#include <cstdint>

namespace webtongue {

// Ids of the three values that are not scripts; the others are found by name.
enum : uint8_t { SCRIPT_COMMON = 0, SCRIPT_INHERITED = 1, SCRIPT_UNKNOWN = 2 };

// One flat table for the first two planes (all living scripts): one load a code point, and only the lines that a
// text touches come into cache. Han beyond them is settled by range.
struct ScriptTables {
    static constexpr char32_t FLAT = 0x20000;
    uint8_t script[FLAT];
    uint8_t letter[FLAT];      // 1 for letters and marks
    uint16_t lower[0x10000];   // the Basic Multilingual Plane; Deseret and Adlam are handled by range
    ScriptTables();
};
extern const ScriptTables SCRIPTS;

// A lower-case letter and a mark (U+0300 to U+036F) as one code point, 0 where there is none.
char32_t compose(char32_t letter, char32_t mark);

uint8_t script_beyond(char32_t code);
bool letter_beyond(char32_t code);
char32_t lower_beyond(char32_t code);

inline uint8_t script_of(char32_t code) { return code < ScriptTables::FLAT ? SCRIPTS.script[code] : script_beyond(code); }
inline bool is_letter(char32_t code) { return code < ScriptTables::FLAT ? SCRIPTS.letter[code] != 0 : letter_beyond(code); }
inline char32_t lower_of(char32_t code) { return code < 0x10000 ? SCRIPTS.lower[code] : lower_beyond(code); }

size_t script_count();
const char* script_name(uint8_t id);        // ISO 15924, "Zzzz" where the id is out of range
uint8_t script_by_name(const char* name);   // SCRIPT_UNKNOWN where there is none

}  // namespace webtongue
