#include "charset/byte_model.hpp"

#include <algorithm>

#include "charset/character_costs.hpp"

namespace webtongue {
namespace {

enum Section {
    NAMES,
    RULE,
    BIAS,
    TAGS,
    ROWS,
    SCALES,
    KINDS,
    TABLES,
    LETTERS,
    LETTER_KINDS,
    CONTEXTS,
    CONTEXT_SCALES,
    BYTE_COSTS,
    CHARACTER_COSTS,
    STEP_COSTS,
    MANIFEST,
    SECTIONS
};
constexpr Container::Format kFormat{"WTB\r\n\x1a\n", 3, SECTIONS};
constexpr size_t kRuleBytes = 264;  // map, two sets of orders, everywhere, a spare byte, maximal n-grams
constexpr uint32_t kMaxNgrams = 2048;  // sums of so many n-grams fit in int32 at any scale
constexpr int32_t kMaxContextNats = 1 << 28;
constexpr size_t kMaxContextWeights = 1 << 24;
constexpr size_t kRowsPerSum = 256;  // sums of so many rows fit in int16
constexpr int kMaxPrefixBytes = 12;  // bytes of a word that are read before its first byte beyond ASCII
constexpr size_t kMaxDuelBytes = 64;  // bytes with different characters in two classes whose n-grams decide between them
constexpr size_t kMaxOddsBytes = 1 << 11;  // enough to tell text from random bytes; their log-odds fit in int32
constexpr int kSpanBytes = 64;  // unit of sampling in a long text

// Adds rows of `width` weights, at most kRowsPerSum of them.
void add_rows(const int8_t* table, size_t width, const uint32_t* rows, size_t count, int32_t* sums) {
    for (size_t k = 0; k < width; k += 16) {
#ifdef WEBTONGUE_SSE2
        __m128i low = _mm_setzero_si128(), high = _mm_setzero_si128();
        for (size_t i = 0; i < count; ++i) {
            const __m128i bytes = _mm_load_si128(reinterpret_cast<const __m128i*>(table + size_t{rows[i]} * width + k));
            const __m128i sign = _mm_cmpgt_epi8(_mm_setzero_si128(), bytes);
            low = _mm_add_epi16(low, _mm_unpacklo_epi8(bytes, sign));
            high = _mm_add_epi16(high, _mm_unpackhi_epi8(bytes, sign));
        }
        alignas(16) int16_t lanes[16];
        _mm_store_si128(reinterpret_cast<__m128i*>(lanes), low);
        _mm_store_si128(reinterpret_cast<__m128i*>(lanes) + 1, high);
        for (size_t j = 0; j < 16; ++j) sums[k + j] += lanes[j];
#else
        for (size_t i = 0; i < count; ++i)
            for (size_t j = 0; j < 16; ++j) sums[k + j] += table[size_t{rows[i]} * width + k + j];
#endif
    }
}

// Appends the n-grams that end in [begin, end); `from` is the start of the context before `begin`.
void add_span_ngrams(const Byte* from, const Byte* begin, const Byte* end, const ByteRule& rule, std::vector<uint32_t>& keys) {
    uint32_t window = 0x20;
    size_t run = 1;  // bytes of the window that are in one word
    size_t since = 8;  // bytes since the last one beyond ASCII
    for (const Byte* p = from; p < end; ++p) {
        const Byte c = rule.map[*p];
        if (c == 0x20 && run == 1) continue;
        window = window << 8 | c;
        run = std::min(run + 1, MAX_BYTE_ORDER);
        since = c >= 0x80 ? 0 : since + 1;
        if (p >= begin)
            for (size_t n = 1; n <= run; ++n)
                if ((since < n ? rule.high : rule.plain) >> (n - 1) & 1) keys.push_back(window & (0xFFFFFFFFu >> (32 - 8 * n)));
        if (c == 0x20) {
            window = 0x20;
            run = 1;
            since = 8;
        }
    }
}

// Appends the n-grams that contain the byte at p.
void add_ngrams_around(Span text, const Byte* p, const ByteRule& rule, std::vector<uint32_t>& keys) {
    for (const Byte* last = p; last < text.end && last < p + MAX_BYTE_ORDER; ++last) {
        uint32_t key = 0;
        for (size_t n = 1; n <= MAX_BYTE_ORDER; ++n) {
            const Byte* first = last - (n - 1);
            const Byte c = first < text.begin ? 0x20 : rule.map[*first];
            key |= static_cast<uint32_t>(c) << 8 * (n - 1);
            if (first <= p && rule.high >> (n - 1) & 1) keys.push_back(key);
            if (first < text.begin || (c == 0x20 && n > 1)) break;
        }
        if (last > p && rule.map[*last] == 0x20) break;
    }
}

}  // namespace

ByteHistogram count_high_bytes(Span text) {
    ByteHistogram histogram;
    for (const Byte* p = text.begin; (p = skip_ascii(p, text.end)) < text.end;)
        for (; p < text.end && *p >= 0x80; ++p) {
            ++histogram.counts[*p];
            ++histogram.high;
        }
    return histogram;
}

void byte_ngrams(Span text, const ByteRule& rule, uint64_t high, size_t max_ngrams, std::vector<uint32_t>& keys) {
    // A byte has as many n-grams as there are orders. In a long text, one span in `step` is read.
    const uint64_t orders = count_ones(static_cast<uint32_t>(rule.everywhere ? rule.plain | rule.high : rule.high));
    const uint64_t expected = (rule.everywhere ? text.size() : high) * std::max<uint64_t>(orders, 1);
    const uint64_t step = std::max<uint64_t>(1, (expected + max_ngrams - 1) / max_ngrams);
    uint64_t number = 0;
    const Byte* done = text.begin;
    for (const Byte* p = text.begin; p < text.end; ++number) {
        if (!rule.everywhere && (p = skip_ascii(p, text.end)) == text.end) break;
        const Byte* begin = p;
        while (begin > done && p - begin < kMaxPrefixBytes && rule.map[begin[-1]] != 0x20) --begin;
        const Byte* stop = text.end - begin < kSpanBytes ? text.end : begin + kSpanBytes;
        const Byte* end = stop;
        if (!rule.everywhere) {  // the span ends with the last word that has a byte beyond ASCII
            const Byte* last = p;
            for (const Byte* q = p; q < stop; ++q) last = *q >= 0x80 ? q : last;
            end = last + 1;
            while (end < stop && rule.map[*end] != 0x20) ++end;
            end += end < text.end;
        }
        if (number % step == 0) {
            const Byte* from = begin - text.begin < 3 ? text.begin : begin - 3;
            add_span_ngrams(from, begin, end, rule, keys);
            if (keys.size() >= 2 * max_ngrams) break;
        }
        done = p = end;
    }
}

ByteModel::ByteModel(Span memory) {
    const Container file(memory, kFormat);
    names_ = file.names(NAMES, 1, MAX_BYTE_CLASSES);
    const size_t count = names_.size();
    open_rule(file.records<uint8_t>(RULE, kRuleBytes, "the rule of n-grams has the wrong size"));
    bias_ = read_biases(file, BIAS, count);
    width_ = (count + 15) / 16 * 16;
    tags_ = file.records<uint16_t>(TAGS, "a tag is two bytes");
    require(tags_.count > 0 && tags_.count <= UINT32_MAX, "it has too many rows, or none");
    rows_ = file.records<int8_t>(ROWS, tags_.count * width_, "the number of rows of weights is not that of tags").data;
    scales_ = read_scales(file, SCALES);
    const auto kinds = file.records<uint8_t>(KINDS, count, "the number of encoding kinds is not that of classes");
    require(*std::max_element(kinds.begin(), kinds.end()) <= static_cast<uint8_t>(EncodingKind::other), "an encoding kind is unknown");
    kinds_ = kinds.data;
    tables_ = file.records<uint16_t>(TABLES, 128 * count, "the number of code points is not 128 per class").data;
    open_contexts(file);
    open_costs(file);
    manifest_ = file.text(MANIFEST);
}

void ByteModel::open_rule(Records<uint8_t> rule) {
    std::copy(rule.begin(), rule.begin() + 256, rule_.map);
    require(std::find(rule_.map, rule_.map + 256, 0) == rule_.map + 256, "the rule maps a byte to 0");
    rule_.high = rule[256];
    rule_.plain = rule[257];
    require((rule_.high | rule_.plain) >> MAX_BYTE_ORDER == 0, "the rule has n-grams of more than 4 bytes");
    rule_.everywhere = rule[258] != 0;
    std::memcpy(&max_ngrams_, rule.begin() + 260, sizeof max_ngrams_);
    require(max_ngrams_ > 0 && max_ngrams_ <= kMaxNgrams, "the maximal number of n-grams is 0 or too large");
}

void ByteModel::open_contexts(const Container& file) {
    letters_ = file.records<uint16_t>(LETTERS, 256 * names_.size(), "the number of letters is not 256 per class").data;
    letter_kinds_ = file.records<uint8_t>(LETTER_KINDS, 256 * names_.size(), "the number of letter kinds is not 256 per class").data;
    contexts_ = file.records<int8_t>(CONTEXTS, "");
    const size_t weights = contexts_.count;
    require((weights & (weights - 1)) == 0 && weights != 1 && weights <= kMaxContextWeights,
            "the number of context weights is not a power of two");
    while (size_t{1} << context_bits_ < weights) ++context_bits_;
    if (weights) context_scales_ = read_scales(file, CONTEXT_SCALES);
}

void ByteModel::open_costs(const Container& file) {
    constexpr size_t kKinds = static_cast<size_t>(EncodingKind::other) - 1;
    if (file.text(BYTE_COSTS).empty()) return;
    byte_costs_ =
        file.records<uint8_t>(BYTE_COSTS, COST_CONTEXTS * COST_SYMBOLS * names_.size(), "a class has 6 x 130 costs of bytes").data;
    pair_costs_ = file.records<uint8_t>(CHARACTER_COSTS, PAIR_COSTS * kKinds, "a kind of coding has 128 x 256 costs of characters").data;
    step_costs_ = file.records<uint8_t>(STEP_COSTS, COST_STEPS * kKinds, "a kind of coding has 3 x 3 costs of steps").data;
}

bool ByteModel::is_multibyte(size_t k) const {
    const auto kind = static_cast<EncodingKind>(kinds_[k]);
    return kind != EncodingKind::single && kind != EncodingKind::other;
}

MultibyteCosts ByteModel::multibyte_costs(size_t k) const {
    const size_t number = kinds_[k] - size_t{1};
    return {static_cast<EncodingKind>(kinds_[k]), pair_costs_ + PAIR_COSTS * number, step_costs_ + COST_STEPS * number};
}

uint64_t ByteModel::character_cost(Span text, size_t k) const {
    if (is_multibyte(k)) return divide_characters(text, multibyte_costs(k)).cost;
    return single_byte_cost(text, byte_costs_ + COST_CONTEXTS * COST_SYMBOLS * k, letter_kinds_ + 256 * k);
}

int32_t ByteModel::text_log_odds(Span text, size_t k) const {
    if (text.size() > kMaxOddsBytes) text.end = text.begin + kMaxOddsBytes;
    const SingleByteCosts tables{byte_costs_ + COST_CONTEXTS * COST_SYMBOLS * k, letter_kinds_ + 256 * k, letters_ + 256 * k};
    return static_cast<int32_t>(COST_UNIT *
                                (is_multibyte(k) ? divide_characters(text, multibyte_costs(k)).odds : single_byte_odds(text, tables)));
}

std::vector<size_t> ByteModel::find_strays(Span text, size_t k) const {
    return has_costs() && is_multibyte(k) ? divide_characters(text, multibyte_costs(k)).strays : std::vector<size_t>{};
}

uint32_t ByteModel::score(Span text, const ByteHistogram& histogram, int32_t* totals) const {
    thread_local std::vector<uint32_t> keys, rows;
    keys.clear();
    rows.clear();
    byte_ngrams(text, rule_, histogram.high, max_ngrams_, keys);
    for (const uint32_t key : keys) {
        const uint64_t mixed = mix_key(key);
        const uint32_t row = row_of(mixed, tags_.count);
        if (tags_[row] != tag_of(mixed)) continue;
        prefetch(rows_ + size_t{row} * width_);
        rows.push_back(row);
    }
    int32_t sums[MAX_BYTE_CLASSES] = {};
    for (size_t at = 0; at < rows.size(); at += kRowsPerSum)
        add_rows(rows_, width_, rows.data() + at, std::min(kRowsPerSum, rows.size() - at), sums);
    const int64_t scale = scales_[std::min(rows.size(), scales_.count - 1)];
    for (size_t k = 0; k < names_.size(); ++k) totals[k] = bias_[k] + static_cast<int32_t>(sums[k] * scale >> 16);
    return static_cast<uint32_t>(rows.size());
}

int32_t ByteModel::context_weight(const ByteContext& context, size_t k) const {
    uint32_t ids[CONTEXT_FEATURES];
    context_features(context, letter_tables(), k, context_bits_, ids);
    int32_t sum = 0;
    for (const uint32_t id : ids) sum += contexts_[id];
    return sum;
}

int32_t ByteModel::context_nats(int64_t sum, size_t count) const {
    const int64_t nats = sum * context_scales_[std::min(count, context_scales_.count - 1)] >> 16;
    return static_cast<int32_t>(std::clamp<int64_t>(nats, -kMaxContextNats, kMaxContextNats));
}

int32_t ByteModel::duel(Span text, const bool* differ, size_t a, size_t b) const {
    std::vector<uint32_t> keys;
    size_t byte_count = 0;
    for (const Byte* p = text.begin; p < text.end && byte_count < kMaxDuelBytes; ++p) {
        if (!differ[*p]) continue;
        ++byte_count;
        add_ngrams_around(text, p, rule_, keys);
    }
    std::sort(keys.begin(), keys.end());  // repeated n-grams count once
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    int64_t sum = 0;
    size_t count = 0;
    for (const uint32_t key : keys) {
        const uint64_t mixed = mix_key(key);
        const uint32_t row = row_of(mixed, tags_.count);
        if (tags_[row] != tag_of(mixed)) continue;
        const int8_t* weights = rows_ + size_t{row} * width_;
        sum += weights[a] - weights[b];
        ++count;
    }
    return static_cast<int32_t>(sum * scales_[std::min(count, scales_.count - 1)] >> 16);
}

}  // namespace webtongue
