// Ranks encodings for a text: by the byte model's scores, by invalid bytes, and by a comparison of the likeliest over the bytes that
// they decode differently. Encodings that decode the text alike count as one.
#pragma once
#include <vector>

#include "charset/byte_model.hpp"
#include "charset/multibyte.hpp"

namespace webtongue {

struct EncodingGuess {
    uint16_t encoding;
    int32_t log_prob;  // in 1/1024 nats, of this encoding and those that decode the text alike
};

struct Detection {
    std::vector<EncodingGuess> guesses;  // best first
    uint32_t ngrams = 0;  // number of known n-grams
    uint64_t high = 0;  // number of bytes beyond ASCII
    bool has_four_byte = false;  // the text has sequences of four bytes, which GB 18030 has and GBK lacks
};

constexpr int32_t IMPOSSIBLE_LOG = -(1 << 28);

// `offsets` are added to the scores of the classes, in 1/1024 nats; IMPOSSIBLE_LOG excludes a class.
Detection detect(const ByteModel& model, Span text, const int32_t* offsets, size_t max_guesses);

// The ranking step by step, as training needs it.
class EncodingRanking {
public:
    EncodingRanking(const ByteModel& model, Span text, const ByteHistogram& histogram, const int32_t* offsets);

    uint32_t ngrams = 0;  // number of known n-grams
    bool has_four_byte = false;  // the text has characters of GB 18030 that GBK lacks

    // Returns the likeliest encodings with a table, one of those that decode the text alike.
    std::vector<uint16_t> candidates() const;
    // Returns the lead of `a` over `b` by byte n-grams.
    int32_t ngram_lead(uint16_t a, uint16_t b) const;
    // Sets the bytes of the text that two encodings decode differently in an array of 256 and returns their total count.
    uint64_t find_differing(uint16_t a, uint16_t b, bool* differ) const;
    bool has_table(uint16_t k) const;
    int32_t total(uint16_t k) const { return totals_[k]; }

    // Reranks the candidates by the bytes that they decode differently.
    void compare_candidates();
    // Lowers the best encodings in which random bytes are likelier than the text, until the best is none of these.
    void demote_unlike_text();

    // Returns up to `max_guesses` guesses; encodings that decode the text alike are one.
    std::vector<EncodingGuess> groups(size_t max_guesses) const;

private:
    EncodingKind kind(uint16_t k) const { return static_cast<EncodingKind>(model_.kind(k)); }
    void sort();
    bool check_sequences();
    MultibyteCounts count_characters(uint16_t k) const;
    int32_t hole_cost(uint16_t k) const;
    int32_t character_cost(uint16_t k) const;
    bool decode_alike(uint16_t a, uint16_t b) const;
    std::vector<ByteContext> differing_contexts(const std::vector<uint16_t>& candidates) const;

    const ByteModel& model_;
    Span whole_, text_;
    const ByteHistogram& histogram_;
    std::vector<Byte> present_;  // bytes beyond ASCII that the text has
    const int32_t* offsets_;
    int32_t totals_[MAX_BYTE_CLASSES];
    int32_t character_costs_[MAX_BYTE_CLASSES];
    std::vector<uint16_t> order_;
    bool checked_[MAX_BYTE_CLASSES] = {};
};

}  // namespace webtongue
