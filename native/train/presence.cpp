#include "train/presence.hpp"

#include <algorithm>

#include "text/decisive_keys.hpp"

namespace webtongue {

LineKeys keys_of_lines(const Lines& lines, int kinds) {
    LineKeys out;
    for (size_t i = 0; i < lines.count; ++i) {
        const auto first = static_cast<ptrdiff_t>(out.keys.size());
        each_decisive_key(lines.text + lines.offsets[i], lines.offsets[i + 1] - lines.offsets[i], kinds,
                          [&](uint64_t key) { out.keys.push_back(key); });
        std::sort(out.keys.begin() + first, out.keys.end());
        out.keys.erase(std::unique(out.keys.begin() + first, out.keys.end()), out.keys.end());
        out.ends.push_back(out.keys.size());
    }
    return out;
}

Presence count_presence(const Lines& lines, uint32_t least, int kinds) {
    std::vector<uint64_t> keys = keys_of_lines(lines, kinds).keys;
    std::sort(keys.begin(), keys.end());
    Presence out;
    for (size_t at = 0; at < keys.size();) {
        size_t end = at;
        while (end < keys.size() && keys[end] == keys[at]) ++end;
        if (end - at >= least) {
            out.keys.push_back(keys[at]);
            out.lines.push_back(static_cast<uint32_t>(end - at));
        }
        at = end;
    }
    return out;
}

}  // namespace webtongue
