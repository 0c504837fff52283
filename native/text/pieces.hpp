// What the pieces of a page are in: each by its own text, by what the rest of the page is in, and by what its neighbours are in.
#pragma once

#include <vector>

#include "text/first_pass.hpp"
#include "text/reading.hpp"

namespace webtongue {

// A piece as read.
struct PieceRead {
    Scorer* scorer = nullptr;
    std::vector<Guess> guesses;
    int32_t* totals = nullptr;  // 16 for each cluster that the page is scored in
    uint32_t letters = 0, features = 0, unseen = 0;
    int32_t scale = 0;
    uint8_t group = SCRIPT_COMMON;
    bool plain = false;         // reads like the page: in its language
    bool is_language = false;   // reads like the text of its best label
};

struct PieceContext {
    const Model& model;
    const Priors& priors;
    const Sample& sample;
    const Clusters& clusters;  // that the page is scored in
    int32_t foreign;           // how unlikely it is that a piece is in a language that the page is not in
};

// A label for each piece, kNoLabel where nothing can be said. `page` is what the page as a whole reads like, or kNoLabel.
std::vector<int32_t> label_pieces(const PieceContext& context, const std::vector<PieceRead>& found, int32_t page);

// What the languages of the running text hold of it, the largest first.
std::vector<Share> sum_shares(const std::vector<JudgedPiece>& pieces);

// Stretches of one language in the order of the page: neighbours are joined, pieces that said nothing go with them.
std::vector<JudgedPiece> join_pieces(std::vector<JudgedPiece> pieces);

}  // namespace webtongue
