// Labels the chunks of a page, each by its own text, by the other chunks of the page, and by its neighbours.
#pragma once

#include <vector>

#include "text/first_pass.hpp"
#include "text/reading.hpp"

namespace webtongue {

// A chunk with its scores.
struct ScoredChunk {
    Scorer* scorer = nullptr;
    std::vector<Guess> guesses;
    int32_t* totals = nullptr;  // 16 scores for each cluster that the page is scored in
    uint32_t letters = 0, features = 0, unseen = 0;
    int32_t scale = 0;
    int32_t prior_weight = kFullWeight;
    uint8_t group = SCRIPT_COMMON;
    bool matches_page = false;  // is in the page's language
    bool is_language = false;  // fits its best label
};

struct ChunkContext {
    const Model& model;
    const Priors& priors;
    const Sample& sample;
    const Clusters& clusters;  // clusters that the page is scored in
    int32_t foreign_cost;  // cost of a label that the page does not have
};

// Returns a label for each chunk, kNoLabel if it is undecided. `page_label` is the label of the page as a whole, or kNoLabel.
std::vector<int32_t> label_chunks(const ChunkContext& context, const std::vector<ScoredChunk>& chunk, int32_t page_label);

// Sums the letters of each label over the running text and the consent banners beside it, the largest first.
std::vector<Share> sum_shares(const std::vector<LabeledChunk>& chunks);

// Joins adjacent chunks of one label, in the order of the page. Chunks without a label go with their neighbours.
std::vector<LabeledChunk> join_chunks(std::vector<LabeledChunk> chunks);

}  // namespace webtongue
