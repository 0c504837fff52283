#include "base/scripts.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace webtongue {
namespace {

struct Span {
    uint32_t first;
    uint16_t value;
};
struct Capitals {
    uint32_t first, last, step;
    int32_t delta;
};
struct Pair {
    uint16_t letter, mark, both;
};
#include "tables/scripts.inc"

uint16_t span_value(char32_t code) {
    const Span* next = std::upper_bound(std::begin(SPANS), std::end(SPANS), code, [](char32_t c, const Span& s) { return c < s.first; });
    return (next - 1)->value;  // the first span starts at 0
}

}  // namespace

ScriptTables::ScriptTables() {
    for (size_t i = 0; i < std::size(SPANS); ++i) {
        const char32_t end = i + 1 < std::size(SPANS) ? std::min<char32_t>(SPANS[i + 1].first, FLAT) : FLAT;
        if (SPANS[i].first >= end) break;
        std::memset(script + SPANS[i].first, SPANS[i].value >> 1, end - SPANS[i].first);
        std::memset(letter + SPANS[i].first, SPANS[i].value & 1, end - SPANS[i].first);
    }
    for (uint32_t code = 0; code < 0x10000; ++code) lower[code] = static_cast<uint16_t>(code);
    for (const Capitals& run : CAPITALS)
        for (uint32_t code = run.first; code <= run.last && code < 0x10000; code += run.step)
            lower[code] = static_cast<uint16_t>(static_cast<int32_t>(code) + run.delta);
}

const ScriptTables SCRIPTS;

uint8_t find_script(char32_t code) {
    return code < 0x110000 ? static_cast<uint8_t>(span_value(code) >> 1) : static_cast<uint8_t>(SCRIPT_UNKNOWN);
}

bool find_letter_class(char32_t code) { return code < 0x110000 && (span_value(code) & 1) != 0; }

char32_t find_lower(char32_t code) {
    for (const Capitals& run : CAPITALS)
        if (code >= run.first && code <= run.last && (code - run.first) % run.step == 0)
            return static_cast<char32_t>(static_cast<int32_t>(code) + run.delta);
    return code;
}

char32_t compose(char32_t letter, char32_t mark) {
    const auto before = [](const Pair& pair, std::pair<char32_t, char32_t> key) {
        return pair.letter != key.first ? pair.letter < key.first : pair.mark < key.second;
    };
    const Pair* pair = std::lower_bound(std::begin(PAIRS), std::end(PAIRS), std::make_pair(letter, mark), before);
    return pair != std::end(PAIRS) && pair->letter == letter && pair->mark == mark ? pair->both : 0;
}

size_t script_count() { return std::size(SCRIPT_NAMES); }

const char* script_name(uint8_t id) { return id < script_count() ? SCRIPT_NAMES[id] : "Zzzz"; }

uint8_t script_by_name(const char* name) {
    for (size_t i = 0; i < script_count(); ++i)
        if (std::strcmp(SCRIPT_NAMES[i], name) == 0) return static_cast<uint8_t>(i);
    return SCRIPT_UNKNOWN;
}

}  // namespace webtongue
