// In how many lines a feature stands: what decisive features are found by. Used by webtongue.train only.
#pragma once
#include "train/counts.hpp"

namespace webtongue {

// The features of each line, once each and in the order of their keys; ends[i] is where those of line i end.
struct LineKeys {
    std::vector<uint64_t> keys;
    std::vector<uint64_t> ends;
};
LineKeys keys_of_lines(const Lines& lines, int kinds);

// Features of at least `least` lines, in the order of their keys, and of how many.
struct Presence {
    std::vector<uint64_t> keys;
    std::vector<uint32_t> lines;
};
Presence count_presence(const Lines& lines, uint32_t least, int kinds);

}  // namespace webtongue
