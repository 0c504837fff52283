// Scores text with the model in two steps.
//
// While text is added, n-grams of few labels are summed, and for n-grams of many clusters only an upper bound per cluster is. Then the
// clusters with the highest bounds are chosen, and the rows of the shared n-grams are read for these only. This reads a tenth of the
// rows, and the label that all rows would give is nearly always among the chosen clusters.
#pragma once
#include <vector>

#include "text/model.hpp"
#include "text/repeats.hpp"

namespace webtongue {

constexpr size_t kMaxTextClusters = 16;  // clusters that a text is scored in
constexpr int32_t kMaxPosteriorGap = 10 * LOG_SCALE;  // posteriors further behind the best are dropped

struct Guess {
    uint16_t label;
    int32_t score;  // in weight units
    int32_t log_prob;  // in 1/LOG_SCALE nats
};

// The order of guesses: the likeliest first, ties by label.
inline bool is_likelier(const Guess& a, const Guess& b) { return a.log_prob != b.log_prob ? a.log_prob > b.log_prob : a.label < b.label; }

// Further results of ranking.
struct RankingFacts {
    int32_t best_other_score = 0;  // the highest score of a label outside the cluster of the best guess
    int32_t prior_weight = 1024;  // weight of the priors in the ranking, in 1/kFullWeight
};

struct Outcome {
    std::vector<Guess> guesses;  // best first
    RankingFacts facts;
    uint32_t features = 0;
    uint32_t unseen = 0;  // features without a weight for any label
    uint32_t letters = 0;        // letters of all scripts
    uint32_t group_letters = 0;  // letters of the winning script group
    uint8_t group = 0;  // id of the group's first script, see scripts.hpp
    uint8_t main_script = 0;  // the script group with most letters, whether or not it has labels
};

using Clusters = std::vector<uint8_t>;

// The likeliest clusters first, with approximate upper bounds on their unnormalised posteriors.
struct ClusterChoice {
    uint8_t cluster[kMaxTextClusters];
    int32_t upper_bound[kMaxTextClusters];
    size_t count = 0;
};

struct Priors;  // priors.hpp

// A table entry of an n-gram (index of a Shared record, first row, or pair) and the index of the n-gram's key.
struct Hit {
    uint32_t entry, key;
};
struct KeptHits {
    std::vector<Hit> shared, rows, pairs;
    void clear() {
        shared.clear();
        rows.clear();
        pairs.clear();
    }
};

class Scorer {
public:
    explicit Scorer(const Model& model);
    void reset();
    // Reads one feature in 2^bits, the same ones in every text: long texts have more features than needed.
    void set_thinning(int bits) { skip_mask_ = (uint64_t{1} << bits) - 1; }
    // Adds a block of text; the ends of a block are word boundaries. Repeated n-grams count once. Stops at `limit` features in all.
    // Returns the number of words that mix scripts.
    uint32_t add(Span text, uint32_t limit = UINT32_MAX);
    // Adds features that were extracted without repeats. Their table entries are appended to `kept` with key indices from `first`.
    void add_features(const uint64_t* keys, size_t count, KeptHits* kept_hits, size_t first);
    // Returns guesses with priors applied, the likeliest first, without those far behind. Defined in priors.cpp.
    Outcome rank(size_t max_guesses, const Priors& priors);
    Outcome rank_in(uint8_t group, size_t max_guesses, const Priors& priors);  // the same for a given script group

    // The steps of rank(), for comparing several texts. All are defined in priors.cpp except score_clusters().
    Outcome count();  // processes pending features; sets all fields but guesses and group
    uint8_t heaviest_group(const Priors& priors) const;  // the script group with most information, or SCRIPT_COMMON
    ClusterChoice choose(uint8_t group, const Priors& priors, size_t max_guesses) const;  // at most kMaxTextClusters clusters
    void score_clusters(const uint8_t* clusters, size_t count, int32_t* totals) const;  // 16 scores per cluster
    // Adds the sums of another scorer of the same model without its shared n-grams: enough to choose clusters.
    void merge(const Scorer& other);
    uint32_t features() const { return features_; }
    uint32_t letters_in(uint8_t group) const { return letters_[group]; }
    // True if Latin letters stand beside a considerable share of another script. Their names and terms must then be discounted.
    bool has_latin_beside_other_script() const;
    void discount_latin_names(uint32_t letters) { latin_names_ += letters; }

    // Called by each_feature.
    void letters(uint8_t group, int count) {
        if (letters_[group] == 0) groups_[group_count_++] = group;
        letters_[group] += static_cast<uint32_t>(count);
    }
    void feature(uint64_t key, int, uint8_t) {
        if (key >> 26 & skip_mask_ || !repeats_->is_new(key, text_)) return;
        keys_[waiting_++] = key;
        if (waiting_ == BATCH) drain();
    }
    bool more() const { return features_ + waiting_ < limit_; }

    static constexpr uint32_t BATCH = 256;
    static constexpr uint32_t MAX_HELD_FEATURES = 256;  // weights of at most 127 each, whose sums fit into int16
    static void force_baseline(bool on);  // for tests: disables AVX2

private:
    void drain();
    void add_weights(const uint64_t* keys, uint32_t count, KeptHits* kept_hits, size_t first);
    void spill();
    void upper_bounds(size_t first, size_t count, const Priors& priors, int32_t* out) const;

    const Model& model_;
    uint32_t limit_ = UINT32_MAX;
    uint64_t skip_mask_ = 0;
    Repeats* repeats_ = nullptr;
    uint16_t text_ = 0;  // identifies the text in repeats_
    uint32_t waiting_ = 0, features_ = 0, unseen_ = 0;
    uint32_t held_features_ = 0;  // features in sums_
    bool spilled_ = false;                   // totals_ are in use
    std::vector<uint32_t> shared_;  // indices of the Shared records of the text
    uint64_t keys_[BATCH];
    uint32_t letters_[256];
    uint32_t latin_names_ = 0;  // Latin letters of names and terms, which do not count for the script of the text
    uint32_t group_count_ = 0;
    uint8_t groups_[256];  // script groups with letters, in the order of the text
    uint32_t lifts_[SHARED_CLUSTERS];
    // Scores without the shared n-grams are the sum of both arrays. Most texts are short enough for the first alone.
    alignas(64) int16_t sums_[MAX_SLOTS];
    alignas(64) int32_t totals_[MAX_SLOTS];
};

// Turns 16 scores per cluster into guesses of one script group, without those more than `max_gap` behind the best. With an allowlist, one
// guess is the likeliest label outside of it, and comes first if all such labels together are likelier. `requested` labels are kept however
// unlikely they are. Defined in priors.cpp.
std::vector<Guess> rank_scores(const Model& model, const uint8_t* clusters, size_t cluster_count, const int32_t* totals, uint8_t group,
                               uint32_t features, const Priors& priors, size_t max_guesses, int32_t max_gap, RankingFacts* facts = nullptr,
                               const std::vector<uint16_t>& requested = {});

// Sums of the rows of one cluster.
struct alignas(32) RowSums {
    int16_t lanes[LANES_PER_ROW] = {};
};

// Scores several texts of at most MAX_HELD_FEATURES features each in a few clusters. `sums` has one zeroed entry per text and cluster;
// `texts` has the text of each key.
void score_texts(const Model& model, const KeptHits& kept_hits, const uint16_t* texts, const Clusters& clusters, RowSums* sums);

// The scorers of the calling thread by index, reset: a page needs one per chunk.
Scorer& local_scorer(const Model& model, size_t index);

}  // namespace webtongue
