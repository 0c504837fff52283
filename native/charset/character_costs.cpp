#include "charset/character_costs.hpp"

namespace webtongue {
namespace {

// Classes of characters, as numbered by the trainer (context.py): marks, and letters with odd numbers for capitals.
constexpr uint8_t kMark = 3, kFirstLetter = 16;

enum Context : uint8_t { sentence, other, small_letter, capital };
enum Step : uint8_t { ascii_letter, ascii_rest, several_bytes };

bool is_ascii_letter(Byte c) { return static_cast<Byte>((c | 0x20) - 'a') < 26; }

// By the class of a character of ASCII that stands before; beyond ASCII, letters have two more.
struct Contexts {
    uint8_t of[256] = {};
    constexpr Contexts() {
        for (size_t sort = 0; sort < 256; ++sort)
            of[sort] = sort < kFirstLetter ? (sort == kMark ? small_letter : other) : sort % 2 ? capital : small_letter;
    }
};
constexpr Contexts kContexts;

uint8_t after_high(uint8_t sort) {
    const uint8_t context = kContexts.of[sort];
    return context == other ? context : static_cast<uint8_t>(context + 2);
}

// What stands before p, where that is ASCII: a sentence begins at the beginning of a text or line and after a full stop and a space.
uint8_t after_ascii(Span text, const Byte* p, const uint8_t* letter_kinds) {
    if (p == text.begin || p[-1] == '\n') return sentence;
    const Byte before = p - text.begin > 1 ? p[-2] : Byte{0};
    if (p[-1] == ' ' && (before == '.' || before == '!' || before == '?')) return sentence;
    return kContexts.of[letter_kinds[p[-1]]];
}

Step step_of(Byte c) { return is_ascii_letter(c) ? ascii_letter : ascii_rest; }

}  // namespace

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

uint64_t multibyte_cost(Span text, EncodingKind kind, const uint8_t* pairs, const uint8_t* steps) {
    uint64_t sum = 0;
    for (const Byte* p = text.begin; (p = skip_ascii(p, text.end)) < text.end;) {
        Step before = p == text.begin ? ascii_rest : step_of(p[-1]);
        while (p < text.end && *p >= 0x80) {
            const int length = character_length(p, text.end, kind);
            if (length < 0) return sum + CUT_COST;
            sum += steps[3 * before + several_bytes];
            sum += length == 0 ? ILLEGAL_COST : pairs[256 * (*p - 0x80) + (length == 2 ? p[1] : 0)];
            before = several_bytes;
            p += length ? length : 1;
        }
        if (p < text.end) sum += steps[3 * several_bytes + step_of(*p)];
    }
    return sum;
}

}  // namespace webtongue
