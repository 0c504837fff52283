#include "charset/text_odds.hpp"

#include <algorithm>

#include "charset/character_costs.hpp"

namespace webtongue {
namespace {

// Costs of random bytes in 1/8 nats: of one byte in 256, of the 52 letters of ASCII and of the rest of ASCII.
constexpr int32_t kRandomByte = 44, kRandomLetter = 13, kRandomRest = 10;
// Log-odds of a byte of ASCII after another one: 90% of text are letters and spaces, of random bytes 21%. Text hardly has control codes.
constexpr int32_t kLetterOdds = 12, kSignOdds = -4, kControlOdds = -56;
constexpr size_t kMaxRunBytes = 1 << 12;  // bytes whose division is found at once
constexpr Byte kFirstTrail = 0x30;  // a smaller byte is always a character of its own

bool is_control(Byte c) { return (c < 0x20 && !is_space(c)) || c == 0x7F; }

int32_t plain_odds(Byte c) {
    if (is_ascii_letter(c) || c == ' ') return kLetterOdds;
    return is_space(c) ? 0 : is_control(c) ? kControlOdds : kSignOdds;
}

size_t symbol_of(Byte c) { return c >= 0x80 ? c - size_t{0x80} : is_ascii_letter(c) ? 128 : 129; }

// The byte of the small letter of a capital, or the byte itself.
Byte small_letter(Byte c, const SingleByteCosts& tables) {
    if (c < 0x80 || !is_capital_kind(tables.letter_kinds[c])) return c;
    for (unsigned other = 0x80; other < 0x100; ++other)
        if (other != c && tables.letters[other] == tables.letters[c] && !is_capital_kind(tables.letter_kinds[other]))
            return static_cast<Byte>(other);
    return c;
}

// A boundary between characters: the likeliest way to it within a run of bytes.
struct Boundary {
    int32_t cost = 0, odds = INT32_MIN;
    uint8_t length = 0;  // bytes of the last character
    CostStep step = CostStep::ascii_rest;  // the kind of the last character
    bool is_stray = false;
};

class Divider {
public:
    Divider(Span text, const MultibyteCosts& tables) : text_(text), tables_(tables) {}

    // Divides a run that begins with a character and returns the beginning of the rest of the text.
    const Byte* divide(const Byte* begin, CostStep before, Division& out) {
        const Byte* stop = text_.end - begin < static_cast<ptrdiff_t>(kMaxRunBytes) ? text_.end : begin + kMaxRunBytes;
        const Byte* end = std::find_if(begin, stop, [](Byte c) { return c < kFirstTrail; });
        const size_t size = static_cast<size_t>(end - begin);
        const size_t reachable = std::min<size_t>(size + 3, static_cast<size_t>(text_.end - begin));
        boundaries_.assign(reachable + 1, {});
        boundaries_[0].odds = 0;
        boundaries_[0].step = before;
        for (size_t i = 0; i < size; ++i)
            if (boundaries_[i].odds != INT32_MIN) extend(begin, i);
        size_t last = size;
        for (size_t i = size; i <= reachable; ++i)
            if (boundaries_[i].odds > boundaries_[last].odds) last = i;
        out.cost += static_cast<uint64_t>(boundaries_[last].cost);
        out.odds += boundaries_[last].odds;
        const size_t first_stray = out.strays.size();
        for (size_t i = last; i > 0; i -= boundaries_[i].length)
            if (boundaries_[i].is_stray) out.strays.push_back(static_cast<size_t>(begin - text_.begin) + i - 1);
        std::reverse(out.strays.begin() + static_cast<ptrdiff_t>(first_stray), out.strays.end());
        last_step = boundaries_[last].step;
        return begin + last;
    }

    CostStep last_step = CostStep::ascii_rest;  // the kind of the last character

private:
    // Adds the characters that can begin after boundary `i`.
    void extend(const Byte* begin, size_t i) {
        const Byte* p = begin + i;
        const Boundary from = boundaries_[i];
        if (*p < 0x80) {
            const CostStep step = step_of(*p);
            const AsciiCost ascii = ascii_cost(*p, from.step, tables_);
            reach(i + 1, {from.cost + ascii.cost, from.odds + ascii.odds, 1, step, false});
            return;
        }
        const int32_t step_cost = tables_.steps[3 * static_cast<size_t>(from.step) + static_cast<size_t>(CostStep::several_bytes)];
        const auto add = [&](int length, int32_t cost, bool is_stray) {
            cost += step_cost;
            reach(i + static_cast<size_t>(length), {from.cost + cost, from.odds + kRandomByte * length - cost, static_cast<uint8_t>(length),
                                                    CostStep::several_bytes, is_stray});
        };
        const int length = character_length(p, text_.end, tables_.kind);
        if (length < 0) add(static_cast<int>(text_.end - p), CUT_COST, false);
        if (length > 0) add(length, tables_.pairs[256 * (*p - 0x80) + (length == 2 ? p[1] : 0)], false);
        add(1, ILLEGAL_COST, true);
    }

    void reach(size_t i, const Boundary& boundary) {
        if (boundary.odds > boundaries_[i].odds) boundaries_[i] = boundary;
    }

public:
    struct AsciiCost {
        int32_t cost, odds;
    };
    // Of a character of ASCII after one of a kind.
    static AsciiCost ascii_cost(Byte c, CostStep before, const MultibyteCosts& tables) {
        if (before != CostStep::several_bytes) return {0, plain_odds(c)};
        const int32_t cost = tables.steps[3 * static_cast<size_t>(before) + static_cast<size_t>(step_of(c))];
        return {cost, is_control(c) ? kControlOdds : (is_ascii_letter(c) ? kRandomLetter : kRandomRest) - cost};
    }

private:
    Span text_;
    const MultibyteCosts& tables_;
    std::vector<Boundary> boundaries_;
};

}  // namespace

int64_t single_byte_odds(Span text, const SingleByteCosts& tables) {
    int64_t sum = 0;
    for (const Byte* p = text.begin; p < text.end; ++p) {
        const bool is_after_high = p > text.begin && p[-1] >= 0x80;
        if (is_control(*p) && tables.letter_kinds[*p] < kFirstLetter) {
            sum += kControlOdds;
            continue;
        }
        if (*p < 0x80 && !is_after_high) {
            sum += plain_odds(*p);
            continue;
        }
        const uint8_t context = is_after_high ? after_high(tables.letter_kinds[p[-1]]) : after_ascii(text, p, tables.letter_kinds);
        int32_t cost = tables.costs[COST_SYMBOLS * context + symbol_of(*p)];
        if (is_capital_context(context))
            cost = std::min<int32_t>(cost, tables.costs[COST_SYMBOLS * (context - 1u) + symbol_of(small_letter(*p, tables))]);
        sum += (*p >= 0x80 ? kRandomByte : is_ascii_letter(*p) ? kRandomLetter : kRandomRest) - cost;
    }
    return sum;
}

Division divide_characters(Span text, const MultibyteCosts& tables) {
    Division out;
    Divider divider(text, tables);
    CostStep before = CostStep::ascii_rest;
    for (const Byte* p = text.begin; p < text.end;) {
        if (*p < 0x80) {
            const auto ascii = Divider::ascii_cost(*p, before, tables);
            out.cost += static_cast<uint64_t>(ascii.cost);
            out.odds += ascii.odds;
            before = step_of(*p++);
            continue;
        }
        p = divider.divide(p, before, out);
        before = divider.last_step;
    }
    return out;
}

}  // namespace webtongue
