// The language model: a memory-mapped file of hashed n-gram weights. scorer.hpp reads text with it.
//
// Everything is integer: weights are int8 (rows) or 7 bits (pairs), scores are sums, probabilities come from tables in
// the file. The same text gives the same bits on every machine and on every SIMD path.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/container.hpp"
#include "base/probability.hpp"
#include "text/decisive.hpp"
#include "text/features.hpp"

namespace webtongue {

constexpr int LANES_PER_ROW = 16;    // labels a cluster: a dense row is one 16-byte load
constexpr int PAIRS_PER_LINE = 16;   // a sparse line is one cache line
constexpr int MAX_CLUSTERS = 128;    // 11 bits of slot in a sparse pair
constexpr int MAX_SLOTS = MAX_CLUSTERS * LANES_PER_ROW;
constexpr int LINES_PER_BLOCK = 32;  // lines that count their rows from a common start
constexpr int PAIR_ZERO = 40;        // a sparse weight is stored with this added
constexpr uint32_t PAIR_ROWS = 127;  // not a weight: the n-gram has rows, and the slot says where they start
constexpr uint32_t PAIR_SHARED = 126;  // not a weight: it has many rows, and the slot says which Shared is its own
constexpr int SHARED_CLUSTERS = 96;  // clusters that an n-gram with many rows may have them for
constexpr int LIFT_UNIT = 8;         // weight units a step of a lift
constexpr uint8_t LAST_ROW = 0x80;   // set in the cluster of an n-gram's last row
constexpr int SCALE_BUCKETS = 64;
constexpr int TIERS = 3;

// An n-gram that many clusters know: one cache line that says where its rows are and how far it can lift a label of each
// cluster, so that rows are read only for the few clusters that the text may belong to.
struct Shared {                            // as in the file
    uint32_t row;                          // the first; the others follow in the order of their clusters
    uint32_t has[SHARED_CLUSTERS / 32];    // a bit a cluster
    uint8_t lift[SHARED_CLUSTERS / 2];     // its highest weight: the low half of byte c for cluster c, the high half 48 on
};
static_assert(sizeof(Shared) == 64, "one cache line");

struct LabelInfo {       // as in the file
    uint16_t slot;       // cluster * 16 + lane
    uint8_t tier;        // learnt from 1 much modern text, 2 some, 3 hardly any beside scripture
    uint8_t script;      // index into the script names of the file
    int16_t low_score;   // 5% quantile of score per feature, in 1/16 weight units, on held-out text of its own
    uint16_t high_unseen;  // 95% quantile of the share of unseen features on it, out of 65535
    int16_t allowance;   // granted for each feature of a text, in 1/16 weight units: its text was of one kind
};

// Four buckets an octave of feature counts.
uint32_t scale_bucket(uint32_t features);

// The tables of n-grams as they lie in memory.
struct Tables {
    struct Block {
        uint32_t row, shared;
    };
    const Block* blocks;         // first row and first Shared of each block of lines
    const Shared* shared;
    uint32_t shared_count;
    const uint8_t* row_cluster;  // of rows that are not a Shared's
    const int8_t* rows;
    uint32_t row_count;
    const uint32_t* lines;
    uint64_t line_count;
};

class Model {
public:
    // Reads from memory that outlives the model (a mapped file); throws std::invalid_argument where something is off.
    // Weights are not checked, and no value of them can make the scorer read or write out of bounds.
    explicit Model(Span file);

    // Another for every file opened: a model may lie where one lay that is gone.
    uint64_t serial() const { return serial_; }

    size_t label_count() const { return names_.size(); }
    std::string_view label(size_t id) const { return names_[id]; }
    const LabelInfo& info(size_t id) const { return infos_[id]; }
    std::string_view manifest() const { return manifest_; }
    uint8_t group_of(size_t id) const { return groups_[id]; }
    int32_t allowance_at(size_t slot) const { return allowances_[slot]; }
    int32_t label_at(size_t slot) const { return label_of_[slot]; }  // -1 where a slot is empty
    struct Range {
        uint16_t first, last;
    };  // clusters of a script group; first == last where there is none
    Range range_of(uint8_t group) const { return range_[group]; }
    bool is_mixed(size_t cluster) const { return mixed_[cluster]; }  // labels of several script groups lie there
    uint32_t cluster_count() const { return clusters_; }
    // What a weight unit is worth after so many features, where the best label is of this tier: 1/1024 nats, times 65536.
    int32_t scale_after(uint32_t features, int tier) const;

    const Tables& tables() const { return tables_; }
    const Decisive& decisive() const { return decisive_; }

    // Fixed-point exponential and logarithm by the file's tables: exp(-nats / 1024) * 2^30, and its inverse.
    uint32_t exp_of(int64_t nats) const { return exps_[std::min<int64_t>(nats >> 2, kExpSteps - 1)]; }
    int32_t log_of(uint64_t mass) const;

private:
    void open_tables(const Container& file);
    void open_labels(const Container& file);
    void place_label(int16_t id, uint8_t group);

    uint64_t serial_;
    std::vector<std::string_view> names_;
    std::vector<uint8_t> groups_;            // script group of a label
    const LabelInfo* infos_ = nullptr;
    Tables tables_{};
    Decisive decisive_;
    const uint32_t* scales_ = nullptr;        // by tier and feature count: weight units to 1/1024 nats, times 65536
    const uint32_t* exps_ = nullptr;
    const uint32_t* logs_ = nullptr;         // ln(1 + i / 256) in 1/1024 nats
    uint32_t clusters_ = 0;
    int16_t label_of_[MAX_SLOTS];            // slot to label, -1 where empty
    int16_t allowances_[MAX_SLOTS];
    bool mixed_[MAX_CLUSTERS];
    Range range_[256];
    std::string_view manifest_;
};

}  // namespace webtongue
