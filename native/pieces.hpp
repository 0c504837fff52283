// A bounded sample of a page's text, spread over all of it: what the language model reads.
#pragma once

#include <vector>

#include "scan.hpp"

namespace webtongue {

// A stretch of text in one block.
struct Stretch {
    uint32_t begin, end;  // in the text
};

// Some stretches that are judged together, and the blocks they stand for.
struct Piece {
    uint32_t first_stretch, last_stretch;  // half-open range in Sample::stretches
    uint32_t first_block, last_block;      // half-open range of blocks it stands for
    uint32_t weight;                       // bytes of text it stands for
    uint16_t lang;                         // scope
};

struct Sample {
    std::vector<Stretch> stretches;
    std::vector<Piece> pieces;
    uint64_t eligible = 0;  // bytes of text that the pieces stand for
    uint8_t level = 0;      // 0: running text was enough; 1: links and navigation too; 2: also common strings
    bool whole = false;     // nothing was left out
};

struct SampleOptions {
    uint32_t strata = 20;       // pieces of a long page
    uint32_t reach = 64;        // code points read in each
    uint32_t smallest = 64;     // bytes below which neighbouring blocks of a short page are judged together
    uint32_t enough = 256;      // bytes of running text that make links and menus unnecessary
    bool menus = false;         // links and menus are wanted all the same
    uint32_t whole = 256;       // bytes up to which every block is read, each by itself if it is not too small
};

Sample take_sample(const Scan& scan, const SampleOptions& options);

}  // namespace webtongue
