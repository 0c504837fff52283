// The inner loops of the scorer, compiled for the x86-64 baseline (or plain C++ elsewhere) and for AVX2.
#pragma once
#include <cstddef>
#include <cstdint>

#include "text/scorer.hpp"

namespace webtongue {

struct Batch {
    const uint64_t* keys;
    uint32_t count;    // at most Scorer::BATCH
    int16_t* sums;
    uint32_t* lifts;  // one per cluster
};

struct BatchHits {
    uint32_t shared_count = 0, row_count = 0, pair_count = 0;
    Hit shared[Scorer::BATCH], rows[Scorer::BATCH], pairs[2 * Scorer::BATCH];  // a valid file has no more hits
};

struct Loops {
    // Adds the weights of the keys to sums and lifts. Returns the number of keys without any weight.
    uint32_t (*add_weights)(const Tables&, const Batch&, BatchHits&);
    void (*add)(const int16_t* sums, size_t slots, int32_t* totals);  // `slots` is a multiple of 16
    // The highest sum plus total (if not null) of an unbarred label, per cluster.
    void (*highest)(const int16_t* sums, const int32_t* totals, const int16_t* barred, size_t clusters, int32_t* out);
    // Adds the rows of shared n-grams in some clusters (at most kMaxScoredClusters) to 16 totals each.
    void (*score)(const Tables&, const uint32_t* shared, size_t count, const uint8_t* clusters, size_t cluster_count, int32_t* totals);
    // Adds the kept hits of several texts to 16 sums per text and cluster; `texts` has the text of each key.
    void (*score_texts)(const Tables&, const KeptHits&, const uint16_t* texts, const uint8_t* clusters, size_t cluster_count,
                        int16_t* sums);
};

constexpr size_t kMaxScoredClusters = 32;

const Loops& baseline_loops();
const Loops& best_loops();  // AVX2 if the machine has it

}  // namespace webtongue
