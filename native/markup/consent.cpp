#include "markup/consent.hpp"

#include <algorithm>

#include "markup/noise.hpp"

namespace webtongue {
namespace {

constexpr size_t kMaxTextBytes = 1 << 13;  // a longer text outweighs any banner
constexpr size_t kMaxBannerBytes = 1000;  // a longer block is an article or a policy
constexpr size_t kMaxButtonBytes = 40;
constexpr size_t kMaxButtonDistance = 8;  // blocks from a banner to its last button; options may stand between them
constexpr ptrdiff_t kMaxWordDistance = 80;  // bytes from a mention of cookies to the word that says that they are used

bool contains_any(Span text, const std::vector<std::string>& words) {
    const auto same = [](Byte a, char b) { return lower(a) == static_cast<Byte>(b); };
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return std::search(text.begin, text.end, word.begin(), word.end(), same) != text.end;
    });
}

// The next mention of cookies. The word is the same in most languages, and its k is small in running text.
const Byte* find_cookie(const Byte* from, const Byte* end) {
    for (const Byte* p = from; (p = find_byte(p, end, 'k')) < end; ++p)
        if (p - from >= 3 && starts_lower(p - 3, end, "cookie")) return p - 3;
    return end;
}

bool says_that_cookies_are_used(Span block, const ConsentWords& words) {
    for (const Byte* p = block.begin; (p = find_cookie(p, block.end)) < block.end; ++p) {
        const Span around{p - std::min(kMaxWordDistance, p - block.begin), p + std::min(kMaxWordDistance, block.end - p)};
        if (contains_any(around, words.uses)) return true;
    }
    return false;
}

bool is_button(Span block, const ConsentWords& words) {
    return block.size() <= kMaxButtonBytes && (contains_any(block, words.requests) || equals_lower(block, "ok"));
}

}  // namespace

void mark_consent(Span text, std::vector<Block>& blocks, const ConsentWords& words) {
    if (text.size() > kMaxTextBytes || find_cookie(text.begin, text.end) == text.end) return;
    const auto text_of = [&](size_t i) { return Span{text.begin + (i ? blocks[i - 1].text_end + 1 : 0), text.begin + blocks[i].text_end}; };
    for (size_t i = 0; i < blocks.size() && blocks[i].text_end <= text.size(); ++i) {
        const Span block = text_of(i);
        if (block.size() > kMaxBannerBytes || !says_that_cookies_are_used(block, words)) continue;
        bool is_banner = contains_any(block, words.requests);
        for (size_t k = i + 1; k < blocks.size() && k <= i + kMaxButtonDistance && blocks[k].text_end <= text.size(); ++k)
            if (is_button(text_of(k), words)) is_banner = true, blocks[k].flags |= kConsent;
        if (is_banner) blocks[i].flags |= kConsent;
    }
}

}  // namespace webtongue
