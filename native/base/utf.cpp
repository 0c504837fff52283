#include "base/utf.hpp"

namespace webtongue {
namespace {

// Returns the length of the valid character at p, or 0; `bad` is then the number of bytes that a decoder drops.
inline int sequence(const Byte* p, const Byte* end, int& bad) {
    const Byte c = p[0];
    bad = 1;
    if (c < 0xC2 || c > 0xF4) return 0;
    const int length = c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    if (p + 1 == end) return 0;
    Byte low = 0x80, high = 0xBF;
    if (c == 0xE0) low = 0xA0;
    else if (c == 0xED) high = 0x9F;
    else if (c == 0xF0) low = 0x90;
    else if (c == 0xF4) high = 0x8F;
    if (p[1] < low || p[1] > high) return 0;
    for (int i = 2; i < length; ++i) {
        bad = i;
        if (p + i == end || (p[i] & 0xC0) != 0x80) return 0;
    }
    return length;
}

#ifdef WEBTONGUE_SSE2
// Skips whole blocks of valid characters at p up to the start of a character, and counts the multibyte ones.
const Byte* skip_valid(const Byte* p, const Byte* end, size_t& multibyte) {
    const auto below = [](__m128i x, int limit) {  // bit mask of bytes beyond ASCII below `limit`
        return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmplt_epi8(x, _mm_set1_epi8(static_cast<char>(limit)))));
    };
    const auto equal = [](__m128i x, int value) {
        return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8(static_cast<char>(value)))));
    };
    uint32_t wanted = 0;  // trail bytes that the previous block still needs
    uint32_t e0 = 0, ed = 0, f0 = 0, f4 = 0;  // whether the last byte of the previous block restricts the next byte
    for (; end - p >= 16; p += 16) {
        const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
        const uint32_t high = static_cast<uint32_t>(_mm_movemask_epi8(x));
        if (!(high | wanted)) continue;
        const uint32_t trail = below(x, 0xC0), leads = high & ~trail, three = high & ~below(x, 0xE0), four = high & ~below(x, 0xF0);
        const uint32_t never = (leads & below(x, 0xC2)) | (high & ~below(x, 0xF5));
        const uint32_t needed = wanted | leads << 1 | three << 2 | four << 3;
        uint32_t wrong = never | ((needed & 0xFFFF) ^ trail);
        if (three | e0 | ed | f0 | f4) {
            const uint32_t low = below(x, 0xA0), lowest = below(x, 0x90);
            e0 |= equal(x, 0xE0) << 1, ed |= equal(x, 0xED) << 1, f0 |= equal(x, 0xF0) << 1, f4 |= equal(x, 0xF4) << 1;
            wrong |= (e0 & low) | (ed & trail & ~low) | (f0 & lowest) | (f4 & trail & ~lowest);
            e0 >>= 16, ed >>= 16, f0 >>= 16, f4 >>= 16;
        }
        if (wrong) break;
        multibyte += count_ones(leads);
        wanted = needed >> 16;
    }
    if (wanted) {  // back to the start of the incomplete character
        do --p;
        while ((*p & 0xC0) == 0x80);
        --multibyte;
    }
    return p;
}
#else
const Byte* skip_valid(const Byte* p, const Byte* end, size_t&) { return skip_ascii(p, end); }
#endif

}  // namespace

Utf8Check check_utf8(Span s, size_t give_up) {
    Utf8Check out;
    const Byte* p = s.begin;
    while (p < s.end) {
        p = skip_valid(p, s.end, out.multibyte);
        const Byte* stop = s.end - p < 16 ? s.end : p + 16;  // an invalid block is read byte by byte
        while (p < stop) {
            if (*p < 0x80) {
                ++p;
                continue;
            }
            int bad;
            const int length = sequence(p, s.end, bad);
            if (length) {
                ++out.multibyte;
                p += length;
                continue;
            }
            ++out.errors;
            if (out.errors >= give_up && out.errors > out.multibyte) return out;
            p += bad;
        }
    }
    return out;
}

}  // namespace webtongue
