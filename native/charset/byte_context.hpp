// Contexts of bytes beyond ASCII: letters and signs that occur beside each other, with weights that all encodings share.
//
// The byte n-grams (byte_model.hpp) are learned for each encoding separately. Contexts learn that a sign inside a word, or a capital
// after a small letter, is wrong in any encoding. Only bytes that two encodings decode differently decide between them.
#pragma once
#include <cstdint>
#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

constexpr size_t CONTEXT_SIZE = 5;   // a byte beyond ASCII and two on either side
constexpr size_t MAX_CONTEXTS_PER_BYTE = 8;  // distinct contexts of each byte value, so that rare bytes count

struct ByteContext {
    Byte bytes[CONTEXT_SIZE];
    Byte middle() const { return bytes[CONTEXT_SIZE / 2]; }
};

// Appends the contexts of the bytes in `wanted`; the text is padded with spaces.
void find_contexts(Span text, const bool* wanted, std::vector<ByteContext>& contexts);

// The lower-case letter and the kind of character of each byte, for each class.
struct LetterTables {
    const uint16_t* letters = nullptr;  // 256 per class
    const uint8_t* kinds = nullptr;
};

constexpr size_t CONTEXT_FEATURES = 8;

// Computes the weights, of 2 to the power of `bits`, that count for a context in the encoding of class `k`.
inline void context_features(const ByteContext& context, LetterTables tables, size_t k, int bits, uint32_t* ids) {
    const uint16_t* letters = tables.letters + 256 * k;
    const uint8_t* kinds = tables.kinds + 256 * k;
    uint64_t c[CONTEXT_SIZE], s[CONTEXT_SIZE];
    for (size_t i = 0; i < CONTEXT_SIZE; ++i) {
        c[i] = letters[context.bytes[i]];
        s[i] = kinds[context.bytes[i]];
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
