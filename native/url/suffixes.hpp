// Public suffixes: the part of a host that registries give names under (co.uk), by the Public Suffix List.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace webtongue {

// Rules, hashed from their last byte to their first.
class Suffixes {
public:
    explicit Suffixes(std::string_view rules);  // one a line, as the Public Suffix List has them
    // Where the public suffix of a lower-case host begins: its last label where no rule applies.
    size_t find(std::string_view host) const;

private:
    uint64_t flags_of(uint64_t hash) const;
    void add(std::string_view rule, uint64_t flag);
    std::vector<uint64_t> slots_;  // hash and flags in one
    std::vector<uint64_t> seen_;   // a bit for each rule's hash: most names are no rule, and this much stays in cache
    uint64_t mask_ = 0;
};

}  // namespace webtongue
