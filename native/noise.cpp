#include "noise.hpp"

#include <algorithm>

#include "scripts.hpp"
#include "utf8_reader.hpp"

namespace webtongue {
namespace {

constexpr size_t kLongestCommon = 64;  // bytes; longer blocks are not looked up
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

// Whether one character in twenty was lost. Most text has neither a question mark nor the lead byte of U+FFFD, and
// is done with after two searches.
bool is_damaged(Span s) {
    if (find_byte(s.begin, s.end, '?') == s.end && find_byte(s.begin, s.end, 0xEF) == s.end) return false;
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
    for (; p < s.end; ++p) h = (h ^ *p) * kPrime;
    return h ^ (h >> 32);
}

}  // namespace

uint64_t hash_folded(Span s) {
    uint64_t h = kOffset;
    for (const Byte* p = s.begin; p < s.end; ++p)
        if (is_alnum(*p) || *p >= 0x80) h = (h ^ lower(*p)) * kPrime;
    return h;
}

void mark_noise(Span text, std::vector<Block>& blocks, const uint64_t* common, size_t common_count) {
    Seen seen(blocks.size());
    const Byte* begin = text.begin;
    for (Block& block : blocks) {
        const Span s{begin, text.begin + std::min<size_t>(block.text_end, text.size())};
        if (s.end < s.begin) break;
        begin = s.end < text.end ? s.end + 1 : s.end;
        uint8_t flags = 0;
        if (!has_letter(s)) flags |= has_digit(s) ? kNumbers : kSymbols;
        if (is_damaged(s)) flags |= kDamaged;
        if (seen.insert(hash_bytes(s))) flags |= kRepeated;
        if (s.size() <= kLongestCommon && std::binary_search(common, common + common_count, hash_folded(s))) flags |= kCommon;
        block.flags = flags;
    }
}

}  // namespace webtongue
