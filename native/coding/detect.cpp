#include "coding/detect.hpp"

#include "coding/contest.hpp"

namespace webtongue {

Detection detect(const ByteModel& model, Span text, const int32_t* offsets, size_t most) {
    const Histogram seen = histogram_of(text);
    Ranking ranking(model, text, seen, offsets);
    ranking.contest();
    return {ranking.groups(most), ranking.ngrams, seen.high, ranking.long_ones};
}

}  // namespace webtongue
