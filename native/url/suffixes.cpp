#include "url/suffixes.hpp"

#include <algorithm>

namespace webtongue {
namespace {

constexpr uint64_t RULE = 1, WILDCARD = 2, EXCEPTION = 4, FLAGS = 7;
constexpr uint64_t FILTER_BITS = 1 << 17;  // one in twelve names without a rule passes the filter
constexpr uint64_t REVERSE_SEED = 0x6A09E667F3BCC909ull;
constexpr uint64_t REVERSE_STEP = 0x100000001B3ull;

uint64_t reverse_step(uint64_t state, char c) { return (state ^ static_cast<unsigned char>(c)) * REVERSE_STEP; }

}  // namespace

Suffixes::Suffixes(std::string_view rules) {
    const size_t lines = static_cast<size_t>(std::count(rules.begin(), rules.end(), '\n')) + 1;
    size_t size = 64;
    while (size < lines * 2) size *= 2;
    slots_.assign(size, 0);
    filter_.assign(FILTER_BITS / 64, 0);
    mask_ = size - 1;
    for (size_t at = 0; at < rules.size();) {
        size_t end = rules.find('\n', at);
        if (end == std::string_view::npos) end = rules.size();
        const std::string_view rule = rules.substr(at, end - at);
        if (rule.substr(0, 2) == "*.") add(rule.substr(2), WILDCARD);
        else if (rule.substr(0, 1) == "!") add(rule.substr(1), EXCEPTION);
        else if (!rule.empty() && rule.front() != '#') add(rule, RULE);
        at = end + 1;
    }
}

void Suffixes::add(std::string_view rule, uint64_t flag) {
    uint64_t hash = REVERSE_SEED;
    for (size_t i = rule.size(); i-- > 0;) hash = reverse_step(hash, rule[i]);
    const uint64_t bit = hash >> 44 & (FILTER_BITS - 1);
    filter_[bit / 64] |= uint64_t{1} << bit % 64;
    for (uint64_t at = hash >> 20;; ++at) {
        uint64_t& slot = slots_[at & mask_];
        if (slot != 0 && (slot ^ hash) > FLAGS) continue;
        slot = (hash & ~FLAGS) | (slot & FLAGS) | flag;
        return;
    }
}

uint64_t Suffixes::find_flags(uint64_t hash) const {
    const uint64_t bit = hash >> 44 & (FILTER_BITS - 1);
    if (!(filter_[bit / 64] >> bit % 64 & 1)) return 0;
    for (uint64_t at = hash >> 20;; ++at) {
        const uint64_t slot = slots_[at & mask_];
        if (slot == 0) return 0;
        if ((slot ^ hash) <= FLAGS) return slot & FLAGS;
    }
}

size_t Suffixes::find(std::string_view host) const {
    uint64_t hash = REVERSE_SEED, parent_flags = 0;
    size_t suffix_begin = std::string_view::npos, previous_begin = host.size();
    for (size_t i = host.size(); i-- > 0;) {
        if (host[i] != '.') {
            hash = reverse_step(hash, host[i]);
            if (i > 0 && host[i - 1] != '.') continue;
            const uint64_t flags = find_flags(hash);
            if (flags & EXCEPTION) return previous_begin;
            if ((flags & RULE) || (parent_flags & WILDCARD) || suffix_begin == std::string_view::npos) suffix_begin = i;
            else if (!(flags & WILDCARD) && previous_begin - i > 64) return suffix_begin;
            parent_flags = flags;
            previous_begin = i;
        } else {
            hash = reverse_step(hash, '.');
        }
    }
    return suffix_begin == std::string_view::npos ? 0 : suffix_begin;
}

}  // namespace webtongue
