#include "url/model.hpp"

#include <algorithm>

#include "base/container.hpp"

namespace webtongue {
namespace {

enum Section { LABELS, PRIORS, BIAS, MIX, TAGS, ROWS, SCALES, EXPS, LOGS, MANIFEST, SECTIONS };
constexpr Container::Format kFormat{"WTU\r\n\x1a\n", 4, SECTIONS};
constexpr int MAX_INT16_ROWS = 256;  // the sum of this many rows fits into int16
constexpr uint32_t MAX_MIX = 4 << 12;  // at most four times the weight in training
constexpr int32_t kMaxLogGap = 16 * LOG_SCALE;  // labels further behind the best are dropped

struct Bucket {
    uint16_t tags[URL_BUCKET_ROWS];
};
struct Row {
    int8_t weights[URL_LABELS];
};

// A mask of the slots of a bucket with the tag, two bits per slot.
uint32_t match_tags(const uint16_t* tags, uint16_t tag) {
#ifdef WEBTONGUE_SSE2
    const __m128i here = _mm_load_si128(reinterpret_cast<const __m128i*>(tags));
    return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi16(here, _mm_set1_epi16(static_cast<short>(tag)))));
#else
    uint32_t matches = 0;
    for (int i = 0; i < URL_BUCKET_ROWS; ++i) matches |= static_cast<uint32_t>(tags[i] == tag) * 3u << 2 * i;
    return matches;
#endif
}

// Adds at most MAX_INT16_ROWS rows to the sums.
void add_rows(const int8_t* table, const uint32_t* rows, int count, int32_t* sums) {
#ifdef WEBTONGUE_SSE2
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

int setting_of(const UrlFeatures& features) { return 2 * features.is_home + !features.is_national; }
constexpr int HOST_WORDS = 2 * static_cast<int>(UrlPart::host) + 1;  // the channel of the host's words
int channel_of(uint8_t kind) { return 2 * static_cast<int>(part_of(kind)) + is_text(kind); }

// True if features of this kind carry information about the language, unlike shapes and counts.
bool is_informative(uint8_t kind) { return !is_shape(kind) && (kind & URL_KIND_MASK) != static_cast<uint8_t>(UrlKind::tld); }

}  // namespace

UrlModel::UrlModel(Span memory) {
    const Container file(memory, kFormat);
    names_ = file.names(LABELS, 1, URL_LABELS);
    require_labels(names_);
    priors_ = read_biases(file, PRIORS, names_.size());
    bias_ = read_biases(file, BIAS, names_.size() * URL_SETTINGS);
    const auto mix = read_scales(file, MIX);
    require(mix.count == URL_SETTINGS * URL_CHANNELS, "there is not a weight for each part in each setting");
    require(std::all_of(mix.begin(), mix.end(), [](uint32_t w) { return w <= MAX_MIX; }), "a part weighs too much to be true");
    mix_ = mix.data;
    const auto buckets = file.records<Bucket>(TAGS, "tags come in whole buckets");
    require(buckets.count > 0 && buckets.count <= UINT32_MAX / URL_BUCKET_ROWS, "it has too many features, or none");
    const auto rows = file.records<Row>(ROWS, buckets.count * URL_BUCKET_ROWS, "there is not a row of weights for each tag");
    const auto scales = read_scales(file, SCALES);
    require(scales.count == MAX_URL_FEATURES + 1, "there is not a scale for each number of features");
    buckets_ = buckets.count;
    tags_ = buckets.data->tags;
    rows_ = rows.data->weights;
    scales_ = scales.data;
    exps_ = read_exps(file, EXPS);
    logs_ = read_logs(file, LOGS);
    manifest_ = file.text(MANIFEST);
}

int32_t UrlModel::log_of(uint64_t mass) const {  // `mass` has 30 fractional bits
    int top = 63;
    while (top > 0 && !(mass >> top & 1)) --top;
    const uint64_t rest = top >= 8 ? mass >> (top - 8) & 255 : mass << (8 - top) & 255;
    constexpr int64_t LN2 = 726817;  // LOG_SCALE * ln 2, times 1024
    return static_cast<int32_t>(((top - 30) * LN2) / 1024) + static_cast<int32_t>(logs_[rest]);
}

uint32_t UrlModel::sum_channels(const UrlFeatures& features, ChannelSums& sums, uint32_t& active) const {
    // Rows are looked up first, without branches, and prefetched meanwhile: tags stay in cache, rows do not.
    uint32_t rows[URL_CHANNELS][MAX_URL_FEATURES];
    int counts[URL_CHANNELS] = {};
    uint32_t informative = 0;
    for (int i = 0; i < features.count; ++i) {
        const uint64_t key = features.keys[i];
        const uint16_t tag = (key & 0xFFFF) ? static_cast<uint16_t>(key) : 1;
        const uint64_t first = (key >> 32) * buckets_ >> 32, second = (key & 0xFFFFFFFF) * buckets_ >> 32;
        const uint32_t matches = match_tags(tags_ + first * URL_BUCKET_ROWS, tag) | match_tags(tags_ + second * URL_BUCKET_ROWS, tag) << 16;
        const uint32_t slot = static_cast<uint32_t>(lowest_bit(matches | 1u << 31)) / 2;  // slots of the first bucket come first
        const uint64_t bucket = slot < URL_BUCKET_ROWS ? first : second;
        const int is_hit = matches != 0;
        const uint32_t row = static_cast<uint32_t>(slot % URL_BUCKET_ROWS * buckets_ + bucket) * static_cast<uint32_t>(is_hit);
        const int8_t* at = rows_ + size_t{row} * URL_LABELS;
        prefetch(at);
        prefetch(at + URL_LABELS - 1);
        const int channel = channel_of(features.kinds[i]);
        rows[channel][counts[channel]] = row;
        counts[channel] += is_hit;
        informative += static_cast<uint32_t>(is_hit & is_informative(features.kinds[i]));
    }
    for (int channel = 0; channel < URL_CHANNELS; ++channel)
        for (int begin = 0; begin < counts[channel]; begin += MAX_INT16_ROWS)
            add_rows(rows_, rows[channel] + begin, std::min(MAX_INT16_ROWS, counts[channel] - begin), sums[channel]);
    active = 0;
    for (int channel = 0; channel < URL_CHANNELS; ++channel) active |= static_cast<uint32_t>(counts[channel] > 0) << channel;
    return informative;
}

int64_t UrlModel::channel_scale(const UrlFeatures& features, int channel) const {
    const int64_t unit = channel % 2 == 0 ? scales_[0] : features.text_count ? scales_[std::min(features.text_count, MAX_URL_FEATURES)] : 0;
    return unit * mix_[setting_of(features) * URL_CHANNELS + channel] >> 12;
}

bool UrlModel::part_evidence(std::string_view url, const UrlTables& tables, int32_t* out) const {
    UrlFeatures features;
    url_features(url, tables, features);
    if (features.reason != UrlReason::none) return false;
    ChannelSums sums = {};
    uint32_t active = 0;
    sum_channels(features, sums, active);
    for (int part = 0; part < URL_PARTS; ++part)
        for (size_t k = 0; k < names_.size(); ++k)
            out[static_cast<size_t>(part) * names_.size() + k] = static_cast<int32_t>(
                (sums[2 * part][k] * channel_scale(features, 2 * part) + sums[2 * part + 1][k] * channel_scale(features, 2 * part + 1)) >>
                16);
    return true;
}

void UrlModel::score(const UrlFeatures& features, UrlScores& out) const {
    ChannelSums sums = {};
    uint32_t active = 0;
    out.is_known = sum_channels(features, sums, active) > 0;
    out.bias = bias_ + static_cast<size_t>(setting_of(features)) * names_.size();
    double top[URL_LABELS] = {}, words[URL_LABELS] = {}, host[URL_LABELS] = {};  // integers below 2^53, which are exact, two per vector
    for (int channel = 0; channel < URL_CHANNELS; ++channel) {
        if (!(active >> channel & 1)) continue;
        const auto scale = static_cast<double>(channel_scale(features, channel));
        double* scores = channel < 2 ? top : channel == HOST_WORDS ? host : words;
        for (uint32_t k = 0; k < URL_LABELS; ++k) scores[k] += sums[channel][k] * scale;
    }
    for (uint32_t k = 0; k < URL_LABELS; ++k) {
        out.top[k] = static_cast<int32_t>(static_cast<int64_t>(top[k]) >> 16);
        out.words[k] = static_cast<int32_t>(static_cast<int64_t>(words[k] + host[k]) >> 16);
        out.host[k] = static_cast<int32_t>(static_cast<int64_t>(host[k]) >> 16);
    }
}

int32_t UrlModel::log_sum(const int32_t* logs, size_t count) const {
    const int32_t top = *std::max_element(logs, logs + count);
    uint64_t mass = 0;
    for (size_t k = 0; k < count; ++k)
        if (logs[k] >= top - kMaxLogGap + LOG_SCALE / 256) mass += exps_[static_cast<uint32_t>(top - logs[k]) >> 2];
    return top + log_of(mass);
}

}  // namespace webtongue
