#include "url/model.hpp"

#include <algorithm>

#include "base/container.hpp"

namespace webtongue {
namespace {

enum Section { LABELS, PRIORS, BIAS, MIX, TAGS, ROWS, SCALES, EXPS, LOGS, MANIFEST, SECTIONS };
constexpr Container::Format kFormat{"WTU\r\n\x1a\n", 3, SECTIONS};
constexpr int32_t NATS_A_UNIT = 1024;
constexpr int SAFE = 256;  // rows whose sum stays within int16
constexpr uint32_t MOST_MIX = 4 << 12;  // a part that weighs four times what it did in training
constexpr int32_t kWindow = 16 * NATS_A_UNIT;  // labels this far behind the best do not count

struct Bucket {
    uint16_t tags[URL_BUCKET];
};
struct Row {
    int8_t weights[URL_LABELS];
};

// Which places of a bucket have the tag, two bits a place.
uint32_t places_in(const uint16_t* tags, uint16_t tag) {
#if defined(__SSE2__)
    const __m128i here = _mm_load_si128(reinterpret_cast<const __m128i*>(tags));
    return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi16(here, _mm_set1_epi16(static_cast<short>(tag)))));
#else
    uint32_t found = 0;
    for (int i = 0; i < URL_BUCKET; ++i) found |= static_cast<uint32_t>(tags[i] == tag) * 3u << 2 * i;
    return found;
#endif
}

// Sums of rows, at most SAFE of them.
void add_rows(const int8_t* table, const uint32_t* rows, int count, int32_t* sums) {
#if defined(__SSE2__)
    constexpr int WIDE = URL_LABELS / 16;
    __m128i part[2 * WIDE];
    for (__m128i& p : part) p = _mm_setzero_si128();
    for (int i = 0; i < count; ++i) {
        const __m128i* row = reinterpret_cast<const __m128i*>(table + size_t{rows[i]} * URL_LABELS);
        for (int k = 0; k < WIDE; ++k) {
            const __m128i bytes = _mm_load_si128(row + k);
            const __m128i sign = _mm_cmpgt_epi8(_mm_setzero_si128(), bytes);
            part[2 * k] = _mm_add_epi16(part[2 * k], _mm_unpacklo_epi8(bytes, sign));
            part[2 * k + 1] = _mm_add_epi16(part[2 * k + 1], _mm_unpackhi_epi8(bytes, sign));
        }
    }
    alignas(16) int16_t lanes[URL_LABELS];
    for (int k = 0; k < 2 * WIDE; ++k) _mm_store_si128(reinterpret_cast<__m128i*>(lanes) + k, part[k]);
    for (uint32_t k = 0; k < URL_LABELS; ++k) sums[k] += lanes[k];
#else
    for (int i = 0; i < count; ++i)
        for (uint32_t k = 0; k < URL_LABELS; ++k) sums[k] += table[size_t{rows[i]} * URL_LABELS + k];
#endif
}

int setting_of(const UrlFeatures& features) { return 4 * features.said + 2 * features.home + !features.national; }
int voice_of(uint8_t kind) { return 2 * static_cast<int>(part_of(kind)) + is_text(kind); }

// Whether a known feature of this kind tells languages apart: shapes and counts alone do not.
bool tells(uint8_t kind) {
    const auto plain = static_cast<UrlKind>(kind & URL_KIND);
    return plain != UrlKind::hyphens && plain != UrlKind::shape && plain != UrlKind::extension && plain != UrlKind::tld;
}

}  // namespace

UrlModel::UrlModel(Span memory) {
    const Container file(memory, kFormat);
    names_ = file.names(LABELS, 1, URL_LABELS);
    require_labels(names_);
    priors_ = biases_in(file, PRIORS, names_.size());
    bias_ = biases_in(file, BIAS, names_.size() * URL_SETTINGS);
    const auto mix = scales_in(file, MIX);
    require(mix.count == URL_SETTINGS * URL_VOICES, "there is not a weight for each part in each setting");
    require(std::all_of(mix.begin(), mix.end(), [](uint32_t w) { return w <= MOST_MIX; }), "a part weighs too much to be true");
    mix_ = mix.data;
    const auto buckets = file.records<Bucket>(TAGS, "tags come in whole buckets");
    require(buckets.count > 0 && buckets.count <= UINT32_MAX / URL_BUCKET, "it has too many features, or none");
    const auto rows = file.records<Row>(ROWS, buckets.count * URL_BUCKET, "there is not a row of weights for each tag");
    const auto scales = scales_in(file, SCALES);
    require(scales.count == URL_FEATURES + 1, "there is not a scale for each number of features");
    buckets_ = buckets.count;
    tags_ = buckets.data->tags;
    rows_ = rows.data->weights;
    scales_ = scales.data;
    exps_ = exps_in(file, EXPS);
    logs_ = logs_in(file, LOGS);
    manifest_ = file.text(MANIFEST);
}

int32_t UrlModel::log_of(uint64_t mass) const {  // mass is in 2^-30
    int top = 63;
    while (top > 0 && !(mass >> top & 1)) --top;
    const uint64_t rest = top >= 8 ? mass >> (top - 8) & 255 : mass << (8 - top) & 255;
    constexpr int64_t LN2 = 726817;  // 1024 ln 2, times 1024
    return static_cast<int32_t>(((top - 30) * LN2) / 1024) + static_cast<int32_t>(logs_[rest]);
}

uint32_t UrlModel::listen(const UrlFeatures& features, Voices& sums, uint32_t& heard) const {
    // Rows are found first, without branches, and fetched meanwhile: tags stay in cache, rows do not.
    uint32_t rows[URL_VOICES][URL_FEATURES];
    int counts[URL_VOICES] = {};
    uint32_t telling = 0;
    for (int i = 0; i < features.count; ++i) {
        const uint64_t key = features.keys[i];
        const uint16_t tag = (key & 0xFFFF) ? static_cast<uint16_t>(key) : 1;
        const uint64_t first = (key >> 32) * buckets_ >> 32, second = (key & 0xFFFFFFFF) * buckets_ >> 32;
        const uint32_t found = places_in(tags_ + first * URL_BUCKET, tag) | places_in(tags_ + second * URL_BUCKET, tag) << 16;
        const uint32_t place = static_cast<uint32_t>(__builtin_ctz(found | 1u << 31)) / 2;  // the first bucket's go first
        const uint64_t bucket = place < URL_BUCKET ? first : second;
        const int hit = found != 0;
        const uint32_t row = static_cast<uint32_t>(place % URL_BUCKET * buckets_ + bucket) * static_cast<uint32_t>(hit);
        const int8_t* at = rows_ + size_t{row} * URL_LABELS;
        __builtin_prefetch(at);
        __builtin_prefetch(at + URL_LABELS - 1);
        const int voice = voice_of(features.kinds[i]);
        rows[voice][counts[voice]] = row;
        counts[voice] += hit;
        telling += static_cast<uint32_t>(hit & tells(features.kinds[i]));
    }
    for (int voice = 0; voice < URL_VOICES; ++voice)
        for (int begin = 0; begin < counts[voice]; begin += SAFE)
            add_rows(rows_, rows[voice] + begin, std::min(SAFE, counts[voice] - begin), sums[voice]);
    heard = 0;
    for (int voice = 0; voice < URL_VOICES; ++voice) heard |= static_cast<uint32_t>(counts[voice] > 0) << voice;
    return telling;
}

int64_t UrlModel::loudness(const UrlFeatures& features, int voice) const {
    const int64_t unit = voice % 2 == 0 ? scales_[0] : features.texts ? scales_[std::min(features.texts, URL_FEATURES)] : 0;
    return unit * mix_[setting_of(features) * URL_VOICES + voice] >> 12;
}

bool UrlModel::weigh(std::string_view url, const UrlTables& tables, int32_t* out) const {
    UrlFeatures features;
    url_features(url, tables, features);
    if (features.reason != UrlReason::none) return false;
    Voices sums = {};
    uint32_t heard = 0;
    listen(features, sums, heard);
    for (int part = 0; part < URL_PARTS; ++part)
        for (size_t k = 0; k < names_.size(); ++k)
            out[static_cast<size_t>(part) * names_.size() + k] = static_cast<int32_t>(
                (sums[2 * part][k] * loudness(features, 2 * part) + sums[2 * part + 1][k] * loudness(features, 2 * part + 1)) >> 16);
    return true;
}

void UrlModel::rank(std::string_view url, const UrlTables& tables, const UrlPolicy& policy, uint32_t most, UrlOutcome& out) const {
    UrlFeatures features;
    url_features(url, tables, features);
    out.reason = features.reason;
    out.count = out.telling = 0;
    if (out.reason != UrlReason::none) return;
    Voices sums = {};
    uint32_t heard = 0;
    out.telling = listen(features, sums, heard);
    if (out.telling == 0 && !features.national) {
        out.reason = UrlReason::nothing;
        return;
    }
    double said[URL_LABELS] = {};  // whole numbers below 2^53, exact, in two lanes at a time
    for (int voice = 0; voice < URL_VOICES; ++voice) {
        if (!(heard >> voice & 1)) continue;
        const auto loud = static_cast<double>(loudness(features, voice));
        for (uint32_t k = 0; k < URL_LABELS; ++k) said[k] += sums[voice][k] * loud;
    }
    const int32_t* bias = bias_ + static_cast<size_t>(setting_of(features)) * names_.size();
    int32_t totals[URL_LABELS];
    for (size_t k = 0; k < names_.size(); ++k) totals[k] = bias[k] + static_cast<int32_t>(static_cast<int64_t>(said[k]) >> 16);
    const uint32_t n = static_cast<uint32_t>(names_.size());
    int32_t top = URL_IMPOSSIBLE * 2;
    for (uint32_t k = 0; k < n; ++k) top = std::max(top, totals[k] += policy.offsets[k]);
    if (top < URL_IMPOSSIBLE / 2) {
        out.reason = UrlReason::not_asked;
        return;
    }
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
    if (out.guesses[0].log_prob < policy.least) out.reason = UrlReason::too_little;
}

}  // namespace webtongue
