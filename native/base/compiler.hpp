// What differs between compilers and processors: bit counts, prefetching, and the instruction sets of x86.
#pragma once

#include <cstdint>

#if defined(__SSE2__) || defined(_M_X64)  // MSVC defines no macro for SSE2, which every x86-64 has
#define WEBTONGUE_SSE2 1
#include <emmintrin.h>
#endif
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

namespace webtongue {

#if defined(_MSC_VER) && !defined(__clang__)

inline uint32_t count_ones(uint32_t bits) {
    bits -= bits >> 1 & 0x55555555u;
    bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
    return ((bits + (bits >> 4)) & 0x0F0F0F0Fu) * 0x01010101u >> 24;
}
inline uint32_t count_ones(uint64_t bits) {
    return count_ones(static_cast<uint32_t>(bits)) + count_ones(static_cast<uint32_t>(bits >> 32));
}

// Returns the index of the lowest bit that is set; `bits` is not 0.
inline int lowest_bit(uint32_t bits) {
    unsigned long index;
    _BitScanForward(&index, bits);
    return static_cast<int>(index);
}

// Returns the index of the highest bit that is set; `bits` is not 0.
inline int highest_bit(uint64_t bits) {
    unsigned long index;
    if (_BitScanReverse(&index, static_cast<uint32_t>(bits >> 32))) return 32 + static_cast<int>(index);
    _BitScanReverse(&index, static_cast<uint32_t>(bits));
    return static_cast<int>(index);
}

inline void prefetch([[maybe_unused]] const void* address) {
#if defined(_M_X64)
    _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#endif
}

#else

inline uint32_t count_ones(uint32_t bits) { return static_cast<uint32_t>(__builtin_popcount(bits)); }
inline uint32_t count_ones(uint64_t bits) { return static_cast<uint32_t>(__builtin_popcountll(bits)); }

// Returns the index of the lowest bit that is set; `bits` is not 0.
inline int lowest_bit(uint32_t bits) { return __builtin_ctz(bits); }

// Returns the index of the highest bit that is set; `bits` is not 0.
inline int highest_bit(uint64_t bits) { return 63 - __builtin_clzll(bits); }

inline void prefetch(const void* address) { __builtin_prefetch(address); }

#endif

}  // namespace webtongue
