// A bounded sample of a page's text, spread over all of it: what the language model reads.
#pragma once

#include <vector>

#include "markup/scan.hpp"

namespace webtongue {

// A stretch of text in one block.
struct Stretch {
    uint32_t begin, end;  // in the text
};

// Some stretches that are judged together, and the blocks they stand for.
struct Piece {
    uint32_t first_stretch, last_stretch;  // half-open range in Sample::stretches
    uint32_t first_block, last_block;      // half-open range of blocks it stands for
    uint32_t weight;                       // letters of text it stands for, see count_letters
    uint16_t lang;                         // scope
    bool aside;                            // links and menus beside running text that says enough
    bool goes_on = false;                  // begins inside the block that the piece before it lies in
};

struct Sample {
    std::vector<Stretch> stretches;
    std::vector<Piece> pieces;
    bool boilerplate = false;  // there is nothing but strings that pages of every language have
    bool whole = false;  // nothing of the running text was left out
};

struct SampleOptions {
    uint32_t strata = 16;       // pieces of a long text
    uint32_t asides = 6;        // and of the links and menus beside it
    uint32_t reach = 40;        // code points read in each
    uint32_t smallest = 32;     // bytes below which neighbouring blocks of a short text are judged together
    uint32_t beside_banner = 48;  // bytes of running text that make words on cookies a banner
    uint32_t enough = 256;      // bytes of running text that make links and menus an aside
    uint32_t whole = 2048;      // bytes up to which every block is read, sentence by sentence where these are not too small
};

// Where in the page a piece begins, about: text and page run side by side in a block.
uint32_t page_begin_of(const Scan& scan, const Sample& sample, const Piece& piece);

Sample take_sample(const Scan& scan, const SampleOptions& options);

// Characters, of which a Han character, kana or Hangul syllable counts as three: what it takes to say the same in letters.
uint32_t count_letters(Span utf8);

}  // namespace webtongue
