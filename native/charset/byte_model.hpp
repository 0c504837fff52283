// A memory-mapped linear model over byte n-grams that scores all encodings in one pass.
//
// The file contains the rule of n-grams: a map of bytes (cases folded, signs mapped to spaces), the orders of n-grams with a byte beyond
// ASCII, and the orders of those without. All values are integers: weights are int8 and sums exact.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/container.hpp"
#include "charset/byte_context.hpp"
#include "charset/text_odds.hpp"

namespace webtongue {

constexpr size_t MAX_BYTE_CLASSES = 128;
constexpr size_t MAX_BYTE_ORDER = 4;  // an n-gram is a key of 32 bits

struct ByteRule {
    Byte map[256];  // the byte that each byte counts as; 0x20 separates words
    uint8_t high = 0;  // bit n - 1 is set if n-grams of order n with a byte beyond ASCII count
    uint8_t plain = 0;  // the same for n-grams without one
    bool everywhere = false;  // read all text, not only words with bytes beyond ASCII
};

// Counts of the bytes of a text that are beyond ASCII.
struct ByteHistogram {
    uint32_t counts[256] = {};
    uint64_t high = 0;
};
ByteHistogram count_high_bytes(Span text);

// Appends the keys of a text's n-grams, sampled evenly over it if there are more than about `max_ngrams`.
void byte_ngrams(Span text, const ByteRule& rule, uint64_t high, size_t max_ngrams, std::vector<uint32_t>& keys);

inline uint64_t mix_key(uint32_t key) {
    uint64_t h = (key + 0x9E3779B97F4A7C15ull) * 0xBF58476D1CE4E5B9ull;
    h = (h ^ (h >> 29)) * 0x94D049BB133111EBull;
    return h ^ (h >> 32);
}
inline uint32_t row_of(uint64_t mixed, uint64_t rows) { return static_cast<uint32_t>((mixed >> 32) * rows >> 32); }
inline uint16_t tag_of(uint64_t mixed) { return (mixed & 0xFFFF) ? static_cast<uint16_t>(mixed) : 1; }

class ByteModel {
public:
    // Reads from memory that outlives the model; throws std::invalid_argument if the file is invalid. No value of a weight can make
    // the scorer read or write out of bounds.
    explicit ByteModel(Span file);

    size_t class_count() const { return names_.size(); }
    std::string_view name(size_t id) const { return names_[id]; }
    std::string_view manifest() const { return manifest_; }
    const ByteRule& rule() const { return rule_; }
    uint8_t kind(size_t id) const { return kinds_[id]; }
    // Code points of the bytes from 0x80 in class `id`.
    const uint16_t* table(size_t id) const { return tables_ + 128 * id; }

    // Writes log-likelihoods in 1/1024 nats, up to a common term, and returns the number of known n-grams.
    uint32_t score(Span text, const ByteHistogram& histogram, int32_t* totals) const;

    // Returns the weight of a context in class `k`. The model must have contexts.
    bool has_contexts() const { return context_bits_ != 0; }
    LetterTables letter_tables() const { return {letters_, letter_kinds_}; }
    int32_t context_weight(const ByteContext& context, size_t k) const;
    // Returns the sum of the differences of `count` contexts in 1/1024 nats.
    int32_t context_nats(int64_t sum, size_t count) const;

    // Returns how unlikely the characters of a text are in class `k`, in COST_UNIT; only if has_costs().
    bool has_costs() const { return byte_costs_ != nullptr; }
    uint64_t character_cost(Span text, size_t k) const;
    // Returns how much likelier the beginning of a text is in class `k` than random bytes, in 1/1024 nats; only if has_costs().
    int32_t text_log_odds(Span text, size_t k) const;
    // Returns offsets of bytes that belong to no character of class `k`, in the likeliest division of a text into characters.
    std::vector<size_t> find_strays(Span text, size_t k) const;

    // Returns the lead of class `a` over `b` in 1/1024 nats, by the n-grams with one of the bytes in `differ`.
    int32_t duel(Span text, const bool* differ, size_t a, size_t b) const;

private:
    bool is_multibyte(size_t k) const;
    MultibyteCosts multibyte_costs(size_t k) const;
    void open_rule(Records<uint8_t> rule);
    void open_contexts(const Container& file);
    void open_costs(const Container& file);

    std::vector<std::string_view> names_;
    ByteRule rule_;
    uint32_t max_ngrams_ = 0;  // n-grams sampled from a text
    const int32_t* bias_ = nullptr;
    Records<uint16_t> tags_;  // tag of each row, 0 for an empty row
    const int8_t* rows_ = nullptr;
    size_t width_ = 0;  // weights of a row: the classes, rounded up to whole vectors
    Records<uint32_t> scales_;  // by the number of n-grams
    const uint8_t* kinds_ = nullptr;
    const uint16_t* tables_ = nullptr;
    const uint16_t* letters_ = nullptr;
    const uint8_t* letter_kinds_ = nullptr;
    Records<int8_t> contexts_;
    int context_bits_ = 0;
    Records<uint32_t> context_scales_;  // by the number of contexts
    const uint8_t* byte_costs_ = nullptr;  // COST_CONTEXTS x COST_SYMBOLS for each class
    const uint8_t* pair_costs_ = nullptr;  // PAIR_COSTS for each kind of encoding of East Asia
    const uint8_t* step_costs_ = nullptr;  // COST_STEPS for each of them
    std::string_view manifest_;
};

}  // namespace webtongue
