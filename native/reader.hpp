// Reading a page with the language model: a bounded sample, judged piece by piece and as a whole.
#pragma once

#include <vector>

#include "junk.hpp"
#include "model.hpp"
#include "pieces.hpp"
#include "priors.hpp"

namespace webtongue {

struct ReadOptions {
    SampleOptions sample;
    uint64_t plenty[2] = {384, 1024};   // bytes of sampled text from which a half, a quarter of the features are read
    const Priors* priors = nullptr;
    uint32_t few = 3;                   // pieces that must agree before the rest are passed over: one more from each
    uint64_t longer[3] = {1024, 4096, 16384};  // of these sizes of text on, where more can hide
    int32_t settled = 8 * NATS;         // by how much the whole must lead for that
    int32_t strange = 3 * NATS;         // how unlikely it is that a piece is in a language that the page is not in
    uint32_t letters = 16;              // below this a piece goes with the rest of the page
};

constexpr int32_t kNoLabel = -1;

// A piece as judged, and where in the page the blocks it stands for are.
struct JudgedPiece {
    uint32_t page_begin, page_end;
    uint32_t weight;
    int32_t label;  // after smoothing; kNoLabel where nothing could be said
};

struct PageReading {
    std::vector<Guess> guesses;         // of the page, priors in; log_prob is the posterior
    std::vector<JudgedPiece> pieces;    // in the order of the page
    std::vector<std::pair<int32_t, uint64_t>> shares;  // label and bytes of text it stands for, most first
    uint32_t features = 0, unseen = 0, letters = 0, group_letters = 0;
    int32_t score = 0;                  // of the best label, weight units
    uint8_t group = 0;
    bool early = false;                 // pieces were passed over: they agreed so far
    Junk junk;
    bool bold = false;                  // the best label is rare and rests on too little
    bool misread = false;               // the text was read in a wrong encoding before
};

// Whether text reads as 95% of its language's own text does, give or take `slack` hundredths.
bool fits(const Model& model, const Guess& best, uint32_t features, uint32_t unseen, int slack);

// `stop_early` is for the verdict; segments want every piece.
PageReading read_page(const Model& model, const Scan& scan, const ReadOptions& options, bool stop_early);

}  // namespace webtongue
