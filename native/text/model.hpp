// The language model: a memory-mapped file of hashed n-gram weights. scorer.hpp scores text with it.
//
// All arithmetic is integer: weights are int8 (rows) or 7 bits (pairs), scores are sums, and probabilities come from tables in the file.
// The same text gives the same bits on every machine and on every SIMD path.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/container.hpp"
#include "base/probability.hpp"
#include "text/decisive.hpp"
#include "text/features.hpp"

namespace webtongue {

constexpr int LANES_PER_ROW = 16;  // labels per cluster: a dense row is one 16-byte load
constexpr int PAIRS_PER_LINE = 16;   // a sparse line is one cache line
constexpr int MAX_CLUSTERS = 128;  // a sparse pair has 11 bits for the slot
constexpr int MAX_SLOTS = MAX_CLUSTERS * LANES_PER_ROW;
constexpr int LINES_PER_BLOCK = 32;  // lines whose row numbers are relative to a common start
constexpr int PAIR_ZERO = 40;  // added to a sparse weight in the file
constexpr uint32_t PAIR_ROWS = 127;  // marks an n-gram with rows; the slot field is the index of the first
constexpr uint32_t PAIR_SHARED = 126;  // marks an n-gram with many rows; the slot field is the index of its Shared record
constexpr int SHARED_CLUSTERS = 96;  // clusters for which an n-gram with a Shared record may have rows
constexpr int LIFT_UNIT = 8;  // weight units per step of a lift
constexpr uint8_t LAST_ROW = 0x80;  // flag in the cluster number of an n-gram's last row
constexpr int SCALE_BUCKETS = 64;
constexpr int TIERS = 3;

// An n-gram with rows in many clusters: one cache line with the position of its rows and the highest weight in each cluster, so that
// rows are read only for the few clusters that the text may belong to.
struct Shared {  // the layout in the file
    uint32_t row;  // index of the first row; the others follow in the order of their clusters
    uint32_t has[SHARED_CLUSTERS / 32];  // one bit per cluster
    // the highest weight per cluster: cluster c in the low half of byte c, cluster c + 48 in the high half
    uint8_t lift[SHARED_CLUSTERS / 2];
};
static_assert(sizeof(Shared) == 64, "one cache line");

struct LabelInfo {  // the layout in the file
    uint16_t slot;       // cluster * 16 + lane
    uint8_t tier;  // amount of training text: 1 much modern text, 2 some, 3 little beside scripture
    uint8_t script;      // index into the script names of the file
    int16_t low_score;  // 5% quantile of the score per feature on held-out text of the label, in 1/16 weight units
    uint16_t high_unseen;  // 95% quantile of the share of unseen features on that text, out of 65535
    int16_t allowance;  // added per feature of a text, in 1/16 weight units, for labels trained on one kind of text
};

// The score of a label per feature relative to its low score, in 1/1024 and at most kMaxFit.
constexpr int32_t kMaxFit = 1 << 20;
int32_t score_to_low(const LabelInfo& info, int32_t score, uint32_t features);

// The index of the scale for a number of features, with four buckets per octave.
uint32_t scale_bucket(uint32_t features);

// The n-gram tables in memory.
struct Tables {
    struct Block {
        uint32_t row, shared;
    };
    const Block* blocks;         // first row and first Shared of each block of lines
    const Shared* shared;
    uint32_t shared_count;
    const uint8_t* row_cluster;  // clusters of the rows outside Shared records
    const int8_t* rows;
    uint32_t row_count;
    const uint32_t* lines;
    uint64_t line_count;
};

class Model {
public:
    // Reads from memory that outlives the model, such as a mapped file. Throws std::invalid_argument for an invalid file. Weights are
    // not checked, and no value of them can make the scorer read or write out of bounds.
    // `word_labels` are labels whose look-alikes are told apart by words and pairs of words alone, not by n-grams, which need not be read
    // then.
    explicit Model(Span file, const std::vector<std::string>& word_labels = {});

    // A different number for every opened model: a new model may have the address of a deleted one.
    uint64_t serial() const { return serial_; }

    size_t label_count() const { return names_.size(); }
    std::string_view label(size_t id) const { return names_[id]; }
    const LabelInfo& info(size_t id) const { return infos_[id]; }
    std::string_view manifest() const { return manifest_; }
    int32_t latin() const { return latin_; }  // the label of Latin, which placeholder text looks like, or -1
    uint8_t group_of(size_t id) const { return groups_[id]; }
    int32_t allowance_at(size_t slot) const { return allowances_[slot]; }
    int32_t label_at(size_t slot) const { return label_of_[slot]; }  // -1 for an empty slot
    struct Range {
        uint16_t first, last;
    };  // clusters of a script group; first == last if there are none
    Range range_of(uint8_t group) const { return range_[group]; }
    bool is_mixed(size_t cluster) const { return mixed_[cluster]; }  // has labels of several script groups
    uint32_t cluster_count() const { return clusters_; }
    // The log-likelihood of one weight unit after this many features, for a best label of this tier: 1/LOG_SCALE nats, times 65536.
    int32_t scale_after(uint32_t features, int tier) const;

    const Tables& tables() const { return tables_; }
    const Decisive& decisive() const { return decisive_; }

    // Fixed-point exponential and logarithm by the tables of the file: exp(-nats / LOG_SCALE) * 2^30, and its inverse.
    uint32_t exp_of(int64_t nats) const { return exps_[std::min<int64_t>(nats >> 2, kExpSteps - 1)]; }
    int32_t log_of(uint64_t mass) const;

private:
    void open_tables(const Container& file);
    void open_labels(const Container& file);
    void place_label(int16_t id, uint8_t group);

    uint64_t serial_;
    std::vector<std::string_view> names_;
    std::vector<uint8_t> groups_;  // script group of each label
    const LabelInfo* infos_ = nullptr;
    Tables tables_{};
    Decisive decisive_;
    const uint32_t* scales_ = nullptr;  // by tier and feature count, as scale_after() returns them
    const uint32_t* exps_ = nullptr;
    const uint32_t* logs_ = nullptr;  // ln(1 + i / 256) in 1/LOG_SCALE nats
    uint32_t clusters_ = 0;
    int32_t latin_ = -1;
    int16_t label_of_[MAX_SLOTS];  // label of each slot, or -1
    int16_t allowances_[MAX_SLOTS];
    bool mixed_[MAX_CLUSTERS];
    Range range_[256];
    std::string_view manifest_;
};

}  // namespace webtongue
