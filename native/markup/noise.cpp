#include "markup/noise.hpp"

#include <algorithm>

#include "base/scripts.hpp"
#include "base/utf8.hpp"

namespace webtongue {
namespace {

constexpr size_t kLongestCommon = 64;  // bytes; longer blocks are not looked up
constexpr size_t kMostWithBanner = 1 << 13;  // bytes of a text that a banner may outweigh
constexpr uint64_t kPrime = 0x100000001B3u;
constexpr uint64_t kOffset = 0xCBF29CE484222325u;

// A question mark stands for a lost letter when letters touch it on both sides or when it comes in threes.
bool is_lost(const Byte* p, Span s) {
    const auto wordy = [](Byte c) { return is_alpha(c) || c >= 0x80; };
    if (p > s.begin && p + 1 < s.end && wordy(p[-1]) && wordy(p[1])) return true;
    return s.end - p >= 3 && p[1] == '?' && p[2] == '?';
}

bool has_letter(Span s) {
    for (const Byte* p = s.begin; p < s.end;) {
        if (*p < 0x80 ? is_alpha(*p++) : is_letter(read_utf8(p, s.end))) return true;
    }
    return false;
}

bool has_digit(Span s) { return std::any_of(s.begin, s.end, is_digit); }

// Whether one character in twenty was lost.
bool is_damaged(Span s) {
    size_t letters = 0, lost = 0;
    for (const Byte* p = s.begin; p < s.end;) {
        if (*p < 0x80) {
            letters += is_alpha(*p);
            lost += *p == '?' && is_lost(p, s);
            ++p;
            continue;
        }
        const char32_t c = read_utf8(p, s.end);
        if (c == 0xFFFD) ++lost;
        else letters += is_letter(c);
    }
    return lost && lost * 20 >= letters + lost;
}

// Where a byte is next, for one who asks from the beginning of a text to its end.
class NextByte {
public:
    NextByte(Span text, Byte wanted) : end_(text.end), at_(find_byte(text.begin, text.end, wanted)), wanted_(wanted) {}
    bool is_in(Span s) {
        if (at_ < s.begin) at_ = find_byte(s.begin, end_, wanted_);
        return at_ < s.end;
    }

private:
    const Byte* end_;
    const Byte* at_;
    Byte wanted_;
};

// Where cookies are spoken of next, likewise, in a text that is not too long. The word is the same in most languages; its k is
// small, as in running text.
class NextCookie {
public:
    explicit NextCookie(Span text) : text_(text), at_(text.size() <= kMostWithBanner ? find(text.begin) : text.end) {}
    bool is_in(Span s) {
        if (at_ < s.begin) at_ = find(s.begin);
        return at_ < s.end;
    }

private:
    const Byte* find(const Byte* from) const {
        for (const Byte* p = from; (p = find_byte(p, text_.end, 'k')) < text_.end; ++p)
            if (p - from >= 3 && starts_lower(p - 3, text_.end, "cookie")) return p - 3;
        return text_.end;
    }

    Span text_;
    const Byte* at_;
};

bool is_folded_away(Byte c) { return !is_alpha(c) && c < 0x80; }

// The first two bytes that count, 0 for one that is missing.
size_t start_of(Span s) {
    const Byte* first = std::find_if_not(s.begin, s.end, is_folded_away);
    const Byte* second = first == s.end ? first : std::find_if_not(first + 1, s.end, is_folded_away);
    return (first < s.end ? lower(*first) : 0u) << 8 | (second < s.end ? lower(*second) : 0u);
}

// Blocks seen before, by hash: open addressing, at most two thirds full.
class Seen {
public:
    explicit Seen(size_t blocks) {
        size_t size = 16;
        while (size < blocks + blocks / 2) size *= 2;
        slots_.assign(size, 0);
    }
    bool insert(uint64_t full) {
        const uint32_t hash = static_cast<uint32_t>(full) | 1;  // 0 is the empty slot
        const size_t mask = slots_.size() - 1;
        size_t at = (full >> 32) & mask;
        while (slots_[at] && slots_[at] != hash) at = (at + 1) & mask;
        const bool known = slots_[at] == hash;
        slots_[at] = hash;
        return known;
    }

private:
    std::vector<uint32_t> slots_;  // half a hash: memory stays below that of the blocks
};

uint64_t hash_bytes(Span s) {
    uint64_t h = kOffset ^ s.size();
    const Byte* p = s.begin;
    for (; s.end - p >= 8; p += 8) {
        uint64_t word;
        std::memcpy(&word, p, 8);
        h = (h ^ word) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    uint64_t rest = 0;
    std::memcpy(&rest, p, static_cast<size_t>(s.end - p));
    h = (h ^ rest) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 32);
}

// Of what counts, ASCII case ignored: "Home Page!" equals "home page", "New Page 2" equals "new page".
uint64_t hash_folded(Span s) {
    uint64_t h = kOffset;
    for (const Byte* p = s.begin; p < s.end; ++p)
        if (!is_folded_away(*p)) h = (h ^ lower(*p)) * kPrime;
    return h;
}

}  // namespace

CommonStrings::CommonStrings(const std::vector<std::string>& strings, const std::vector<std::string>& notices) {
    add(strings, common_);
    add(notices, notices_);
}

void CommonStrings::add(const std::vector<std::string>& strings, std::vector<uint64_t>& hashes) {
    for (const std::string& string : strings) {
        const Byte* p = reinterpret_cast<const Byte*>(string.data());
        const Span s{p, p + string.size()};
        hashes.push_back(hash_folded(s));
        starts_.set(start_of(s));
    }
    std::sort(hashes.begin(), hashes.end());
}

uint8_t CommonStrings::flags(Span text) const {
    if (text.size() > kLongestCommon || !starts_[start_of(text)]) return 0;
    const auto is_in = [](const std::vector<uint64_t>& hashes, uint64_t hash) {
        return std::binary_search(hashes.begin(), hashes.end(), hash);
    };
    const uint64_t hash = hash_folded(text);
    const Byte* slash = find_byte(text.begin, text.end, '/');  // a version or a path follows: "nginx/1.18.0", "Index of /pub"
    if (is_in(notices_, hash) || (slash < text.end && is_in(notices_, hash_folded({text.begin, slash})))) return kCommon | kNotice;
    return is_in(common_, hash) ? kCommon : 0;
}

void mark_noise(Span text, std::vector<Block>& blocks, const CommonStrings& common) {
    Seen seen(blocks.size());
    NextByte question(text, '?'), replaced(text, 0xEF);  // of a lost character, and the lead byte of U+FFFD
    NextCookie cookie(text);
    const Byte* begin = text.begin;
    for (Block& block : blocks) {
        const Span s{begin, text.begin + std::min<size_t>(block.text_end, text.size())};
        if (s.end < s.begin) break;
        begin = s.end < text.end ? s.end + 1 : s.end;
        uint8_t flags = 0;
        if (!has_letter(s)) flags |= has_digit(s) ? kNumbers : kSymbols;
        if ((question.is_in(s) || replaced.is_in(s)) && is_damaged(s)) flags |= kDamaged;
        if (seen.insert(hash_bytes(s))) flags |= kRepeated;
        flags |= common.flags(s);
        if (cookie.is_in(s)) flags |= kConsent;
        block.flags = flags;
    }
}

}  // namespace webtongue
