#include "markup/noise.hpp"

#include <algorithm>

#include "base/checks.hpp"
#include "base/scripts.hpp"
#include "base/utf8.hpp"

namespace webtongue {
namespace {

constexpr size_t kMaxCommonBytes = 64;  // longer blocks are not looked up
constexpr uint64_t kPrime = 0x100000001B3u;
constexpr uint64_t kOffset = 0xCBF29CE484222325u;

// True if a question mark stands for a lost letter: between two letters, or three in a row.
bool is_lost_letter(const Byte* p, Span s) {
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

// True if at least one character in twenty is lost.
bool is_damaged(Span s) {
    size_t letters = 0, lost = 0;
    for (const Byte* p = s.begin; p < s.end;) {
        if (*p < 0x80) {
            letters += is_alpha(*p);
            lost += *p == '?' && is_lost_letter(p, s);
            ++p;
            continue;
        }
        const char32_t c = read_utf8(p, s.end);
        if (c == 0xFFFD) ++lost;
        else letters += is_letter(c);
    }
    return lost && lost * 20 >= letters + lost;
}

// Tells whether spans of a text, in order, contain a byte.
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

bool is_ignored(Byte c) { return !is_alpha(c) && c < 0x80; }

// Returns a hash of the first four bytes that are not ignored, or of all of them.
size_t start_of(Span s) {
    uint32_t start = 0;
    int size = 0;
    for (const Byte* p = s.begin; p < s.end && size < 4; ++p) {
        if (is_ignored(*p)) continue;
        start = start << 8 | lower(*p);
        ++size;
    }
    return start * 0x9E3779B1u >> 16;
}

// Hashes of earlier blocks in open addressing, at most two thirds full.
class BlockHashes {
public:
    explicit BlockHashes(size_t blocks) {
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
    std::vector<uint32_t> slots_;  // half of each hash, to use less memory than the blocks
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

// Hashes the bytes that are not ignored, without ASCII case: "Home Page!" equals "home page", "New Page 2" equals "new page".
uint64_t hash_folded(Span s) {
    uint64_t h = kOffset;
    for (const Byte* p = s.begin; p < s.end; ++p)
        if (!is_ignored(*p)) h = (h ^ lower(*p)) * kPrime;
    return h;
}

}  // namespace

CommonStrings::CommonStrings(const std::vector<std::string>& strings, const std::vector<std::string>& notices, ConsentWords consent)
    : consent_(std::move(consent)) {
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
    if (text.size() > kMaxCommonBytes) return 0;
    const auto is_in = [this](const std::vector<uint64_t>& hashes, Span s) {
        return starts_[start_of(s)] && std::binary_search(hashes.begin(), hashes.end(), hash_folded(s));
    };
    const Byte* slash = find_byte(text.begin, text.end, '/');  // a version or a path follows: "nginx/1.18.0", "Index of /pub"
    if (slash < text.end && is_in(notices_, {text.begin, slash})) return kCommon | kNotice;
    if (!starts_[start_of(text)]) return 0;
    return is_in(notices_, text) ? kCommon | kNotice : is_in(common_, text) ? kCommon : 0;
}

void mark_noise(Span text, std::vector<Block>& blocks, const CommonStrings& common) {
    if (!is_enabled(Check::noise)) return;
    BlockHashes hashes(blocks.size());
    NextByte question(text, '?'), replaced(text, 0xEF);  // 0xEF is the lead byte of U+FFFD
    const Byte* begin = text.begin;
    for (Block& block : blocks) {
        const Span s{begin, text.begin + std::min<size_t>(block.text_end, text.size())};
        if (s.end < s.begin) break;
        begin = s.end < text.end ? s.end + 1 : s.end;
        uint8_t flags = 0;
        if (!has_letter(s)) flags |= has_digit(s) ? kNumbers : kSymbols;
        if ((question.is_in(s) || replaced.is_in(s)) && is_damaged(s)) flags |= kDamaged;
        if (hashes.insert(hash_bytes(s))) flags |= kRepeated;
        flags |= common.flags(s);
        block.flags = flags;
    }
    mark_consent(text, blocks, common.consent());
}

}  // namespace webtongue
