#include "survey.hpp"

#include <algorithm>

namespace webtongue {
namespace {

constexpr size_t kHead = 4096;
constexpr size_t kTildeHead = 1 << 14;  // a page in HZ shows its first shift by then

bool is_control(Byte c) { return (c < 0x20 && !(c >= 0x09 && c <= 0x0D) && c != 0x1B) || c == 0x7F; }

}  // namespace

Survey survey(Span page) {
    Survey out;
    const size_t n = std::min(page.size(), kHead);
    out.head = static_cast<uint32_t>(n);
    for (size_t i = 0; i < n; ++i) {
        const Byte c = page.begin[i];
        if (c >= 0x20 && c != 0x7F) continue;
        out.controls += is_control(c);
        out.nuls[i & 3] += c == 0;
    }
    out.escape = std::memchr(page.begin, 0x1B, page.size()) != nullptr;
    const Byte* end = page.begin + std::min(page.size(), kTildeHead);
    for (const Byte* p = page.begin; (p = find_byte(p, end, '~')) != end && !out.tilde_brace; ++p)
        out.tilde_brace = p + 1 < end && p[1] == '{';
    return out;
}

}  // namespace webtongue
