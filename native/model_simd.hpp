// The inner loops of the scorer, once for the x86-64 baseline (or plain C++ elsewhere) and once for AVX2.
#pragma once
#include <cstddef>
#include <cstdint>

namespace webtongue {

struct Tables {
    const uint64_t* keys;
    uint32_t count;
    const uint32_t* blocks;
    const uint8_t* row_cluster;
    const int8_t* rows;
    uint32_t row_count;
    const uint32_t* lines;
    uint64_t line_count;
    int16_t* sums;
    uint32_t slots;  // sums and totals in use, a multiple of 16
    int32_t* totals;
};

struct Loops {
    uint32_t (*weigh)(const Tables&);                            // adds the keys' weights; returns how many were unseen
    void (*flush)(const Tables&);                                // totals += sums, sums = 0
    int32_t (*highest)(const int32_t* values, size_t count);     // count: a multiple of 16
};

const Loops& baseline_loops();
const Loops& best_loops();  // AVX2 where the machine has it

}  // namespace webtongue
