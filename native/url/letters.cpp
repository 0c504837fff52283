#include "url/letters.hpp"

namespace webtongue {
namespace {

constexpr uint8_t LATIN_BASE[] = {
#include "tables/latin.inc"
};
constexpr char32_t LATIN_FIRST = 0xC0, LATIN_LAST = 0x250, EXTENDED_FIRST = 0x1E00, EXTENDED_LAST = 0x1F00;

}  // namespace

char32_t fold_beyond_ascii(char32_t code) {
    uint8_t base = 0;
    if (code >= LATIN_FIRST && code < LATIN_LAST) base = LATIN_BASE[code - LATIN_FIRST];
    else if (code >= EXTENDED_FIRST && code < EXTENDED_LAST) base = LATIN_BASE[LATIN_LAST - LATIN_FIRST + (code - EXTENDED_FIRST)];
    return base ? base : lower_of(code);
}

}  // namespace webtongue
