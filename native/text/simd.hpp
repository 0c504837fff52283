// The inner loops of the scorer, once for the x86-64 baseline (or plain C++ elsewhere) and once for AVX2.
#pragma once
#include <cstddef>
#include <cstdint>

#include "text/scorer.hpp"

namespace webtongue {

struct Batch {
    const uint64_t* keys;
    uint32_t count;    // at most Scorer::BATCH
    int16_t* sums;
    uint32_t* lifts;   // one a cluster
};

struct Found {
    uint32_t shared_count = 0, row_count = 0, pair_count = 0;
    Hit shared[Scorer::BATCH], rows[Scorer::BATCH], pairs[2 * Scorer::BATCH];  // hits beyond that are in no sound file
};

struct Loops {
    // Adds the keys' weights to the sums, and lifts; the number of keys that no label knows.
    uint32_t (*weigh)(const Tables&, const Batch&, Found&);
    void (*add)(const int16_t* sums, size_t slots, int32_t* totals);  // slots: a multiple of 16
    // The highest of sum, total (none where null) and bar in each of some clusters.
    void (*highest)(const int16_t* sums, const int32_t* totals, const int16_t* barred, size_t clusters, int32_t* out);
    // Adds the shared n-grams' rows of some clusters (at most kMostScored) to 16 totals each.
    void (*score)(const Tables&, const uint32_t* shared, size_t count, const uint8_t* clusters, size_t cluster_count, int32_t* totals);
    // Adds what was found in several texts to 16 sums for each text and cluster; `texts` says which text a key is of.
    void (*score_each)(const Tables&, const Kept&, const uint16_t* texts, const uint8_t* clusters, size_t cluster_count, int16_t* sums);
};

constexpr size_t kMostScored = 32;

const Loops& baseline_loops();
const Loops& best_loops();  // AVX2 where the machine has it

}  // namespace webtongue
