// What one pass over a text counts: classes and pairs of bytes, sorts of tokens and lines, words in a row, items of lists.
#pragma once

#include <numeric>

#include "text/junk_classes.hpp"

namespace webtongue {
namespace junk {

class Tally {
public:
    void read(Span window);
    JunkValues values() const;
    uint32_t bytes() const { return std::accumulate(classes_.begin(), classes_.end(), 0u); }  // blanks not counted
    bool wordless() const;  // numbers, addresses and codes: whatever the rest is, it is not a sentence
    bool names() const;     // a list of them

private:
    using Counts = std::array<uint32_t, kClasses>;
    static constexpr size_t kPairs = kUnits - kCamel;
    void end_token(const Byte* begin, const Byte* end, Phase phase);
    JunkFeature token_kind(uint32_t size, Phase phase) const;
    void end_word(const Byte* begin, const Byte* end, uint32_t size);
    void end_run();
    void end_item();
    void end_line(const Byte* begin, const Byte* end);
    uint32_t here(Class c) const { return classes_[c] - classes_before_[c]; }
    uint32_t here(JunkFeature f) const { return counts_[f] - pairs_before_[f - kCamel]; }

    Counts classes_{}, classes_before_{};                                 // bytes of each class; and before this token
    std::array<uint32_t, kJunkFeatures> counts_{};
    std::array<uint32_t, kPairs> pairs_before_{};
    uint32_t run_words_ = 0, run_bytes_ = 0, run_high_ = 0;
    uint32_t item_tokens_ = 0, item_titles_ = 0, items_ = 0, name_items_ = 0;
    uint32_t lines_ = 0;
    Span start_{nullptr, nullptr};  // the first token of the line before
};

}  // namespace junk
}  // namespace webtongue
