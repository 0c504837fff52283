// Reading a page with the language model: a bounded sample, judged piece by piece and as a whole.
#pragma once

#include <vector>

#include "text/junk.hpp"
#include "text/priors.hpp"
#include "text/sample.hpp"
#include "text/unknown_language.hpp"

namespace webtongue {

struct ReadOptions {
    SampleOptions sample;
    uint32_t budget = 2400;             // features of a page that are read, about: of a longer sample every second, fourth or eighth
    const Priors* priors = nullptr;
    int32_t foreign = 3 * NATS;         // how unlikely it is that a piece is in a language that the page is not in
};

constexpr int32_t kNoLabel = -1;

// A piece as judged, and where in the page the blocks it stands for are.
struct JudgedPiece {
    uint32_t page_begin, page_end;
    uint32_t weight;
    int32_t label;  // after smoothing; kNoLabel where nothing could be said
    bool aside;
};

struct PageReading {
    std::vector<Guess> guesses;         // of the page, priors in; log_prob is the posterior
    std::vector<JudgedPiece> pieces;    // in the order of the page
    std::vector<std::pair<int32_t, uint64_t>> shares;  // label and bytes of running text it stands for, most first
    uint32_t features = 0, unseen = 0, letters = 0, group_letters = 0;
    int32_t score = 0;                  // of the best label, weight units
    uint8_t group = 0;
    uint8_t written = 0;                // the script group with most letters, whether a label has it or not
    Junk junk;
    int32_t elsewhere = 0;              // highest score of a label that is not in the cluster of the best
    Doubt doubt;                        // whether it is in any language of the model; the guesses have it in
    bool poor_fit = false;                // far from all text of the best label
    bool too_rare = false;                  // the best label is rare and rests on too little
    bool misread = false;               // the text was read in a wrong encoding before
};

// Stretches of one language in the order of the page: neighbours are joined, pieces that said nothing go with them.
std::vector<JudgedPiece> join_pieces(std::vector<JudgedPiece> pieces);

// Whether text reads as 95% of its language's own text does, give or take `slack` hundredths.
bool fits(const Model& model, const Guess& best, uint32_t features, uint32_t unseen, int slack);

PageReading read_page(const Model& model, const Scan& scan, const ReadOptions& options);

}  // namespace webtongue
