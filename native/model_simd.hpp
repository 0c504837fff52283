// The inner loops of the scorer, once for the x86-64 baseline (or plain C++ elsewhere) and once for AVX2.
#pragma once
#include <cstddef>
#include <cstdint>

#include "model.hpp"

namespace webtongue {

struct Batch {
    const uint64_t* keys;
    uint32_t count;    // at most Scorer::BATCH
    int16_t* sums;
    uint32_t* lifts;   // one a cluster
    uint32_t* shared;  // numbers of the shared n-grams met are written here: `count` places
};

struct Seen {
    uint32_t none, shared;  // n-grams that no label knows, and that many share
};

struct Loops {
    Seen (*weigh)(const Tables&, const Batch&);  // adds the keys' weights to the sums, and lifts
    void (*add)(const int16_t* sums, size_t slots, int32_t* totals);  // slots: a multiple of 16
    // The highest of sum, total (none where null) and bar in each of some clusters.
    void (*highest)(const int16_t* sums, const int32_t* totals, const int16_t* barred, size_t clusters, int32_t* out);
    // Adds the shared n-grams' rows of some clusters (at most kMostScored) to 16 totals each.
    void (*score)(const Tables&, const uint32_t* shared, size_t count, const uint8_t* clusters, size_t cluster_count, int32_t* totals);
};

constexpr size_t kMostScored = 32;

const Loops& baseline_loops();
const Loops& best_loops();  // AVX2 where the machine has it

}  // namespace webtongue
