// A line of the n-gram table: its index, and the pairs in it that belong to an n-gram.
#pragma once
#include "base/compiler.hpp"
#include "text/model.hpp"

namespace webtongue {

inline uint64_t line_index(uint64_t key, uint64_t count) { return ((key >> 32) * count) >> 32; }

// Returns a mask of the pairs of a line that have the key's 14-bit tag.
#ifdef WEBTONGUE_SSE2
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
#else
inline uint32_t match_line(const uint32_t* line, uint64_t key) {
    uint32_t bits = 0;
    for (int i = 0; i < PAIRS_PER_LINE; ++i) bits |= static_cast<uint32_t>(line[i] >> 18 == (key & 0x3FFF)) << i;
    return bits;
}
#endif

}  // namespace webtongue
