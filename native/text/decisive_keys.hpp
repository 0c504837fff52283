// The features that may settle look-alikes: n-grams and words as the scorer reads them, and pairs of neighbouring words.
#pragma once
#include "text/features.hpp"

namespace webtongue {

constexpr uint64_t HASH_PAIR = 0x3C6EF372FE94F82Bull;

// Kinds of features, to be added up.
constexpr int KIND_GRAMS = 1, KIND_WORDS = 2, KIND_PAIRS = 4, KIND_ALL = 7;

// Takes words and calls take(key) for each of their features, as often as it stands there. A short word is an n-gram from
// boundary to boundary; Han has no words, only n-grams.
template <class Take>
class DecisiveKeys {
public:
    DecisiveKeys(Take& take, int kinds) : take_(take), kinds_(kinds) {}

    bool operator()(const char32_t* word, int length, uint8_t group) {
        const bool han = group == GROUPS.cjk;
        if (han || kinds_ & KIND_GRAMS)
            for (int first = 0; first <= length; ++first) place_features(word, length, first, group, *this);
        else if (kinds_ & KIND_WORDS && length + 2 <= MAX_ORDER) short_word(word, length);
        if (kinds_ & KIND_WORDS) whole_feature(word, length, group, *this);
        if (kinds_ & KIND_PAIRS) pair(word, han || length > MAX_WORD ? 0 : length);
        return true;
    }
    void feature(uint64_t key, int, uint8_t) { take_(key); }

private:
    void short_word(const char32_t* word, int length) {
        uint64_t state = HASH_SEED;
        for (int i = 0; i < length + 2; ++i) state = hash_step(state, word[i]);
        take_(hash_last(state));
    }
    // Of this word and the one before; a length of 0 says that it makes none.
    void pair(const char32_t* word, int length) {
        uint64_t state = hash_step(before_, BOUNDARY);
        uint64_t alone = HASH_PAIR;
        for (int i = 1; i <= length; ++i) {
            state = hash_step(state, word[i]);
            alone = hash_step(alone, word[i]);
        }
        if (before_ && length > 0) take_(hash_last(state));
        before_ = length > 0 ? alone : 0;
    }

    Take& take_;
    int kinds_;
    uint64_t before_ = 0;  // hash of the word before, 0 where there is none
};

template <class Take>
inline void each_decisive_key(const char* text, size_t size, int kinds, Take&& take) {
    each_word(text, size, DecisiveKeys<Take>(take, kinds));
}

}  // namespace webtongue
