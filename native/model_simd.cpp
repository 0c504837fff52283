#include "model_simd.hpp"

#include <algorithm>

#include "model.hpp"

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#define WEBTONGUE_X86 1
#endif

#if defined(__GNUC__) || defined(__clang__)
#define FETCH(address) __builtin_prefetch(address)
#define AVX2 __attribute__((target("avx2")))
#else
#define FETCH(address) ((void)(address))
#define AVX2
#endif

namespace webtongue {
namespace {

inline uint64_t place_of(uint64_t key, uint64_t count) { return ((key >> 32) * count) >> 32; }

// The table is far larger than the nearest cache: all its lines are asked for before the first is read.
inline void fetch_all(const Tables& t) {
    for (uint32_t i = 0; i < t.count; ++i) FETCH(t.lines + place_of(t.keys[i], t.line_count) * PAIRS_PER_LINE);
}

inline uint32_t fetch_rows(const Tables& t, uint64_t line, uint32_t pair) {
    const uint32_t start = t.blocks[line / LINES_PER_BLOCK] + (pair >> 7 & (MAX_SLOTS - 1));
    if (start < t.row_count) {
        FETCH(t.row_cluster + start);
        FETCH(t.rows + static_cast<size_t>(start) * LANES_PER_ROW);
    }
    return start;
}

inline void add_pair(const Tables& t, uint32_t pair) {
    const uint32_t slot = pair >> 7 & (MAX_SLOTS - 1);
    t.sums[slot] = static_cast<int16_t>(t.sums[slot] + static_cast<int>(pair & 0x7F) - PAIR_ZERO);
}

#ifdef WEBTONGUE_X86

inline void add_row(int16_t* into, const int8_t* row) {
    const __m128i weights = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row));
    const __m128i signs = _mm_cmpgt_epi8(_mm_setzero_si128(), weights);
    auto* low = reinterpret_cast<__m128i*>(into);
    _mm_store_si128(low, _mm_add_epi16(_mm_load_si128(low), _mm_unpacklo_epi8(weights, signs)));
    _mm_store_si128(low + 1, _mm_add_epi16(_mm_load_si128(low + 1), _mm_unpackhi_epi8(weights, signs)));
}

// Bit i set where pair i of the line carries the key's 14-bit tag.
inline uint32_t match_line(const uint32_t* line, uint64_t key) {
    const __m128i tag = _mm_set1_epi32(static_cast<int>(key & 0x3FFF));
    uint32_t bits = 0;
    for (int part = 0; part < 4; ++part) {
        const __m128i pairs = _mm_loadu_si128(reinterpret_cast<const __m128i*>(line + part * 4));
        const __m128i same = _mm_cmpeq_epi32(_mm_srli_epi32(pairs, 18), tag);
        bits |= static_cast<uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(same))) << (part * 4);
    }
    return bits;
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

#else

inline void add_row(int16_t* into, const int8_t* row) {
    for (int lane = 0; lane < LANES_PER_ROW; ++lane) into[lane] = static_cast<int16_t>(into[lane] + row[lane]);
}

inline uint32_t match_line(const uint32_t* line, uint64_t key) {
    uint32_t bits = 0;
    for (int i = 0; i < PAIRS_PER_LINE; ++i) bits |= static_cast<uint32_t>(line[i] >> 18 == (key & 0x3FFF)) << i;
    return bits;
}

#endif

inline int lowest_bit(uint32_t bits) {
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctz(bits);
#else
    int at = 0;
    while (!(bits >> at & 1)) ++at;
    return at;
#endif
}

// One body, two instruction sets: a macro because a target attribute does not reach through a template argument.
// Pairs first; the rows that some of them point to are asked for meanwhile and added at the end. The check against
// row_count and the bound on `found` are what makes a hostile file harmless.
#define WEIGH(NAME, ATTRIBUTE, ADD_ROW, MATCH_LINE)                                                      \
    ATTRIBUTE uint32_t NAME(const Tables& t) {                                                           \
        uint32_t unseen = 0, found = 0;                                                                  \
        uint32_t starts[Scorer::BATCH];                                                                  \
        fetch_all(t);                                                                                    \
        for (uint32_t i = 0; i < t.count; ++i) {                                                         \
            const uint64_t key = t.keys[i], at = place_of(key, t.line_count);                            \
            const uint32_t* line = t.lines + at * PAIRS_PER_LINE;                                        \
            uint32_t bits = MATCH_LINE(line, key);                                                       \
            unseen += bits == 0;                                                                         \
            for (; bits != 0; bits &= bits - 1) {                                                        \
                const uint32_t pair = line[lowest_bit(bits)];                                            \
                if ((pair & 0x7F) != PAIR_ROWS) add_pair(t, pair);                                       \
                else if (found < Scorer::BATCH) starts[found++] = fetch_rows(t, at, pair);               \
            }                                                                                            \
        }                                                                                                \
        for (uint32_t i = 0; i < found; ++i)                                                             \
            for (uint32_t row = starts[i]; row < t.row_count; ++row) {                                   \
                const uint8_t cluster = t.row_cluster[row];                                              \
                ADD_ROW(t.sums + (cluster & (MAX_CLUSTERS - 1)) * LANES_PER_ROW,                         \
                        t.rows + static_cast<size_t>(row) * LANES_PER_ROW);                              \
                if (cluster & LAST_ROW) break;                                                           \
            }                                                                                            \
        return unseen;                                                                                   \
    }
#define FLUSH(NAME, ATTRIBUTE)                                                   \
    ATTRIBUTE void NAME(const Tables& t) {                                       \
        int32_t* __restrict totals = t.totals;                                   \
        int16_t* __restrict sums = t.sums;                                       \
        const uint32_t slots = t.slots & ~15u;                                   \
        for (uint32_t i = 0; i < slots; i += 16)                                 \
            for (uint32_t k = i; k < i + 16; ++k) totals[k] += sums[k];          \
        std::fill(sums, sums + slots, static_cast<int16_t>(0));                  \
    }
#define HIGHEST(NAME, ATTRIBUTE)                                                 \
    ATTRIBUTE int32_t NAME(const int32_t* values, size_t count) {                \
        int32_t best[16];                                                        \
        std::copy(values, values + 16, best);                                    \
        for (size_t i = 16; i < count; i += 16)                                  \
            for (size_t k = 0; k < 16; ++k) best[k] = best[k] > values[i + k] ? best[k] : values[i + k]; \
        return *std::max_element(best, best + 16);                               \
    }

WEIGH(weigh, , add_row, match_line)
FLUSH(flush, )
HIGHEST(highest, )
#ifdef WEBTONGUE_X86
WEIGH(weigh_avx2, AVX2, add_row_avx2, match_line_avx2)
FLUSH(flush_avx2, AVX2)
HIGHEST(highest_avx2, AVX2)
#endif

bool has_avx2() {
#if defined(WEBTONGUE_X86) && (defined(__GNUC__) || defined(__clang__))
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

}  // namespace

const Loops& baseline_loops() {
    static const Loops loops{weigh, flush, highest};
    return loops;
}

const Loops& best_loops() {
#ifdef WEBTONGUE_X86
    static const Loops loops{weigh_avx2, flush_avx2, highest_avx2};
    static const bool wide = has_avx2();
    return wide ? loops : baseline_loops();
#else
    return baseline_loops();
#endif
}

}  // namespace webtongue
