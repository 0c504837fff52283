// Bytes in their context: which letters and signs stand beside each other in a coding, by weights that all codings share.
//
// The n-grams of bytes (byte_model.hpp) know each coding for itself; these know that a sign inside a word, or a capital after a
// small letter, reads wrong in any of them. Only the bytes that two codings read differently decide between them.
#pragma once
#include <cstdint>
#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

constexpr size_t CONTEXT_SIZE = 5;   // a byte beyond ASCII and two on either side
constexpr size_t CONTEXTS_EACH = 8;  // different ones that are read for each value of that byte: the rare bytes tell

struct ByteContext {
    Byte at[CONTEXT_SIZE];
    Byte middle() const { return at[CONTEXT_SIZE / 2]; }
};

// Those around the bytes in `wanted`; outside the text there are spaces.
void contexts_of(Span text, const bool* wanted, std::vector<ByteContext>& out);

// What a byte is read as: the small letter, and what sort of character it is.
struct ReadAs {
    const uint16_t* letters = nullptr;  // 256 for each class
    const uint8_t* sorts = nullptr;
};

constexpr size_t CONTEXT_FEATURES = 8;

// Which weights count for a context as class `k` reads it, of 2 to the power of `bits`.
inline void context_features(const ByteContext& context, ReadAs as, size_t k, int bits, uint32_t* ids) {
    const uint16_t* of = as.letters + 256 * k;
    const uint8_t* sort = as.sorts + 256 * k;
    uint64_t c[CONTEXT_SIZE], s[CONTEXT_SIZE];
    for (size_t i = 0; i < CONTEXT_SIZE; ++i) {
        c[i] = of[context.at[i]];
        s[i] = sort[context.at[i]];
    }
    const auto id = [bits](uint64_t kind, uint64_t key) {
        return static_cast<uint32_t>(((kind << 48 | key) * 0x9E3779B97F4A7C15ull ^ key) * 0xD1B54A32D192ED03ull >> (64 - bits));
    };
    const uint64_t around = s[1] << 16 | s[2] << 8 | s[3];
    ids[0] = id(1, around);
    ids[1] = id(2, s[0] << 32 | around << 8 | s[4]);
    ids[2] = id(3, c[2] << 16 | s[1] << 8 | s[3]);
    ids[3] = id(4, c[1] << 16 | c[2]);
    ids[4] = id(5, c[2] << 16 | c[3]);
    ids[5] = id(6, c[0] << 32 | c[1] << 16 | c[2]);
    ids[6] = id(7, c[1] << 32 | c[2] << 16 | c[3]);
    ids[7] = id(8, c[2] << 32 | c[3] << 16 | c[4]);
}

}  // namespace webtongue
