// Count the lines of each feature, for finding decisive features. Used by webtongue.lab.train only.
#pragma once
#include "train/counts.hpp"

namespace webtongue {

// The distinct features of each line, sorted by key; ends[i] is one past the last of line i.
struct LineKeys {
    std::vector<uint64_t> keys;
    std::vector<uint64_t> ends;
};
LineKeys keys_of_lines(const Lines& lines, int kinds);

// Features that occur in at least `least` lines, sorted by key, with their numbers of lines.
struct Presence {
    std::vector<uint64_t> keys;
    std::vector<uint32_t> lines;
};
Presence count_presence(const Lines& lines, uint32_t least, int kinds);

}  // namespace webtongue
