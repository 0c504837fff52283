#include "text/single_language_script.hpp"

#include <algorithm>

#include "text/features.hpp"

namespace webtongue {
namespace {

constexpr size_t kBits = 4096;
constexpr size_t kMinUnits = 20;  // shorter text varies too much to judge
constexpr size_t kMaxUnits = 400;  // enough to judge by, so that long texts cost no more

struct ScriptUnits {
    char script[5];
    uint32_t min_known_permille;  // nearly all text of the language has at least this share of its units in `known`
    uint64_t known[kBits / 64];
};

#include "tables/single_language_scripts.inc"

struct UnitsByGroup {
    const ScriptUnits* units[256] = {};
    UnitsByGroup() {
        for (const ScriptUnits& script : SINGLE_LANGUAGE_SCRIPTS) units[GROUPS.by_script[script_by_name(script.script)]] = &script;
    }
};

}  // namespace

std::vector<uint32_t> script_units(uint8_t group, const Span* spans, size_t count) {
    static const uint8_t hangul = GROUPS.by_script[script_by_name("Hang")];
    std::vector<uint32_t> out;
    for (size_t i = 0; i < count && out.size() < kMaxUnits; ++i)
        each_word(spans[i], [&](const char32_t* word, int length, uint8_t word_group) {
            if (word_group != group) return true;
            const int pair = group != hangul;
            for (int at = 1; at + pair <= length; ++at)
                out.push_back(static_cast<uint32_t>(hash_last(hash_step(hash_step(HASH_SEED, word[at]), pair ? word[at + 1] : 0))));
            return out.size() < kMaxUnits;
        });
    return out;
}

bool reads_like_its_language(uint8_t group, const Span* spans, size_t count) {
    static const UnitsByGroup tables;
    const ScriptUnits* table = tables.units[group];
    if (!table) return true;
    const std::vector<uint32_t> units = script_units(group, spans, count);
    const auto known =
        std::count_if(units.begin(), units.end(), [&](uint32_t unit) { return table->known[unit % kBits / 64] >> unit % 64 & 1; });
    return units.size() < kMinUnits || static_cast<uint64_t>(known) * 1000 >= units.size() * table->min_known_permille;
}

}  // namespace webtongue
