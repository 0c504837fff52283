// The language model: a memory-mapped file of hashed n-gram weights, and the scorer that reads text with it.
//
// Everything is integer: weights are int8 (dense rows) or 7 bits (sparse pairs), scores are sums, probabilities come
// from tables in the file. The same text gives the same bits on every machine and on every SIMD path.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "features.hpp"

namespace webtongue {

constexpr int LANES_PER_ROW = 16;    // labels a cluster: a dense row is one 16-byte load
constexpr int PAIRS_PER_LINE = 16;   // a sparse line is one cache line
constexpr int MAX_CLUSTERS = 128;    // 11 bits of slot in a sparse pair
constexpr int MAX_SLOTS = MAX_CLUSTERS * LANES_PER_ROW;
constexpr int LINES_PER_BLOCK = 32;  // lines that count their rows from a common start
constexpr int PAIR_ZERO = 40;        // a sparse weight is stored with this added
constexpr uint32_t PAIR_ROWS = 127;  // not a weight: the n-gram has rows, and the slot says where they start
constexpr uint8_t LAST_ROW = 0x80;   // set in the cluster of an n-gram's last row
constexpr int NATS = 1024;           // log-probabilities are in 1/1024 nats
constexpr int EXP_STEPS = 4096;      // exp(-i / 256), scaled by 2^30
constexpr int HEAT_BUCKETS = 64;

struct LabelInfo {       // as in the file
    uint16_t slot;       // cluster * 16 + lane
    uint8_t tier;        // 1 verified on modern text, 2 plausible, 3 scripture or declaration only
    uint8_t script;      // index into the script names of the file
    int16_t low_score;   // 5% quantile of score per feature, in 1/16 weight units, on held-out text of its own
    uint16_t high_unseen;  // 95% quantile of the share of unseen features on it, out of 65535
};

class Model {
public:
    // Reads from memory that outlives the model (a mapped file). False with a reason if any offset or size is off;
    // weights are not checked, and no value of them can make the scorer read or write out of bounds.
    bool open(const uint8_t* data, size_t size, std::string& error);

    size_t label_count() const { return names_.size(); }
    std::string_view label(size_t id) const { return names_[id]; }
    const LabelInfo& info(size_t id) const { return infos_[id]; }
    std::string_view manifest() const { return manifest_; }
    uint8_t group_of(size_t id) const { return groups_[id]; }

    // Fixed-point exponential and logarithm by the file's tables: exp(-nats / 1024) * 2^30, and its inverse.
    uint32_t exp_of(int64_t nats) const { return exps_[nats >> 2 < EXP_STEPS ? nats >> 2 : EXP_STEPS - 1]; }
    int32_t log_of(uint64_t mass) const;

private:
    friend class Scorer;
    bool open_labels(std::string_view scripts, std::string& error);

    std::vector<std::string_view> names_;
    std::vector<uint8_t> groups_;            // script group of a label
    const LabelInfo* infos_ = nullptr;
    const uint32_t* blocks_ = nullptr;       // first row of each block of lines
    const uint8_t* row_cluster_ = nullptr;
    const int8_t* rows_ = nullptr;
    uint32_t row_count_ = 0;
    const uint32_t* lines_ = nullptr;
    uint64_t line_count_ = 0;
    const uint32_t* heats_ = nullptr;        // by feature count: weight units to 1/1024 nats, times 65536
    const uint32_t* exps_ = nullptr;
    const uint32_t* logs_ = nullptr;         // ln(1 + i / 256) in 1/1024 nats
    uint32_t clusters_ = 0;
    int16_t label_of_[MAX_SLOTS];            // slot to label, -1 where empty
    struct Range { uint16_t first, last; };  // clusters of a script group; first == last where there is none
    Range range_[256];
    std::string_view manifest_;
};

struct Guess {
    uint16_t label;
    int32_t score;     // weight units
    int32_t log_prob;  // 1/1024 nats, under equal priors over the candidates
};

struct Outcome {
    std::vector<Guess> guesses;  // best first
    uint32_t features = 0;
    uint32_t unseen = 0;         // features that no label knows
    uint32_t letters = 0;        // of all scripts
    uint32_t group_letters = 0;  // of the script group that won
    uint8_t group = 0;           // id of its first script, see scripts.hpp
};

struct Priors;  // priors.hpp

class Scorer {
public:
    explicit Scorer(const Model& model);
    void reset();
    // Read one feature in 2^bits, the same ones in every text: long texts have more than a verdict needs.
    void thin_out(int bits) { passed_over_ = (uint64_t{1} << bits) - 1; }
    // Text block by block: a block's ends are word boundaries. Stops at `limit` features in all.
    void add(const char* text, size_t size, uint32_t limit = UINT32_MAX);
    // allowed: one byte a label, or null for all. Guesses beyond 16 nats of the best are left out.
    Outcome finish(size_t most, const uint8_t* allowed = nullptr);
    // The likeliest label of the script that won, or -1: what finish(1) puts first, without the probabilities.
    int32_t best();
    uint32_t features() const { return features_; }
    // Guesses with priors in, the likeliest first; those far behind are left out. Defined in priors.cpp.
    Outcome rank(size_t most, const Priors& priors);
    // Scores of the slots [0, slot_count()) as they stand, and what a unit of them is worth: 1/1024 nats, times 65536.
    const int32_t* totals() const { return totals_; }
    size_t slot_count() const { return model_.clusters_ * LANES_PER_ROW; }
    int32_t heat() const;
    // Add what another scorer of the same model has read, which must be finished.
    void absorb(const Scorer& other);

    // Called by each_feature.
    void letters(uint8_t group, int count) {
        if (letters_[group] == 0) touched_[touched_count_++] = group;
        letters_[group] += static_cast<uint32_t>(count);
    }
    void feature(uint64_t key, int, uint8_t) {
        if (key >> 26 & passed_over_) return;
        keys_[waiting_++] = key;
        if (waiting_ == BATCH) drain();
    }
    bool more() const { return features_ + waiting_ < limit_; }

    static constexpr uint32_t BATCH = 128;  // 128 * (127 + 87) stays within int16
    static void force_baseline(bool on);    // for tests: never use AVX2

private:
    void gather(Outcome& out, size_t most, const Priors& priors) const;
    void drain();
    uint8_t best_group(const uint8_t* allowed) const;
    int32_t best_total(uint8_t group, const uint8_t* allowed) const;
    bool possible(uint8_t group, uint32_t slot, const uint8_t* allowed) const {
        const int32_t label = model_.label_of_[slot];
        return label >= 0 && model_.groups_[static_cast<size_t>(label)] == group && (allowed == nullptr || allowed[label] != 0);
    }

    const Model& model_;
    uint32_t limit_ = UINT32_MAX;
    uint64_t passed_over_ = 0;
    uint32_t waiting_ = 0, features_ = 0, unseen_ = 0;
    std::vector<Guess> near_;                // candidates, kept so that their memory is
    uint64_t keys_[BATCH];
    uint32_t letters_[256];
    uint32_t touched_count_ = 0;
    uint8_t touched_[256];                   // groups with letters, in the order of the text
    alignas(64) int16_t sums_[MAX_SLOTS];
    alignas(64) int32_t totals_[MAX_SLOTS];
};

// Scorers of the calling thread, cleared; a model has two, so that a part can be added to a whole.
Scorer& local_scorer(const Model& model, int which);

}  // namespace webtongue
