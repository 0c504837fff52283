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
    const Priors* priors = nullptr;
    uint32_t few = 5;                  // pieces that must agree before the rest are passed over
    int32_t settled = 8 * NATS;         // by how much the whole must lead for that
    int32_t alone = 7 * NATS;           // by how much a piece must lead to be in a language that no other piece is in
    uint32_t letters = 16;              // below this a piece goes with the rest of the page
};

constexpr int32_t kNoLabel = -1;

struct PageReading {
    std::vector<Guess> guesses;         // of the page, priors in; log_prob is the posterior
    std::vector<Piece> pieces;
    std::vector<int32_t> piece_labels;  // after smoothing; kNoLabel where nothing could be said
    std::vector<std::pair<int32_t, uint64_t>> shares;  // label and bytes of text it stands for, most first
    uint32_t features = 0, unseen = 0, letters = 0, group_letters = 0;
    int32_t score = 0;                  // of the best label, weight units
    uint8_t group = 0;
    bool early = false;                 // pieces were passed over: they agreed so far
    Junk junk;
};

// `stop_early` is for the verdict; segments want every piece.
PageReading read_page(const Model& model, const Scan& scan, const ReadOptions& options, bool stop_early);

}  // namespace webtongue
