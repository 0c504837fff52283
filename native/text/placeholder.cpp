#include "text/placeholder.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "text/features.hpp"

namespace webtongue {
namespace {

struct PlaceholderWord {
    uint64_t key;
    int16_t weight;
};

#include "tables/placeholder.inc"

constexpr size_t kMaxWords = 256;  // words of a text that are checked
constexpr int32_t kPriorOdds = -300;  // hundredths of a nat: real Latin may have a few words of placeholder text, too

int32_t word_weight(uint64_t key) {
    const auto is_before = [](const PlaceholderWord& word, uint64_t value) { return word.key < value; };
    const auto* word = std::lower_bound(std::begin(kPlaceholderWords), std::end(kPlaceholderWords), key, is_before);
    return word != std::end(kPlaceholderWords) && word->key == key ? word->weight : kOtherWord;
}

}  // namespace

int32_t placeholder_score(const Span* spans, size_t count) {
    std::vector<uint64_t> seen;
    int32_t score = kPriorOdds;
    for (size_t i = 0; i < count; ++i)
        each_word(spans[i], [&](const char32_t* word, int length, uint8_t) {
            uint64_t state = HASH_WORD;
            for (int k = 1; k <= length; ++k) state = hash_step(state, word[k]);
            const uint64_t key = hash_last(state);
            if (std::find(seen.begin(), seen.end(), key) == seen.end()) {
                seen.push_back(key);
                score += word_weight(key);
            }
            return seen.size() < kMaxWords;
        });
    return score;
}

}  // namespace webtongue
