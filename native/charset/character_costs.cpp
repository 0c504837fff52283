#include "charset/character_costs.hpp"

namespace webtongue {
namespace {

constexpr uint8_t kBeyondAscii = 2;  // letters beyond ASCII have two more contexts
enum Context : uint8_t { sentence, other, small_letter, capital };

// By the class of a character of ASCII that stands before.
struct Contexts {
    uint8_t of[256] = {};
    constexpr Contexts() {
        for (size_t sort = 0; sort < 256; ++sort)
            of[sort] = sort < kFirstLetter ? (sort == kMark ? small_letter : other) : sort % 2 ? capital : small_letter;
    }
};
constexpr Contexts kContexts;

}  // namespace

uint8_t after_high(uint8_t kind) {
    const uint8_t context = kContexts.of[kind];
    return context == other ? context : static_cast<uint8_t>(context + kBeyondAscii);
}

bool is_capital_context(uint8_t context) { return context == capital || context == capital + kBeyondAscii; }

// A sentence begins at the beginning of a text or line and after a full stop and a space.
uint8_t after_ascii(Span text, const Byte* p, const uint8_t* letter_kinds) {
    if (p == text.begin || p[-1] == '\n') return sentence;
    const Byte before = p - text.begin > 1 ? p[-2] : Byte{0};
    if (p[-1] == ' ' && (before == '.' || before == '!' || before == '?')) return sentence;
    return kContexts.of[letter_kinds[p[-1]]];
}

uint64_t single_byte_cost(Span text, const uint8_t* costs, const uint8_t* letter_kinds) {
    uint64_t sum = 0;
    for (const Byte* p = text.begin; (p = skip_ascii(p, text.end)) < text.end;) {
        const uint8_t* row = costs + COST_SYMBOLS * after_ascii(text, p, letter_kinds);
        for (; p < text.end && *p >= 0x80; ++p) {
            sum += row[*p - 0x80];
            row = costs + COST_SYMBOLS * after_high(letter_kinds[*p]);
        }
        if (p < text.end) sum += row[128 + (is_ascii_letter(*p) ? 0 : 1)];
    }
    return sum;
}

}  // namespace webtongue
