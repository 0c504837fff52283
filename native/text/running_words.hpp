// Words as sentences have them: different ones, in small letters, side by side.
//
// A model is as sure of a bar of letters, a list of names or one word a hundred times as it is of a sentence: it goes by n-grams,
// and these are alike. What such text lacks is different words in a row. Names, codes, addresses and single letters do not count.
#pragma once

#include "base/bytes.hpp"

namespace webtongue {

constexpr uint32_t kMostWords = 8;  // that are counted: more say no more

struct RunningWords {
    uint32_t count = 0;   // different words of the script, up to kMostWords
    uint32_t tokens = 0;  // that were looked at for them
    uint32_t wordy = 0;   // of these, that may be words at all: "www.example.org" may not
};

constexpr uint32_t kFewWords = 4;      // one line of a song, a menu or a form has up to three words in a row again and again
constexpr uint32_t kManyTokens = 12;   // a heading of fewer may well be in capitals throughout
constexpr int32_t kListTrust = -710;   // ln(1/2), 1/1024 nats: no answer is sure, and none is a rare language

// Whether text has plenty of tokens and hardly a row of words, or none that may be a word.
inline bool is_list(const RunningWords& words) {
    return words.tokens > 0 && (words.wordy == 0 || (words.tokens >= kManyTokens && words.count < kFewWords));
}

// Of text in stretches, each a line or several, and in one script group; looks no further where there are enough, or where many
// tokens were looked at in vain. tests/twins/text/running_words.py is the readable twin.
RunningWords running_words(uint8_t group, const Span* stretches, size_t count);

}  // namespace webtongue
