#include "text/simd.hpp"

#include <algorithm>

#include "text/scorer.hpp"
#include "text/table_line.hpp"

#ifdef WEBTONGUE_SSE2
#include <immintrin.h>
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#define AVX2  // MSVC compiles every intrinsic without an option
#else
#define AVX2 __attribute__((target("avx2,popcnt")))
#endif

namespace webtongue {
namespace {

// The table is far larger than the cache, so that all lines are prefetched before the first is read.
inline void prefetch_lines(const Tables& t, const Batch& b) {
    for (uint32_t i = 0; i < b.count; ++i) prefetch(t.lines + line_index(b.keys[i], t.line_count) * PAIRS_PER_LINE);
}

inline void add_pair(int16_t* sums, uint32_t pair) {
    const uint32_t slot = pair >> 7 & (MAX_SLOTS - 1);
    sums[slot] = static_cast<int16_t>(sums[slot] + static_cast<int>(pair & 0x7F) - PAIR_ZERO);
}

#ifdef WEBTONGUE_SSE2

inline void add_row(int16_t* into, const int8_t* row) {
    const __m128i weights = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row));
    const __m128i signs = _mm_cmpgt_epi8(_mm_setzero_si128(), weights);
    auto* low = reinterpret_cast<__m128i*>(into);
    _mm_store_si128(low, _mm_add_epi16(_mm_load_si128(low), _mm_unpacklo_epi8(weights, signs)));
    _mm_store_si128(low + 1, _mm_add_epi16(_mm_load_si128(low + 1), _mm_unpackhi_epi8(weights, signs)));
}

AVX2 inline void add_row_avx2(int16_t* into, const int8_t* row) {
    auto* sums = reinterpret_cast<__m256i*>(into);
    const __m256i weights = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row)));
    _mm256_store_si256(sums, _mm256_add_epi16(_mm256_load_si256(sums), weights));
}

AVX2 inline uint32_t match_line_avx2(const uint32_t* line, uint64_t key) {
    const __m256i tag = _mm256_set1_epi32(static_cast<int>(key & 0x3FFF));
    const auto half = [&](const uint32_t* at) AVX2 {
        const __m256i pairs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
        const __m256i same = _mm256_cmpeq_epi32(_mm256_srli_epi32(pairs, 18), tag);
        return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(same)));
    };
    return half(line) | half(line + 8) << 8;
}

AVX2 inline int16_t highest_in_avx2(const int16_t* sums, const int16_t* barred) {
    const __m256i lanes = _mm256_blendv_epi8(_mm256_load_si256(reinterpret_cast<const __m256i*>(sums)), _mm256_set1_epi16(INT16_MIN),
                                             _mm256_loadu_si256(reinterpret_cast<const __m256i*>(barred)));
    const __m128i half = _mm_max_epi16(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    const __m128i inverted = _mm_xor_si128(half, _mm_set1_epi16(INT16_MAX));  // the unsigned minimum is the signed maximum
    return static_cast<int16_t>(_mm_extract_epi16(_mm_minpos_epu16(inverted), 0) ^ INT16_MAX);
}

#else

inline void add_row(int16_t* into, const int8_t* row) {
    for (int lane = 0; lane < LANES_PER_ROW; ++lane) into[lane] = static_cast<int16_t>(into[lane] + row[lane]);
}

#endif

inline int16_t highest_in(const int16_t* __restrict sums, const int16_t* __restrict barred) {
    int16_t best = INT16_MIN;
    for (int i = 0; i < LANES_PER_ROW; ++i) {
        const int16_t lane = barred[i] ? static_cast<int16_t>(INT16_MIN) : sums[i];
        best = lane > best ? lane : best;
    }
    return best;
}

// A lift has four bits, so that the sum of 17 fits into a byte.
constexpr uint32_t kLiftsInByte = 17;
constexpr size_t kHalf = SHARED_CLUSTERS / 2;

// One body for two instruction sets, as a macro because a target attribute does not reach through a template argument. Pairs are added
// first; the rows and shared n-grams that some of them point to are prefetched meanwhile and added at the end. The checks against the
// counts make a hostile file harmless.
#define ADD_WEIGHTS(NAME, ATTRIBUTE, ADD_ROW, MATCH_LINE)                                                                            \
    ATTRIBUTE uint32_t NAME(const Tables& t, const Batch& b, BatchHits& hits) {                                                      \
        uint32_t unseen = 0, row_hits = 0, shared_hits = 0, pairs = 0;                                                               \
        prefetch_lines(t, b);                                                                                                        \
        for (uint32_t i = 0; i < b.count; ++i) {                                                                                     \
            const uint64_t key = b.keys[i], at = line_index(key, t.line_count);                                                      \
            const uint32_t* line = t.lines + at * PAIRS_PER_LINE;                                                                    \
            uint32_t bits = MATCH_LINE(line, key);                                                                                   \
            unseen += bits == 0;                                                                                                     \
            for (; bits != 0; bits &= bits - 1) {                                                                                    \
                const uint32_t pair = line[lowest_bit(bits)], slot = pair >> 7 & (MAX_SLOTS - 1);                                    \
                if ((pair & 0x7F) == PAIR_SHARED) {                                                                                  \
                    const uint32_t number = t.blocks[at / LINES_PER_BLOCK].shared + slot;                                            \
                    if (number >= t.shared_count || shared_hits == b.count) continue;                                                \
                    prefetch(t.shared + number);                                                                                     \
                    hits.shared[shared_hits++] = {number, i};                                                                        \
                } else if ((pair & 0x7F) == PAIR_ROWS) {                                                                             \
                    const uint32_t start = t.blocks[at / LINES_PER_BLOCK].row + slot;                                                \
                    if (start >= t.row_count || row_hits == b.count) continue;                                                       \
                    prefetch(t.row_cluster + start);                                                                                 \
                    prefetch(t.rows + static_cast<size_t>(start) * LANES_PER_ROW);                                                   \
                    prefetch(t.rows + static_cast<size_t>(start) * LANES_PER_ROW + 64);                                              \
                    hits.rows[row_hits++] = {start, i};                                                                              \
                } else {                                                                                                             \
                    add_pair(b.sums, pair);                                                                                          \
                    if (pairs < 2 * Scorer::BATCH) hits.pairs[pairs++] = {pair, i};                                                  \
                }                                                                                                                    \
            }                                                                                                                        \
        }                                                                                                                            \
        for (uint32_t i = 0; i < row_hits; ++i)                                                                                      \
            for (uint32_t row = hits.rows[i].entry; row < t.row_count; ++row) {                                                      \
                const uint8_t cluster = t.row_cluster[row];                                                                          \
                ADD_ROW(b.sums + (cluster & (MAX_CLUSTERS - 1)) * LANES_PER_ROW, t.rows + static_cast<size_t>(row) * LANES_PER_ROW); \
                if (cluster & LAST_ROW) break;                                                                                       \
            }                                                                                                                        \
        for (uint32_t i = 0; i < shared_hits; i += kLiftsInByte) {                                                                   \
            uint8_t lifts[SHARED_CLUSTERS] = {};                                                                                     \
            for (uint32_t k = i; k < shared_hits && k < i + kLiftsInByte; ++k) {                                                     \
                const uint8_t* lift = t.shared[hits.shared[k].entry].lift;                                                           \
                for (size_t c = 0; c < kHalf; ++c) {                                                                                 \
                    lifts[c] = static_cast<uint8_t>(lifts[c] + (lift[c] & 15));                                                      \
                    lifts[c + kHalf] = static_cast<uint8_t>(lifts[c + kHalf] + (lift[c] >> 4));                                      \
                }                                                                                                                    \
            }                                                                                                                        \
            for (size_t c = 0; c < SHARED_CLUSTERS; ++c) b.lifts[c] += lifts[c];                                                     \
        }                                                                                                                            \
        hits.shared_count = shared_hits;                                                                                             \
        hits.row_count = row_hits;                                                                                                   \
        hits.pair_count = pairs;                                                                                                     \
        return unseen;                                                                                                               \
    }

#define ADD(NAME, ATTRIBUTE)                                                                        \
    ATTRIBUTE void NAME(const int16_t* __restrict sums, size_t slots, int32_t* __restrict totals) { \
        for (size_t i = 0; i < slots / 16 * 16; ++i) totals[i] += sums[i];                          \
    }

// Barred labels get the lowest score. Without totals all values fit into 16 bits.
#define HIGHEST(NAME, ATTRIBUTE, HIGHEST_IN)                                                                                \
    ATTRIBUTE void NAME(const int16_t* __restrict sums, const int32_t* __restrict totals, const int16_t* __restrict barred, \
                        size_t clusters, int32_t* __restrict out) {                                                         \
        for (size_t k = 0; k < clusters; ++k, sums += LANES_PER_ROW, barred += LANES_PER_ROW) {                             \
            if (totals == nullptr) {                                                                                        \
                out[k] = HIGHEST_IN(sums, barred);                                                                          \
                continue;                                                                                                   \
            }                                                                                                               \
            int32_t best = INT16_MIN;                                                                                       \
            for (int i = 0; i < LANES_PER_ROW; ++i) {                                                                       \
                const int32_t lane = barred[i] ? INT16_MIN : sums[i] + totals[i];                                           \
                best = lane > best ? lane : best;                                                                           \
            }                                                                                                               \
            out[k] = best;                                                                                                  \
            totals += LANES_PER_ROW;                                                                                        \
        }                                                                                                                   \
    }

struct Row {
    uint32_t row, sums_index;  // index of the row, and of its sums
};

// Finds and prefetches the rows of a shared n-gram for some clusters. Returns their number. `out` has room for all clusters. Whether a
// cluster has a row cannot be predicted, so that there is no branch on it.
#define FIND_ROWS(NAME, ATTRIBUTE)                                                                                                       \
    ATTRIBUTE inline size_t NAME(const Tables& t, const Shared& s, const uint8_t* clusters, size_t count, size_t sums_index, Row* out) { \
        const uint64_t halves[2] = {s.has[0] | uint64_t{s.has[1]} << 32, s.has[2]};                                                      \
        const uint32_t starts[2] = {s.row, s.row + count_ones(halves[0])};                                                               \
        size_t n = 0;                                                                                                                    \
        for (size_t k = 0; k < count; ++k) {                                                                                             \
            if (clusters[k] >= SHARED_CLUSTERS) continue;                                                                                \
            const uint64_t has = halves[clusters[k] / 64], bit = uint64_t{1} << clusters[k] % 64;                                        \
            const uint32_t row = starts[clusters[k] / 64] + count_ones(has & (bit - 1));                                                 \
            prefetch(t.rows + static_cast<size_t>(row) * LANES_PER_ROW);                                                                 \
            out[n] = {row, static_cast<uint32_t>(sums_index + k)};                                                                       \
            n += ((has & bit) != 0) & (row < t.row_count);                                                                               \
        }                                                                                                                                \
        return n;                                                                                                                        \
    }

// Rows of a batch of n-grams are found and prefetched, then added.
#define SCORE(NAME, ATTRIBUTE, ADD_ROW, FIND)                                                                                  \
    ATTRIBUTE void NAME(const Tables& t, const uint32_t* shared, size_t count, const uint8_t* clusters, size_t cluster_count,  \
                        int32_t* totals) {                                                                                     \
        constexpr size_t kPrefetchNgrams = 32;                                                                                 \
        Row hits[kPrefetchNgrams * kMaxScoredClusters + 1];                                                                    \
        alignas(64) int16_t sums[kMaxScoredClusters * LANES_PER_ROW];                                                          \
        cluster_count = std::min(cluster_count, kMaxScoredClusters);                                                           \
        for (size_t from = 0; from < count; from += kPrefetchNgrams) {                                                         \
            const size_t to = std::min(count, from + kPrefetchNgrams);                                                         \
            size_t n = 0;                                                                                                      \
            for (size_t i = from; i < to; ++i) n += FIND(t, t.shared[shared[i]], clusters, cluster_count, 0, hits + n);        \
            std::fill(sums, sums + cluster_count * LANES_PER_ROW, static_cast<int16_t>(0));                                    \
            for (size_t i = 0; i < n; ++i)                                                                                     \
                ADD_ROW(sums + hits[i].sums_index * LANES_PER_ROW, t.rows + static_cast<size_t>(hits[i].row) * LANES_PER_ROW); \
            for (size_t i = 0; i < cluster_count * LANES_PER_ROW; ++i) totals[i] += sums[i];                                   \
        }                                                                                                                      \
    }

#define SCORE_TEXTS(NAME, ATTRIBUTE, ADD_ROW, FIND)                                                                                        \
    ATTRIBUTE void NAME(const Tables& t, const KeptHits& kept_hits, const uint16_t* texts, const uint8_t* clusters, size_t cluster_count,  \
                        int16_t* sums) {                                                                                                   \
        constexpr size_t kPrefetchNgrams = 32;                                                                                             \
        Row hits[kPrefetchNgrams * kMaxScoredClusters + 1];                                                                                \
        int8_t places[MAX_CLUSTERS];                                                                                                       \
        std::fill(places, places + MAX_CLUSTERS, static_cast<int8_t>(-1));                                                                 \
        cluster_count = std::min(cluster_count, kMaxScoredClusters);                                                                       \
        for (size_t k = 0; k < cluster_count; ++k) places[clusters[k]] = static_cast<int8_t>(k);                                           \
        const size_t width = cluster_count * LANES_PER_ROW;                                                                                \
        for (size_t from = 0; from < kept_hits.shared.size(); from += kPrefetchNgrams) {                                                   \
            const size_t to = std::min(kept_hits.shared.size(), from + kPrefetchNgrams);                                                   \
            size_t n = 0;                                                                                                                  \
            for (size_t i = from; i < to; ++i)                                                                                             \
                n += FIND(t, t.shared[kept_hits.shared[i].entry], clusters, cluster_count, texts[kept_hits.shared[i].key] * cluster_count, \
                          hits + n);                                                                                                       \
            for (size_t i = 0; i < n; ++i)                                                                                                 \
                ADD_ROW(sums + hits[i].sums_index * LANES_PER_ROW, t.rows + static_cast<size_t>(hits[i].row) * LANES_PER_ROW);             \
        }                                                                                                                                  \
        for (const Hit& hit : kept_hits.rows)                                                                                              \
            for (uint32_t row = hit.entry; row < t.row_count; ++row) {                                                                     \
                const uint8_t cluster = t.row_cluster[row];                                                                                \
                const int sums_index = places[cluster & (MAX_CLUSTERS - 1)];                                                               \
                if (sums_index >= 0)                                                                                                       \
                    ADD_ROW(sums + texts[hit.key] * width + static_cast<size_t>(sums_index) * LANES_PER_ROW,                               \
                            t.rows + static_cast<size_t>(row) * LANES_PER_ROW);                                                            \
                if (cluster & LAST_ROW) break;                                                                                             \
            }                                                                                                                              \
        for (const Hit& hit : kept_hits.pairs) {                                                                                           \
            const uint32_t slot = hit.entry >> 7 & (MAX_SLOTS - 1);                                                                        \
            const int sums_index = places[slot / LANES_PER_ROW];                                                                           \
            if (sums_index < 0) continue;                                                                                                  \
            int16_t& sum = sums[texts[hit.key] * width + static_cast<size_t>(sums_index) * LANES_PER_ROW + slot % LANES_PER_ROW];          \
            sum = static_cast<int16_t>(sum + static_cast<int>(hit.entry & 0x7F) - PAIR_ZERO);                                              \
        }                                                                                                                                  \
    }

ADD_WEIGHTS(add_weights, , add_row, match_line)
ADD(add, )
HIGHEST(highest, , highest_in)
FIND_ROWS(find_rows, )
SCORE(score, , add_row, find_rows)
SCORE_TEXTS(score_texts, , add_row, find_rows)
#ifdef WEBTONGUE_SSE2
ADD_WEIGHTS(add_weights_avx2, AVX2, add_row_avx2, match_line_avx2)
ADD(add_avx2, AVX2)
HIGHEST(highest_avx2, AVX2, highest_in_avx2)
FIND_ROWS(find_rows_avx2, AVX2)
SCORE(score_avx2, AVX2, add_row_avx2, find_rows_avx2)
SCORE_TEXTS(score_each_avx2, AVX2, add_row_avx2, find_rows_avx2)
#endif

#ifdef WEBTONGUE_SSE2
bool has_avx2() {
#if defined(_MSC_VER) && !defined(__clang__)
    int leaf[4];
    __cpuid(leaf, 1);
    const bool saves_wide_registers = (leaf[2] >> 27 & 1) != 0 && (_xgetbv(0) & 6) == 6;
    const bool counts_bits = (leaf[2] >> 23 & 1) != 0;
    __cpuidex(leaf, 7, 0);
    return saves_wide_registers && counts_bits && (leaf[1] >> 5 & 1) != 0;
#else
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
#endif
}
#endif

}  // namespace

const Loops& baseline_loops() {
    static const Loops loops{add_weights, add, highest, score, score_texts};
    return loops;
}

const Loops& best_loops() {
#ifdef WEBTONGUE_SSE2
    static const Loops loops{add_weights_avx2, add_avx2, highest_avx2, score_avx2, score_each_avx2};
    static const bool wide = has_avx2();
    return wide ? loops : baseline_loops();
#else
    return baseline_loops();
#endif
}

}  // namespace webtongue
