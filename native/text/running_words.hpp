// Counts running words: distinct lower-case words next to each other, as sentences have them.
//
// The model is as confident about an alphabet, a list of names or one word repeated a hundred times as about a sentence, since their
// n-grams are similar. Such text lacks distinct consecutive words. Names, codes, URLs and single letters do not count. Capitalised
// words count where they are a headline: a row without punctuation that has common words of the language.
#pragma once

#include "base/bytes.hpp"
#include "text/model.hpp"

namespace webtongue {

constexpr uint32_t kMaxRunningWords = 8;  // counting stops here: more words add no information

struct RunningWords {
    uint32_t count = 0;  // distinct words of the script, up to kMaxRunningWords
    uint32_t letters = 0;  // letters of these words
    uint32_t tokens = 0;  // tokens that were read
    uint32_t word_like = 0;  // tokens that may be words: "www.example.org" may not
};

constexpr uint32_t kMinRunningWords = 4;  // lyrics, menus and forms repeat up to three consecutive words
constexpr uint32_t kMinListTokens = 12;  // a shorter heading may be all capitals
constexpr int32_t kListLogProb = -kLn2;  // probability 1/2: the answer is not reliable, and never a rare language

// True if the text has many tokens and few running words, or no token that may be a word.
inline bool is_list(const RunningWords& words) {
    return words.tokens > 0 && (words.word_like == 0 || (words.tokens >= kMinListTokens && words.count < kMinRunningWords));
}

// Tells the common words of a label by their weights in the model, which follow their frequencies.
struct CommonWords {
    const Model* model = nullptr;  // none: no word is common
    uint16_t label = 0;
    bool contains(const char32_t* letters, int length) const;
};

// Counts the running words of one script group in spans of one or more lines. Stops at kMaxRunningWords or after too many tokens.
// tests/twins/text/running_words.py is the readable twin.
RunningWords count_running_words(uint8_t group, const Span* spans, size_t count, CommonWords common);

// True if a text is one to three capitalised words, none of which is common: the name of a person, place or product.
bool is_name(uint8_t group, const Span* spans, size_t count, CommonWords common);

}  // namespace webtongue
