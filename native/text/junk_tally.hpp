// Counts of one pass over a text: byte classes and pairs, kinds of tokens and lines, consecutive words, list items.
#pragma once

#include <numeric>

#include "text/junk_classes.hpp"

namespace webtongue {
namespace junk {

class Tally {
public:
    void read(Span window);
    JunkValues values() const;
    uint32_t bytes() const { return std::accumulate(classes_.begin(), classes_.end(), 0u); }  // without blanks
    uint32_t run_bytes() const { return counts_[kRuns]; }  // bytes of words that follow each other
    bool is_wordless() const;  // nearly all numbers, URLs and codes, and so not a sentence
    bool is_name_list() const;

private:
    using Counts = std::array<uint32_t, kClasses>;
    static constexpr size_t kPairs = kUnits - kCamel;
    void end_token(const Byte* begin, const Byte* end, Phase phase);
    JunkFeature token_kind(uint32_t size, Phase phase) const;
    void end_word(const Byte* begin, const Byte* end, uint32_t size);
    void end_run();
    void end_item();
    void end_line(const Byte* begin, const Byte* end);
    uint32_t in_token(Class c) const { return classes_[c] - token_start_classes_[c]; }
    uint32_t in_token(JunkFeature f) const { return counts_[f] - token_start_pairs_[f - kCamel]; }

    Counts classes_{}, token_start_classes_{};  // bytes of each class: in all, and before the current token
    std::array<uint32_t, kJunkFeatures> counts_{};
    std::array<uint32_t, kPairs> token_start_pairs_{};
    uint32_t run_words_ = 0, run_bytes_ = 0, run_high_ = 0;
    uint32_t item_tokens_ = 0, item_titles_ = 0, items_ = 0, name_items_ = 0;
    uint32_t lines_ = 0;
    uint32_t line_queries_ = 0, line_query_bytes_ = 0, line_lower_words_ = 0;  // keywords of SQL and words in the current line
    Span previous_line_start_{nullptr, nullptr};  // the first token of the previous line
};

}  // namespace junk
}  // namespace webtongue
