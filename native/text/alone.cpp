#include "text/alone.hpp"

#include <algorithm>

#include "text/features.hpp"

namespace webtongue {
namespace {

constexpr size_t kBits = 4096;
constexpr size_t kLeast = 20;     // units: shorter text scatters too much
constexpr size_t kMost = 400;     // units that are looked at

struct Alone {
    char script[5];
    uint32_t low;  // thousandths of its units that nearly all text of the language has in the table
    uint64_t known[kBits / 64];
};

#include "tables/alone.inc"

struct ByGroup {
    const Alone* of[256] = {};
    ByGroup() {
        for (const Alone& alone : ALONE) of[GROUPS.of[script_by_name(alone.script)]] = &alone;
    }
};

}  // namespace

std::vector<uint32_t> alone_units(uint8_t group, const Span* read, size_t count) {
    static const uint8_t hangul = GROUPS.of[script_by_name("Hang")];
    std::vector<uint32_t> out;
    for (size_t i = 0; i < count && out.size() < kMost; ++i)
        each_word(reinterpret_cast<const char*>(read[i].begin), read[i].size(), [&](const char32_t* word, int length, uint8_t of) {
            if (of != group) return true;
            const int pair = group != hangul;
            for (int at = 1; at + pair <= length; ++at)
                out.push_back(static_cast<uint32_t>(hash_last(hash_step(hash_step(HASH_SEED, word[at]), pair ? word[at + 1] : 0))));
            return out.size() < kMost;
        });
    return out;
}

bool reads_alone(uint8_t group, const Span* read, size_t count) {
    static const ByGroup tables;
    const Alone* table = tables.of[group];
    if (!table) return true;
    const std::vector<uint32_t> units = alone_units(group, read, count);
    const auto known =
        std::count_if(units.begin(), units.end(), [&](uint32_t unit) { return table->known[unit % kBits / 64] >> unit % 64 & 1; });
    return units.size() < kLeast || static_cast<uint64_t>(known) * 1000 >= units.size() * table->low;
}

}  // namespace webtongue
