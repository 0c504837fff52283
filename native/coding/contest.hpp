// The codings in the order in which they may be a text's: scores, what the bytes rule out, and a contest of the likeliest.
#pragma once
#include "coding/detect.hpp"
#include "coding/multibyte.hpp"

namespace webtongue {

class Ranking {
public:
    Ranking(const ByteModel& model, Span text, const Histogram& seen, const int32_t* offsets);

    uint32_t ngrams = 0;     // known ones
    bool long_ones = false;  // the text has characters of GB 18030 that GBK lacks

    // The likeliest codings that have a table, one of those that read the text alike.
    std::vector<uint16_t> contenders() const;
    // How much likelier `a` is than `b` by the n-grams of bytes.
    int32_t first_lead(uint16_t a, uint16_t b) const;
    // Bytes of the text that two codings read differently, and how often they are there.
    uint64_t differing(uint16_t a, uint16_t b, bool* differ) const;
    bool tabled(uint16_t k) const;
    int32_t total(uint16_t k) const { return totals_[k]; }

    // Contenders are told apart by the bytes that they read differently.
    void contest();

    // Up to `most` answers; codings that read the text alike are one.
    std::vector<Found> groups(size_t most) const;

private:
    Coding kind(uint16_t k) const { return static_cast<Coding>(model_.kind(k)); }
    void sort();
    bool check_sequences();
    int32_t holes(uint16_t k) const;
    bool reads_alike(uint16_t a, uint16_t b) const;

    const ByteModel& model_;
    Span whole_, text_;
    const Histogram& seen_;
    const int32_t* offsets_;
    int32_t totals_[BYTE_CLASSES];
    std::vector<uint16_t> order_;
    bool checked_[BYTE_CLASSES] = {};
};

}  // namespace webtongue
