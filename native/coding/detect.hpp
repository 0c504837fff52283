// Which coding a text is in: the byte model's scores, what the bytes rule out, and codings that read the text alike as one.
#pragma once
#include "coding/byte_model.hpp"

namespace webtongue {

struct Found {
    uint16_t coding;
    int32_t log_prob;  // 1/1024 nats, of this coding and those that read the same
};

struct Detection {
    std::vector<Found> found;  // best first
    uint32_t ngrams = 0;       // known ones
    uint64_t high = 0;         // bytes beyond ASCII
    bool long_ones = false;    // sequences of four bytes, as GB 18030 has and GBK has not
};

constexpr int32_t BYTE_IMPOSSIBLE = -(1 << 28);

// offsets: what is added for each class, 1/1024 nats; BYTE_IMPOSSIBLE where it may not be answered.
Detection detect(const ByteModel& model, Span text, const int32_t* offsets, size_t most);

}  // namespace webtongue
