// Public suffixes by the Public Suffix List: the part of a host under which registries assign names (co.uk).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace webtongue {

// Hash table of the rules, hashed from the last byte to the first.
class Suffixes {
public:
    explicit Suffixes(std::string_view rules);  // one per line, in the format of the Public Suffix List
    // The offset of the public suffix of a lower-case host; its last label if no rule applies.
    size_t find(std::string_view host) const;

private:
    uint64_t find_flags(uint64_t hash) const;
    void add(std::string_view rule, uint64_t flag);
    std::vector<uint64_t> slots_;  // hash with flags in the low bits
    std::vector<uint64_t> filter_;  // a bit filter that stays in cache: most names have no rule
    uint64_t mask_ = 0;
};

}  // namespace webtongue
