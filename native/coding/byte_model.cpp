#include "coding/byte_model.hpp"

#include <algorithm>

namespace webtongue {
namespace {

constexpr char MAGIC[] = "WTB\r\n\x1a\n";
constexpr uint32_t VERSION = 2;
enum Section { NAMES, RULE, BIAS, TAGS, ROWS, SCALES, KINDS, TABLES, LETTERS, SORTS, READINGS, CONTEXT_SCALES, MANIFEST, SECTIONS };
constexpr size_t HEADER = 32;
constexpr size_t RULE_SIZE = 264;  // the map, two sets of orders, everywhere, a spare byte, n-grams read
constexpr size_t SAFE = 256;       // rows whose sum stays within int16
constexpr int kBack = 12;          // bytes of a word before its first byte beyond ASCII that are read
constexpr size_t kDuelPlaces = 64; // bytes that two classes read differently, at most, whose n-grams decide between them
constexpr int kStretch = 64;       // bytes read or left out together where a text is long

template <class T>
T read(const uint8_t* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

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

bool ByteModel::open(const uint8_t* data, size_t size, std::string& error) {
    const auto fail = [&](const char* why) { return error = why, false; };
    if (size < HEADER + 16 * SECTIONS || std::memcmp(data, MAGIC, sizeof MAGIC) != 0) return fail("not a webtongue byte model");
    if (read<uint32_t>(data + 8) != VERSION || read<uint32_t>(data + 12) != SECTIONS) return fail("written by another release");
    if (read<uint64_t>(data + 16) != size) return fail("the file is cut");
    if (reinterpret_cast<uintptr_t>(data) % 16 != 0) return fail("the memory is not aligned");
    std::string_view part[SECTIONS];
    for (size_t i = 0; i < SECTIONS; ++i) {
        const uint64_t at = read<uint64_t>(data + HEADER + 16 * i), length = read<uint64_t>(data + HEADER + 16 * i + 8);
        if (at % 64 != 0 || at > size || length > size - at) return fail("a section lies outside the file");
        part[i] = {reinterpret_cast<const char*>(data) + at, length};
    }
    for (size_t at = 0; at < part[NAMES].size();) {
        const size_t end = std::min(part[NAMES].find('\n', at), part[NAMES].size());
        names_.push_back(part[NAMES].substr(at, end - at));
        at = end + 1;
    }
    if (names_.empty() || names_.size() > BYTE_CLASSES) return fail("too many classes, or none");
    if (part[RULE].size() != RULE_SIZE) return fail("the rule has the wrong size");
    const uint8_t* rule = reinterpret_cast<const uint8_t*>(part[RULE].data());
    std::memcpy(rule_.map, rule, 256);
    rule_.high = rule[256];
    rule_.plain = rule[257];
    rule_.everywhere = rule[258] != 0;
    most_ = read<uint32_t>(rule + 260);
    if (most_ == 0 || most_ > 1 << 16 || std::count(rule_.map, rule_.map + 256, 0)) return fail("the rule cannot be used");
    width_ = (names_.size() + 15) / 16 * 16;
    row_count_ = part[TAGS].size() / 2;
    if (row_count_ == 0 || row_count_ > UINT32_MAX || part[TAGS].size() % 2 != 0) return fail("tags: two bytes a row");
    if (part[ROWS].size() != row_count_ * width_) return fail("rows: one for each tag");
    if (part[BIAS].size() != 4 * names_.size() || part[KINDS].size() != names_.size()) return fail("bias and kinds: one a class");
    if (part[TABLES].size() != 256 * names_.size()) return fail("tables: 128 code points a class");
    scale_count_ = part[SCALES].size() / 4;
    if (scale_count_ == 0 || part[SCALES].size() % 4 != 0) return fail("scales: four bytes each");
    bias_ = reinterpret_cast<const int32_t*>(part[BIAS].data());
    tags_ = reinterpret_cast<const uint16_t*>(part[TAGS].data());
    rows_ = reinterpret_cast<const int8_t*>(part[ROWS].data());
    scales_ = reinterpret_cast<const uint32_t*>(part[SCALES].data());
    kinds_ = reinterpret_cast<const uint8_t*>(part[KINDS].data());
    tables_ = reinterpret_cast<const uint16_t*>(part[TABLES].data());
    if (part[LETTERS].size() != 512 * names_.size() || part[SORTS].size() != 256 * names_.size())
        return fail("letters and sorts: 256 a class");
    letters_ = reinterpret_cast<const uint16_t*>(part[LETTERS].data());
    sorts_ = reinterpret_cast<const uint8_t*>(part[SORTS].data());
    const size_t weights = part[READINGS].size();
    if (weights & (weights - 1) || weights == 1 || weights > size_t{1} << 24) return fail("readings: a power of two");
    while (size_t{1} << reading_bits_ < weights) ++reading_bits_;
    readings_ = reinterpret_cast<const int8_t*>(part[READINGS].data());
    reading_heat_count_ = part[CONTEXT_SCALES].size() / 4;
    if (weights && reading_heat_count_ == 0) return fail("readings without scales");
    reading_heats_ = reinterpret_cast<const uint32_t*>(part[CONTEXT_SCALES].data());
    manifest_ = part[MANIFEST];
    return true;
}

uint32_t ByteModel::score(Span text, const Histogram& seen, int32_t* totals) const {
    thread_local std::vector<uint32_t> keys, rows;
    keys.clear();
    rows.clear();
    byte_ngrams(text, rule_, seen.high, most_, keys);
    for (const uint32_t key : keys) {
        const uint64_t mixed = mix_key(key);
        const uint32_t row = row_of(mixed, row_count_);
        if (tags_[row] != tag_of(mixed)) continue;
        __builtin_prefetch(rows_ + size_t{row} * width_);
        rows.push_back(row);
    }
    int32_t sums[BYTE_CLASSES] = {};
    for (size_t at = 0; at < rows.size(); at += SAFE) add_rows(rows_, width_, rows.data() + at, std::min(SAFE, rows.size() - at), sums);
    const int64_t scale = scales_[std::min(rows.size(), scale_count_ - 1)];
    for (size_t k = 0; k < names_.size(); ++k) totals[k] = bias_[k] + static_cast<int32_t>(sums[k] * scale >> 16);
    return static_cast<uint32_t>(rows.size());
}

int32_t ByteModel::reading(const Window& window, size_t k) const {
    uint32_t ids[READING_FEATURES];
    reading_features(window, read_as(), k, reading_bits_, ids);
    int32_t sum = 0;
    for (const uint32_t id : ids) sum += readings_[id];
    return sum;
}

int32_t ByteModel::reading_nats(int64_t sum, size_t count) const {
    return static_cast<int32_t>(sum * reading_heats_[std::min(count, reading_heat_count_ - 1)] >> 16);
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
        const uint32_t row = row_of(mixed, row_count_);
        if (tags_[row] != tag_of(mixed)) continue;
        const int8_t* weights = rows_ + size_t{row} * width_;
        sum += weights[a] - weights[b];
        ++count;
    }
    return static_cast<int32_t>(sum * scales_[std::min(count, scale_count_ - 1)] >> 16);
}

}  // namespace webtongue
