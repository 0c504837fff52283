// Reading text with a model: n-grams in, scores out, in two steps.
//
// While text is added, n-grams of few labels are summed at once, and those that many clusters share only say how far
// they could lift each cluster. Then the few clusters that are lifted highest are chosen, and the shared n-grams' rows are
// read for these alone. A tenth of the rows is touched, and the label that all rows would name is nearly always among them.
#pragma once
#include <vector>

#include "text/model.hpp"
#include "text/repeats.hpp"

namespace webtongue {

constexpr size_t kMostClusters = 16;       // that a text is scored in
constexpr int32_t kWindow = 10 * NATS;     // posteriors this far behind the best do not count

struct Guess {
    uint16_t label;
    int32_t score;     // weight units
    int32_t log_prob;  // 1/1024 nats
};

struct Outcome {
    std::vector<Guess> guesses;  // best first
    int32_t elsewhere = 0;       // highest score of a label that is not in the cluster of the best guess
    uint32_t features = 0;
    uint32_t unseen = 0;         // features that no label knows
    uint32_t letters = 0;        // of all scripts
    uint32_t group_letters = 0;  // of the script group that won
    uint8_t group = 0;           // id of its first script, see scripts.hpp
    uint8_t written = 0;         // the group with most letters, whether a label is of it or not
};

using Clusters = std::vector<uint8_t>;

// The likeliest clusters first, and the posteriors that their labels can have at most, about, without their norm.
struct Choice {
    uint8_t cluster[kMostClusters];
    int32_t upper_bound[kMostClusters];
    size_t count = 0;
};

struct Priors;  // priors.hpp

// What the tables have of an n-gram: the number of a Shared, its first row, or a pair; and which n-gram it was.
struct Hit {
    uint32_t what, key;
};
struct Kept {
    std::vector<Hit> shared, rows, pairs;
};

class Scorer {
public:
    explicit Scorer(const Model& model);
    void reset();
    // Read one feature in 2^bits, the same ones in every text: long texts have more than a verdict needs.
    void thin_out(int bits) { passed_over_ = (uint64_t{1} << bits) - 1; }
    // Text block by block: a block's ends are word boundaries. An n-gram that comes again does not count again. Stops at `limit`
    // features in all. Says how many words mix scripts.
    uint32_t add(const char* text, size_t size, uint32_t limit = UINT32_MAX);
    // Features that were made elsewhere, where repeats were left out; what is found is kept, its keys counted from `first`.
    void add_features(const uint64_t* keys, size_t count, Kept* kept, size_t first);
    // Guesses with priors in, the likeliest first; those far behind are left out. Defined in priors.cpp.
    Outcome rank(size_t most, const Priors& priors);

    // The steps of rank, for a reader that has several texts to compare. All are defined in priors.cpp but `score_in`.
    Outcome count();                                     // drains; all fields but the guesses and the group
    uint8_t heaviest_group(const Priors& priors) const;  // the script with most to say, SCRIPT_COMMON where there is none
    Choice choose(uint8_t group, const Priors& priors, size_t most) const;  // at most kMostClusters
    void score_in(const uint8_t* clusters, size_t count, int32_t* totals) const;  // 16 scores a cluster
    // Add what another scorer of the same model has read, but for its shared n-grams: enough to choose clusters.
    void absorb(const Scorer& other);
    uint32_t features() const { return features_; }
    uint32_t letters_in(uint8_t group) const { return letters_[group]; }

    // Called by each_feature.
    void letters(uint8_t group, int count) {
        if (letters_[group] == 0) touched_[touched_count_++] = group;
        letters_[group] += static_cast<uint32_t>(count);
    }
    void feature(uint64_t key, int, uint8_t) {
        if (key >> 26 & passed_over_ || !repeats_->is_new(key, text_)) return;
        keys_[waiting_++] = key;
        if (waiting_ == BATCH) drain();
    }
    bool more() const { return features_ + waiting_ < limit_; }

    static constexpr uint32_t BATCH = 256;
    static constexpr uint32_t MOST_HELD = 256;  // features whose weights, at most 127 each, are sure to fit into int16
    static void force_baseline(bool on);    // for tests: never use AVX2

private:
    void drain();
    void weigh(const uint64_t* keys, uint32_t count, Kept* kept, size_t first);
    void spill();
    void upper_bounds(size_t first, size_t count, const Priors& priors, int32_t* out) const;

    const Model& model_;
    uint32_t limit_ = UINT32_MAX;
    uint64_t passed_over_ = 0;
    Repeats* repeats_ = nullptr;
    uint16_t text_ = 0;                      // its number there
    uint32_t waiting_ = 0, features_ = 0, unseen_ = 0;
    uint32_t held_ = 0;                      // features summed in sums_
    bool spilled_ = false;                   // totals_ are in use
    std::vector<uint32_t> shared_;           // shared n-grams of the text, by number
    uint64_t keys_[BATCH];
    uint32_t letters_[256];
    uint32_t touched_count_ = 0;
    uint8_t touched_[256];                   // groups with letters, in the order of the text
    uint32_t lifts_[SHARED_CLUSTERS];
    // Scores without the shared n-grams: the sum of both. Most texts are so short that the first is all they need.
    alignas(64) int16_t sums_[MAX_SLOTS];
    alignas(64) int32_t totals_[MAX_SLOTS];
};

// What `clusters` and 16 scores for each make of a text: guesses of one script group, those at least `window` behind the
// best left out; and the highest score outside of the best one's cluster. Where only some labels are asked for, one guess beside them is
// the likeliest of the others, and comes first if these together are likelier. `wanted` labels are kept however unlikely they are.
// Defined in priors.cpp.
std::vector<Guess> rank_scores(const Model& model, const uint8_t* clusters, size_t cluster_count, const int32_t* totals, uint8_t group,
                               uint32_t features, const Priors& priors, size_t most, int32_t window, int32_t* elsewhere = nullptr,
                               const std::vector<uint16_t>& wanted = {});

// Sums of rows.
struct alignas(32) RowSums {
    int16_t of[LANES_PER_ROW] = {};
};

// Scores of several texts, of MOST_HELD features each at most, in a few clusters: sums for each text and cluster, which have
// to be 0 before; `texts` says which text a key is of.
void score_each(const Model& model, const Kept& kept, const uint16_t* texts, const Clusters& clusters, RowSums* sums);

// Scorers of the calling thread, cleared, by number: a page has one for each of its pieces.
Scorer& local_scorer(const Model& model, size_t which);

}  // namespace webtongue
