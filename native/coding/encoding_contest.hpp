// Which coding a text is in: the byte model's scores, what the bytes rule out, a contest of the likeliest over the bytes
// that they read differently, and codings that read the text alike as one.
#pragma once
#include <vector>

#include "coding/byte_model.hpp"
#include "coding/multibyte.hpp"

namespace webtongue {

struct CodingGuess {
    uint16_t coding;
    int32_t log_prob;  // 1/1024 nats, of this coding and those that read the same
};

struct Detection {
    std::vector<CodingGuess> guesses;  // best first
    uint32_t ngrams = 0;     // known ones
    uint64_t high = 0;       // bytes beyond ASCII
    bool long_ones = false;  // sequences of four bytes, as GB 18030 has and GBK has not
};

constexpr int32_t BYTE_IMPOSSIBLE = -(1 << 28);

// offsets: what is added for each class, 1/1024 nats; BYTE_IMPOSSIBLE where it may not be answered.
Detection detect(const ByteModel& model, Span text, const int32_t* offsets, size_t most);

// The codings in the order in which they may be a text's. Training looks at its steps.
class EncodingContest {
public:
    EncodingContest(const ByteModel& model, Span text, const Histogram& seen, const int32_t* offsets);

    uint32_t ngrams = 0;     // known ones
    bool long_ones = false;  // the text has characters of GB 18030 that GBK lacks

    // The likeliest codings that have a table, one of those that read the text alike.
    std::vector<uint16_t> contenders() const;
    // How much likelier `a` is than `b` by the n-grams of bytes.
    int32_t first_lead(uint16_t a, uint16_t b) const;
    // Bytes of the text that two codings read differently, set in 256 that are false, and how often they are there.
    uint64_t differing(uint16_t a, uint16_t b, bool* differ) const;
    bool tabled(uint16_t k) const;
    int32_t total(uint16_t k) const { return totals_[k]; }

    // Contenders are told apart by the bytes that they read differently.
    void decide();

    // Up to `most` answers; codings that read the text alike are one.
    std::vector<CodingGuess> groups(size_t most) const;

private:
    Coding kind(uint16_t k) const { return static_cast<Coding>(model_.kind(k)); }
    void sort();
    bool check_sequences();
    int32_t holes(uint16_t k) const;
    bool reads_alike(uint16_t a, uint16_t b) const;
    std::vector<ByteContext> telling_contexts(const std::vector<uint16_t>& rivals) const;

    const ByteModel& model_;
    Span whole_, text_;
    const Histogram& seen_;
    std::vector<Byte> present_;  // bytes beyond ASCII that the text has
    const int32_t* offsets_;
    int32_t totals_[BYTE_CLASSES];
    std::vector<uint16_t> order_;
    bool checked_[BYTE_CLASSES] = {};
};

}  // namespace webtongue
