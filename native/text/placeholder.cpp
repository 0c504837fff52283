#include "text/placeholder.hpp"

#include <algorithm>
#include <iterator>

#include "base/checks.hpp"
#include "text/debris.hpp"
#include "text/features.hpp"
#include "text/sentences.hpp"

namespace webtongue {
namespace {

struct PlaceholderWord {
    uint64_t key;
    int16_t weight;
};

#include "tables/placeholder.inc"

constexpr int32_t kMinLatinLogProb = -7 * LOG_SCALE;  // a page of other text has Latin among its guesses, too
constexpr size_t kMaxWords = 256;  // words of a text that are checked
constexpr int32_t kPriorOdds = -300;  // hundredths of a nat: real Latin may have a few words of placeholder text, too

constexpr CutOptions kSentenceCuts = {12, UINT32_MAX};
constexpr uint32_t kMinOtherLetters = 20;  // letters of a sentence that is other text; "Home About Contact" beside placeholder text is not

uint32_t count_word_letters(Span text) {
    uint32_t letters = 0;
    each_word(text, [&](const char32_t*, int length, uint8_t group) {
        letters += static_cast<uint32_t>(length) * (group == GROUPS.cjk ? 3 : 1);
        return true;
    });
    return letters;
}

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

bool may_be_placeholder(const Model& model, const Reading& reading) {
    if (!is_enabled(Check::placeholder)) return false;
    const auto is_latin = [&model](const auto& entry) { return entry.label == model.latin(); };
    const auto is_likely = [&](const Guess& guess) { return is_latin(guess) && guess.log_prob >= kMinLatinLogProb; };
    return std::any_of(reading.guesses.begin(), reading.guesses.end(), is_likely) ||
           std::any_of(reading.shares.begin(), reading.shares.end(), is_latin);
}

bool is_other_language(const Model& model, const Reading& rest) {
    return !rest.guesses.empty() && rest.guesses.front().label != model.latin();
}

bool mask_placeholder(Span utf8_text, std::vector<Byte>& masked) {
    std::vector<uint32_t> cuts;
    cut_sentences(utf8_text, kSentenceCuts, cuts);
    cuts.push_back(static_cast<uint32_t>(utf8_text.size()));
    std::vector<Span> placeholders;
    bool has_other = false;
    const Byte* begin = utf8_text.begin;
    for (const uint32_t cut : cuts) {
        const Span sentence{begin, utf8_text.begin + cut};
        if (placeholder_score(&sentence, 1) > 0) placeholders.push_back(sentence);
        else has_other = has_other || count_word_letters(sentence) >= kMinOtherLetters;
        begin = sentence.end;
    }
    if (placeholders.empty() || !has_other) return false;
    masked.assign(utf8_text.begin, utf8_text.end);
    for (const Span& sentence : placeholders) blank_out(utf8_text, sentence, masked);
    return true;
}

}  // namespace webtongue
