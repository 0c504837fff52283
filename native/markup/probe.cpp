#include "markup/probe.hpp"

#include <algorithm>

namespace webtongue {
namespace {

constexpr size_t kHeadBytes = 4096;
constexpr size_t kHzHeadBytes = 1 << 14;  // a page in HZ has its first shift within
constexpr size_t kUtf7HeadBytes = 1 << 16;
constexpr ptrdiff_t kMaxNuls = 5, kMaxNulsAtEnd = 3;  // in a row, as UTF-32 may have

bool is_control(Byte c) { return (c < 0x20 && !(c >= 0x09 && c <= 0x0D) && c != 0x1B) || c == 0x7F; }

// Skips bytes without control bytes, sixteen at a time.
const Byte* skip_text(const Byte* p, [[maybe_unused]] const Byte* end) {
#ifdef WEBTONGUE_SSE2
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

// Returns the number of NULs at p if they are padding, more in a row or at the end than any encoding of text has, else 0.
size_t padding_at(const Byte* p, const Byte* end, bool ends_page) {
    const Byte* last = std::find_if(p, end, [](Byte c) { return c != 0; });
    return last - p > (ends_page && last == end ? kMaxNulsAtEnd : kMaxNuls) ? static_cast<size_t>(last - p) : 0;
}

bool may_be_utf7(Span page) {
    const Byte* end = page.begin + std::min(page.size(), kUtf7HeadBytes);
    bool shifts = false;
    for (const Byte* p = page.begin; (p = find_byte(p, end, '+')) < end;) {
        const Byte* body = ++p;
        while (p < end && (is_alnum(*p) || *p == '+' || *p == '/')) ++p;
        if (p == end && end < page.end) return skip_ascii(page.begin, page.end) == page.end;  // the end of the sample cuts the shift
        const size_t bits = 6 * static_cast<size_t>(p - body);
        if (bits == 0 ? p == end || *p != '-' : bits < 16 || bits % 16 >= 6) return false;
        shifts = true;
    }
    return shifts && skip_ascii(page.begin, page.end) == page.end;
}

}  // namespace

Probe probe(Span page) {
    Probe result;
    const Byte* start = page.begin + padding_at(page.begin, page.end, true);
    const size_t n = std::min(static_cast<size_t>(page.end - start), kHeadBytes);
    result.head = static_cast<uint32_t>(n);
    const Byte* stop = start + n;
    for (const Byte* p = start; (p = skip_text(p, stop)) < stop;) {
        const Byte* chunk = stop - p > 16 ? p + 16 : stop;
        while (p < chunk) {
            result.controls += is_control(*p);
            if (const size_t padding = padding_at(p, stop, stop == page.end)) {
                result.head -= static_cast<uint32_t>(padding) - 1;
                p += padding;
                continue;
            }
            result.nuls[(p - page.begin) & 3] += *p == 0;
            ++p;
        }
    }
    result.escape = find_byte(page.begin, page.end, 0x1B) != page.end;
    const Byte* end = page.begin + std::min(page.size(), kHzHeadBytes);
    for (const Byte* p = page.begin; (p = find_byte(p, end, '~')) != end && !result.tilde_brace; ++p)
        result.tilde_brace = p + 1 < end && p[1] == '{';
    result.plus = may_be_utf7(page);
    result.wide_mark =
        page.size() >= 2 && ((page.begin[0] == 0xFF && page.begin[1] == 0xFE) || (page.begin[0] == 0xFE && page.begin[1] == 0xFF) ||
                             (page.size() >= 4 && std::memcmp(page.begin, "\0\0\xFE\xFF", 4) == 0));
    return result;
}

}  // namespace webtongue
