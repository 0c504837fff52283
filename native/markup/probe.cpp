#include "markup/probe.hpp"

#include <algorithm>

namespace webtongue {
namespace {

constexpr size_t kHead = 4096;
constexpr size_t kTildeHead = 1 << 14;  // a page in HZ shows its first shift by then
constexpr size_t kUtf7Head = 1 << 16;

bool is_control(Byte c) { return (c < 0x20 && !(c >= 0x09 && c <= 0x0D) && c != 0x1B) || c == 0x7F; }

// Past the bytes at p among which there is no control byte, sixteen at a time.
const Byte* skip_clean(const Byte* p, const Byte* end) {
#if defined(__SSE2__)
    const __m128i low = _mm_set1_epi8(0x1F), tab = _mm_set1_epi8(0x09), spaces = _mm_set1_epi8(0x04);
    const __m128i escape = _mm_set1_epi8(0x1B), del = _mm_set1_epi8(0x7F);
    for (; end - p >= 16; p += 16) {
        const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
        const __m128i small = _mm_cmpeq_epi8(_mm_min_epu8(c, low), c);
        const __m128i from_tab = _mm_sub_epi8(c, tab);  // 0 to 4 for tab, line feed, ..., carriage return
        const __m128i space = _mm_cmpeq_epi8(_mm_min_epu8(from_tab, spaces), from_tab);
        const __m128i harmless = _mm_or_si128(space, _mm_cmpeq_epi8(c, escape));
        const __m128i bad = _mm_or_si128(_mm_andnot_si128(harmless, small), _mm_cmpeq_epi8(c, del));
        if (_mm_movemask_epi8(bad)) break;
    }
#endif
    return p;
}

bool may_be_utf7(Span page) {
    const Byte* end = page.begin + std::min(page.size(), kUtf7Head);
    bool shifts = false;
    for (const Byte* p = page.begin; (p = find_byte(p, end, '+')) < end;) {
        const Byte* body = ++p;
        while (p < end && (is_alnum(*p) || *p == '+' || *p == '/')) ++p;
        if (p == end && end < page.end) return skip_ascii(page.begin, page.end) == page.end;  // cut off by the end of what is looked at
        const size_t bits = 6 * static_cast<size_t>(p - body);
        if (bits == 0 ? p == end || *p != '-' : bits < 16 || bits % 16 >= 6) return false;
        shifts = true;
    }
    return shifts && skip_ascii(page.begin, page.end) == page.end;
}

}  // namespace

Probe probe(Span page) {
    Probe out;
    const size_t n = std::min(page.size(), kHead);
    out.head = static_cast<uint32_t>(n);
    const Byte* stop = page.begin + n;
    for (const Byte* p = page.begin; (p = skip_clean(p, stop)) < stop;) {
        const Byte* chunk = stop - p > 16 ? p + 16 : stop;
        for (; p < chunk; ++p) {
            out.controls += is_control(*p);
            out.nuls[(p - page.begin) & 3] += *p == 0;
        }
    }
    out.escape = find_byte(page.begin, page.end, 0x1B) != page.end;
    const Byte* end = page.begin + std::min(page.size(), kTildeHead);
    for (const Byte* p = page.begin; (p = find_byte(p, end, '~')) != end && !out.tilde_brace; ++p)
        out.tilde_brace = p + 1 < end && p[1] == '{';
    out.plus = may_be_utf7(page);
    out.wide_mark =
        page.size() >= 2 && ((page.begin[0] == 0xFF && page.begin[1] == 0xFE) || (page.begin[0] == 0xFE && page.begin[1] == 0xFF) ||
                             (page.size() >= 4 && std::memcmp(page.begin, "\0\0\xFE\xFF", 4) == 0));
    return out;
}

}  // namespace webtongue
