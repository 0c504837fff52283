#include "charset/utf8_spans.hpp"

#include <algorithm>

namespace webtongue {
namespace {

bool is_trail(const Byte* p, const Byte* end) { return p < end && (*p & 0xC0) == 0x80; }

// Returns the bytes of the well-formed sequence that starts here, 0 if there is none.
size_t sequence_at(const Byte* p, const Byte* end) {
    const Byte lead = *p;
    if (lead < 0xC2 || lead > 0xF4 || !is_trail(p + 1, end)) return 0;
    if (lead < 0xE0) return 2;
    const Byte second = p[1];
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
        (lead == 0xF4 && second > 0x8F) || !is_trail(p + 2, end))
        return 0;
    if (lead < 0xF0) return 3;
    return is_trail(p + 3, end) ? 4 : 0;
}

bool is_letter(Byte b) { return (b | 0x20) >= 'a' && (b | 0x20) <= 'z'; }

// Returns the evidence of a run of bytes beyond ASCII for UTF-8 and moves `p` past it.
int64_t weigh_run(const Byte*& p, Span text, const Utf8Evidence& evidence) {
    const int32_t gains[] = {-evidence.error, 0, evidence.two, evidence.three, evidence.four};
    const Byte* first = p;
    int64_t sum = 0;
    while (p < text.end && *p >= 0x80) {
        const size_t size = sequence_at(p, text.end);
        // U+FFFD is no evidence: it may occur in any encoding.
        const bool is_replacement = size == 3 && p[0] == 0xEF && p[1] == 0xBF && p[2] == 0xBD;
        sum += is_replacement ? 0 : gains[size];
        p += size ? size : 1;
    }
    const bool is_isolated = p == first + 2 && sum > 0 && first > text.begin && is_letter(first[-1]);
    return is_isolated ? std::max(evidence.in_word, evidence.two) : sum;
}

}  // namespace

std::vector<Utf8Span> find_utf8_spans(Span text, const Utf8Evidence& evidence) {
    std::vector<Utf8Span> spans;
    const Byte *first = text.begin, *last = text.begin;  // start of the current span, and the end at which its sum is maximal
    int64_t sum = 0, best = 0;
    const auto close = [&] {
        if (best > 0 && best >= evidence.min_sum)
            spans.push_back({static_cast<size_t>(first - text.begin), static_cast<size_t>(last - text.begin)});
        sum = best = 0;
    };
    for (const Byte* p = text.begin; p < text.end;) {
        if (*p < 0x80) {
            ++p;
            continue;
        }
        if (sum <= 0) {
            close();
            first = p;
        }
        sum += weigh_run(p, text, evidence);
        if (sum > best) {
            best = sum;
            last = p;
        }
        if (best - sum > evidence.min_sum) close();
    }
    close();
    return spans;
}

}  // namespace webtongue
