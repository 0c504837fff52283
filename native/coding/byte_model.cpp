#include "coding/byte_model.hpp"

#include <algorithm>

#include "coding/multibyte.hpp"

namespace webtongue {
namespace {

enum Section { NAMES, RULE, BIAS, TAGS, ROWS, SCALES, KINDS, TABLES, LETTERS, SORTS, CONTEXTS, CONTEXT_SCALES, MANIFEST, SECTIONS };
constexpr Container::Format kFormat{"WTB\r\n\x1a\n", 2, SECTIONS};
constexpr size_t RULE_SIZE = 264;  // the map, two sets of orders, everywhere, a spare byte, n-grams read
constexpr uint32_t kMostNgrams = 2048;     // read of a text: sums of so many stay within int32 whatever the scale
constexpr int32_t kMostNats = 1 << 28;
constexpr size_t kMostContexts = 1 << 24;  // weights
constexpr size_t SAFE = 256;       // rows whose sum stays within int16
constexpr int kBack = 12;          // bytes of a word before its first byte beyond ASCII that are read
constexpr size_t kDuelPlaces = 64; // bytes that two classes read differently, at most, whose n-grams decide between them
constexpr int kStretch = 64;       // bytes read or left out together where a text is long

// Sums of rows of `width` weights, at most SAFE of them.
void add_rows(const int8_t* table, size_t width, const uint32_t* rows, size_t count, int32_t* sums) {
    for (size_t k = 0; k < width; k += 16) {
#if defined(__SSE2__)
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

// N-grams that end in [begin, end), the words before `begin` known from `from` on.
void stretch(const Byte* from, const Byte* begin, const Byte* end, const ByteRule& rule, std::vector<uint32_t>& keys) {
    uint32_t window = 0x20;
    size_t run = 1;        // bytes of the window that belong together
    size_t since = 8;      // bytes since the last beyond ASCII
    for (const Byte* p = from; p < end; ++p) {
        const Byte c = rule.map[*p];
        if (c == 0x20 && run == 1) continue;
        window = window << 8 | c;
        run = std::min(run + 1, BYTE_ORDERS);
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

// N-grams that hold the byte at p.
void around(Span text, const Byte* p, const ByteRule& rule, std::vector<uint32_t>& keys) {
    for (const Byte* last = p; last < text.end && last < p + BYTE_ORDERS; ++last) {
        uint32_t key = 0;
        for (size_t n = 1; n <= BYTE_ORDERS; ++n) {
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

Histogram histogram_of(Span text) {
    Histogram out;
    for (const Byte* p = text.begin; (p = skip_ascii(p, text.end)) < text.end;)
        for (; p < text.end && *p >= 0x80; ++p) {
            ++out.of[*p];
            ++out.high;
        }
    return out;
}

void byte_ngrams(Span text, const ByteRule& rule, uint64_t high, size_t most, std::vector<uint32_t>& keys) {
    // A byte gives as many n-grams as there are orders; of a long text one stretch in `step` is read.
    const uint64_t orders = static_cast<uint64_t>(__builtin_popcount(rule.everywhere ? rule.plain | rule.high : rule.high));
    const uint64_t expected = (rule.everywhere ? text.size() : high) * std::max<uint64_t>(orders, 1);
    const uint64_t step = std::max<uint64_t>(1, (expected + most - 1) / most);
    uint64_t number = 0;
    const Byte* done = text.begin;
    for (const Byte* p = text.begin; p < text.end; ++number) {
        if (!rule.everywhere && (p = skip_ascii(p, text.end)) == text.end) break;
        const Byte* begin = p;
        while (begin > done && p - begin < kBack && rule.map[begin[-1]] != 0x20) --begin;
        const Byte* stop = text.end - begin < kStretch ? text.end : begin + kStretch;
        const Byte* end = stop;
        if (!rule.everywhere) {  // to the end of the last word with such a byte
            const Byte* last = p;
            for (const Byte* q = p; q < stop; ++q) last = *q >= 0x80 ? q : last;
            end = last + 1;
            while (end < stop && rule.map[*end] != 0x20) ++end;
            end += end < text.end;
        }
        if (number % step == 0) {
            const Byte* from = begin - text.begin < 3 ? text.begin : begin - 3;
            stretch(from, begin, end, rule, keys);
            if (keys.size() >= 2 * most) break;
        }
        done = p = end;
    }
}

ByteModel::ByteModel(Span memory) {
    const Container file(memory, kFormat);
    names_ = file.names(NAMES, 1, BYTE_CLASSES);
    const size_t count = names_.size();
    open_rule(file.records<uint8_t>(RULE, RULE_SIZE, "the rule of n-grams has the wrong size"));
    bias_ = biases_in(file, BIAS, count);
    width_ = (count + 15) / 16 * 16;
    tags_ = file.records<uint16_t>(TAGS, "a tag is two bytes");
    require(tags_.count > 0 && tags_.count <= UINT32_MAX, "it has too many rows, or none");
    rows_ = file.records<int8_t>(ROWS, tags_.count * width_, "there is not a row of weights for each tag").data;
    scales_ = scales_in(file, SCALES);
    const auto kinds = file.records<uint8_t>(KINDS, count, "there is not a kind of coding for each class");
    require(*std::max_element(kinds.begin(), kinds.end()) <= static_cast<uint8_t>(Coding::other), "a kind of coding is not known");
    kinds_ = kinds.data;
    tables_ = file.records<uint16_t>(TABLES, 128 * count, "a class has 128 code points").data;
    open_contexts(file);
    manifest_ = file.text(MANIFEST);
}

void ByteModel::open_rule(Records<uint8_t> rule) {
    std::copy(rule.begin(), rule.begin() + 256, rule_.map);
    require(std::find(rule_.map, rule_.map + 256, 0) == rule_.map + 256, "the rule takes a byte for nothing");
    rule_.high = rule[256];
    rule_.plain = rule[257];
    require((rule_.high | rule_.plain) >> BYTE_ORDERS == 0, "the rule has n-grams that are too long");
    rule_.everywhere = rule[258] != 0;
    std::memcpy(&most_, rule.begin() + 260, sizeof most_);
    require(most_ > 0 && most_ <= kMostNgrams, "the rule reads too many n-grams of a text, or none");
}

void ByteModel::open_contexts(const Container& file) {
    letters_ = file.records<uint16_t>(LETTERS, 256 * names_.size(), "a class has 256 letters").data;
    sorts_ = file.records<uint8_t>(SORTS, 256 * names_.size(), "a class has 256 sorts of characters").data;
    contexts_ = file.records<int8_t>(CONTEXTS, "");
    const size_t weights = contexts_.count;
    require((weights & (weights - 1)) == 0 && weights != 1 && weights <= kMostContexts, "weights of contexts are not a power of two");
    while (size_t{1} << context_bits_ < weights) ++context_bits_;
    if (weights) context_scales_ = scales_in(file, CONTEXT_SCALES);
}

uint32_t ByteModel::score(Span text, const Histogram& seen, int32_t* totals) const {
    thread_local std::vector<uint32_t> keys, rows;
    keys.clear();
    rows.clear();
    byte_ngrams(text, rule_, seen.high, most_, keys);
    for (const uint32_t key : keys) {
        const uint64_t mixed = mix_key(key);
        const uint32_t row = row_of(mixed, tags_.count);
        if (tags_[row] != tag_of(mixed)) continue;
        __builtin_prefetch(rows_ + size_t{row} * width_);
        rows.push_back(row);
    }
    int32_t sums[BYTE_CLASSES] = {};
    for (size_t at = 0; at < rows.size(); at += SAFE) add_rows(rows_, width_, rows.data() + at, std::min(SAFE, rows.size() - at), sums);
    const int64_t scale = scales_[std::min(rows.size(), scales_.count - 1)];
    for (size_t k = 0; k < names_.size(); ++k) totals[k] = bias_[k] + static_cast<int32_t>(sums[k] * scale >> 16);
    return static_cast<uint32_t>(rows.size());
}

int32_t ByteModel::context_weight(const ByteContext& context, size_t k) const {
    uint32_t ids[CONTEXT_FEATURES];
    context_features(context, read_as(), k, context_bits_, ids);
    int32_t sum = 0;
    for (const uint32_t id : ids) sum += contexts_[id];
    return sum;
}

int32_t ByteModel::context_nats(int64_t sum, size_t count) const {
    const int64_t nats = sum * context_scales_[std::min(count, context_scales_.count - 1)] >> 16;
    return static_cast<int32_t>(std::clamp<int64_t>(nats, -kMostNats, kMostNats));
}

int32_t ByteModel::duel(Span text, const bool* differ, size_t a, size_t b) const {
    std::vector<uint32_t> keys;
    size_t places = 0;
    for (const Byte* p = text.begin; p < text.end && places < kDuelPlaces; ++p) {
        if (!differ[*p]) continue;
        ++places;
        around(text, p, rule_, keys);
    }
    std::sort(keys.begin(), keys.end());  // what is repeated tells no more
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
