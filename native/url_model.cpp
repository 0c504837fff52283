#include "url_model.hpp"

#include <algorithm>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace webtongue {
namespace {

constexpr char MAGIC[] = "WTU\r\n\x1a\n";
constexpr uint32_t VERSION = 1;
enum Section { LABELS, PRIORS, BIAS, LINES, HEATS, EXPS, LOGS, MANIFEST, SECTIONS };
constexpr size_t HEADER = 32;
constexpr int EXP_COUNT = 4096, LOG_COUNT = 256;
constexpr int32_t NATS_A_UNIT = 1024;
constexpr int32_t kWindow = 16 * NATS_A_UNIT;  // labels this far behind the best do not count

template <class T>
T read(const uint8_t* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

// Places of a line whose tag is the feature's, as bits.
uint32_t matches(const uint32_t* line, uint32_t tag) {
#if defined(__SSE2__)
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
    __m128i equal[4];
    for (int i = 0; i < 4; ++i)
        equal[i] = _mm_cmpeq_epi32(_mm_srli_epi32(_mm_load_si128(reinterpret_cast<const __m128i*>(line) + i), URL_TAG_SHIFT), wanted);
    return static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(equal[0], equal[1]), _mm_packs_epi32(equal[2], equal[3]))));
#else
    uint32_t found = 0;
    for (int i = 0; i < URL_PAIRS; ++i) found |= static_cast<uint32_t>(line[i] >> URL_TAG_SHIFT == tag) << i;
    return found;
#endif
}

// The bit of a tag in its line's mask.
uint32_t mask_of(uint32_t tag) { return uint32_t{1} << (tag & 31); }

// Whether a known feature of this kind tells languages apart: shapes and counts alone do not.
bool tells(uint8_t kind) {
    const auto plain = static_cast<UrlKind>(kind & 0x7F);
    return plain != UrlKind::hyphens && plain != UrlKind::shape && plain != UrlKind::extension && plain != UrlKind::tld;
}

}  // namespace

bool UrlModel::open(const uint8_t* data, size_t size, std::string& error) {
    const auto fail = [&](const char* why) { return error = why, false; };
    if (size < HEADER + 16 * SECTIONS || std::memcmp(data, MAGIC, sizeof MAGIC) != 0) return fail("not a webtongue URL model");
    if (read<uint32_t>(data + 8) != VERSION || read<uint32_t>(data + 12) != SECTIONS) return fail("written by another release");
    if (read<uint64_t>(data + 16) != size) return fail("the file is cut");
    std::string_view part[SECTIONS];
    for (int i = 0; i < SECTIONS; ++i) {
        const uint64_t at = read<uint64_t>(data + HEADER + 16 * static_cast<size_t>(i)), length = read<uint64_t>(data + HEADER + 16 * static_cast<size_t>(i) + 8);
        if (at % 64 != 0 || at > size || length > size - at) return fail("a section lies outside the file");
        part[i] = {reinterpret_cast<const char*>(data) + at, length};
    }
    for (size_t at = 0; at < part[LABELS].size();) {
        const size_t end = std::min(part[LABELS].find('\n', at), part[LABELS].size());
        names_.push_back(part[LABELS].substr(at, end - at));
        at = end + 1;
    }
    const auto of = [&](Section s) { return reinterpret_cast<const uint32_t*>(part[s].data()); };
    if (names_.empty() || names_.size() > URL_LABELS) return fail("too many labels, or none");
    if (part[PRIORS].size() != 4 * names_.size() || part[BIAS].size() != 4 * names_.size()) return fail("priors and bias: one a label");
    if (part[HEATS].size() != 4 * (URL_FEATURES + 1) || part[EXPS].size() != 4 * EXP_COUNT || part[LOGS].size() != 4 * LOG_COUNT) return fail("a table has the wrong size");
    line_count_ = part[LINES].size() / 64;
    if (line_count_ == 0 || line_count_ > UINT32_MAX || reinterpret_cast<uintptr_t>(part[LINES].data()) % 16 != 0) return fail("lines are missing or out of place");
    masks_.assign(line_count_, 0);
    for (uint64_t i = 0; i < line_count_ * URL_PAIRS; ++i)
        if (of(LINES)[i]) masks_[i / URL_PAIRS] |= mask_of(of(LINES)[i] >> URL_TAG_SHIFT);
    priors_ = reinterpret_cast<const int32_t*>(of(PRIORS));
    bias_ = reinterpret_cast<const int32_t*>(of(BIAS));
    lines_ = of(LINES);
    heats_ = of(HEATS);
    exps_ = of(EXPS);
    logs_ = of(LOGS);
    manifest_ = part[MANIFEST];
    return true;
}

int32_t UrlModel::log_of(uint64_t mass) const {  // mass is in 2^-30
    int top = 63;
    while (top > 0 && !(mass >> top & 1)) --top;
    const uint64_t rest = top >= 8 ? mass >> (top - 8) & 255 : mass << (8 - top) & 255;
    constexpr int64_t LN2 = 726817;  // 1024 ln 2, times 1024
    return static_cast<int32_t>(((top - 30) * LN2) / 1024) + static_cast<int32_t>(logs_[rest]);
}

void UrlModel::score(const UrlFeatures& features, int32_t* totals, UrlOutcome& out) const {
    int32_t sums[2][URL_LABELS] = {};  // structural, text
    // Most features are in no line: half a megabyte of masks, which stays in cache, tells nearly all of them.
    uint32_t lines[URL_FEATURES], tags[URL_FEATURES];
    uint8_t kinds[URL_FEATURES];
    int count = 0;
    for (int i = 0; i < features.count; ++i) {
        const uint32_t line = static_cast<uint32_t>((features.keys[i] >> 32) * line_count_ >> 32);
        const uint32_t tag = static_cast<uint32_t>(features.keys[i]) >> URL_TAG_SHIFT;
        lines[count] = line;
        tags[count] = tag;
        kinds[count] = features.kinds[i];
        const bool maybe = (masks_[line] & mask_of(tag)) != 0;
        if (maybe) __builtin_prefetch(lines_ + size_t{line} * URL_PAIRS);
        count += maybe;
    }
    for (int i = 0; i < count; ++i) {
        const uint32_t* line = lines_ + size_t{lines[i]} * URL_PAIRS;
        uint32_t found = matches(line, tags[i]);
        if (!found) continue;
        int32_t* sum = sums[is_text(kinds[i])];
        out.telling += tells(kinds[i]);
        for (; found; found &= found - 1) {
            const uint32_t pair = line[__builtin_ctz(found)];
            sum[pair >> 8 & (URL_LABELS - 1)] += static_cast<int8_t>(pair & 0xFF);
        }
    }
    const int64_t plain = heats_[0], text = heats_[std::min(features.texts, URL_FEATURES)];
    for (size_t k = 0; k < names_.size(); ++k)
        totals[k] = bias_[k] + static_cast<int32_t>((sums[0][k] * plain + (features.texts ? sums[1][k] * text : 0)) >> 16);
}

void UrlModel::rank(std::string_view url, const Suffixes& suffixes, const int32_t* offsets, uint32_t most, UrlOutcome& out) const {
    UrlFeatures features;
    url_features(url, suffixes, features);
    out.reason = features.reason;
    out.count = out.telling = 0;
    if (out.reason != UrlReason::none) return;
    int32_t totals[URL_LABELS];
    score(features, totals, out);
    if (out.telling == 0 && !features.national) {
        out.reason = UrlReason::nothing;
        return;
    }
    const uint32_t n = static_cast<uint32_t>(names_.size());
    int32_t top = URL_IMPOSSIBLE * 2;
    for (uint32_t k = 0; k < n; ++k) top = std::max(top, totals[k] += offsets[k]);
    uint64_t mass = 0;
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; ++k) {
        if (totals[k] < top - kWindow + NATS_A_UNIT / 256) continue;
        mass += exps_[static_cast<uint32_t>(top - totals[k]) >> 2];
        out.guesses[count++] = {static_cast<uint16_t>(k), totals[k]};
    }
    out.count = std::min(most, count);
    std::partial_sort(out.guesses, out.guesses + out.count, out.guesses + count, [](const UrlGuess& a, const UrlGuess& b) {
        return a.log_prob != b.log_prob ? a.log_prob > b.log_prob : a.label < b.label;
    });
    const int32_t log_mass = log_of(mass);
    for (uint32_t i = 0; i < out.count; ++i) out.guesses[i].log_prob = std::min(0, out.guesses[i].log_prob - top - log_mass);
}

}  // namespace webtongue
