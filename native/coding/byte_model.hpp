// What coding a text is in, by its bytes: a memory-mapped linear model over byte n-grams, whatever the number of codings.
//
// The file says which n-grams count: a map of bytes (cases folded, signs taken for spaces), the orders of n-grams that hold a
// byte beyond ASCII and of those that hold none. Integers throughout: weights are int8 and sums exact.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/container.hpp"
#include "coding/byte_context.hpp"

namespace webtongue {

constexpr size_t BYTE_CLASSES = 128;  // at most
constexpr size_t BYTE_ORDERS = 4;     // an n-gram is a key of 32 bits

struct ByteRule {
    Byte map[256];        // what each byte counts as; 0x20 parts words
    uint8_t high = 0;     // bit n - 1: n-grams with a byte beyond ASCII count
    uint8_t plain = 0;    // the same for those without
    bool everywhere = false;  // all text is read, not only words with bytes beyond ASCII
};

// Counts of the bytes of a text that are beyond ASCII.
struct Histogram {
    uint32_t of[256] = {};
    uint64_t high = 0;
};
Histogram histogram_of(Span text);

// The keys of a text's n-grams, spread over it if there are more than about `most`.
void byte_ngrams(Span text, const ByteRule& rule, uint64_t high, size_t most, std::vector<uint32_t>& keys);

inline uint64_t mix_key(uint32_t key) {
    uint64_t h = (key + 0x9E3779B97F4A7C15ull) * 0xBF58476D1CE4E5B9ull;
    h = (h ^ (h >> 29)) * 0x94D049BB133111EBull;
    return h ^ (h >> 32);
}
inline uint32_t row_of(uint64_t mixed, uint64_t rows) { return static_cast<uint32_t>((mixed >> 32) * rows >> 32); }
inline uint16_t tag_of(uint64_t mixed) { return (mixed & 0xFFFF) ? static_cast<uint16_t>(mixed) : 1; }

class ByteModel {
public:
    // Reads from memory that outlives the model; throws std::invalid_argument where something is off. No value of a weight
    // can make the scorer read or write out of bounds.
    explicit ByteModel(Span file);

    size_t class_count() const { return names_.size(); }
    std::string_view name(size_t id) const { return names_[id]; }
    std::string_view manifest() const { return manifest_; }
    const ByteRule& rule() const { return rule_; }
    uint8_t kind(size_t id) const { return kinds_[id]; }
    // Code points of the bytes from 0x80 on, as class `id` has them.
    const uint16_t* table(size_t id) const { return tables_ + 128 * id; }

    // Log-likelihoods, 1/1024 nats up to a common term, into `totals`; returns how many n-grams are known.
    uint32_t score(Span text, const Histogram& seen, int32_t* totals) const;

    // What a context is worth as class `k` reads it; only where the model knows contexts.
    bool knows_contexts() const { return context_bits_ != 0; }
    ReadAs read_as() const { return {letters_, sorts_}; }
    int32_t context_weight(const ByteContext& context, size_t k) const;
    // Sums of `count` contexts' differences as 1/1024 nats.
    int32_t context_nats(int64_t sum, size_t count) const;

    // How much likelier class `a` is than `b` by the n-grams alone that hold one of the bytes in `differ`, 1/1024 nats.
    int32_t duel(Span text, const bool* differ, size_t a, size_t b) const;

private:
    void open_rule(Records<uint8_t> rule);
    void open_contexts(const Container& file);

    std::vector<std::string_view> names_;
    ByteRule rule_;
    uint32_t most_ = 0;  // n-grams read of a text
    const int32_t* bias_ = nullptr;
    Records<uint16_t> tags_;  // of each row, 0 where it is empty
    const int8_t* rows_ = nullptr;
    size_t width_ = 0;          // of a row: classes, in whole vectors
    Records<uint32_t> scales_;  // by the number of n-grams
    const uint8_t* kinds_ = nullptr;
    const uint16_t* tables_ = nullptr;
    const uint16_t* letters_ = nullptr;
    const uint8_t* sorts_ = nullptr;
    Records<int8_t> contexts_;
    int context_bits_ = 0;
    Records<uint32_t> context_scales_;  // by the number of contexts
    std::string_view manifest_;
};

}  // namespace webtongue
