// The features that can separate look-alikes: n-grams and words as the scorer has them, and pairs of neighbouring words.
#pragma once
#include "text/features.hpp"

namespace webtongue {

constexpr uint64_t HASH_PAIR = 0x3C6EF372FE94F82Bull;

// Bit flags for kinds of features.
constexpr int KIND_GRAMS = 1, KIND_WORDS = 2, KIND_PAIRS = 4, KIND_ALL = 7;

// Calls take(key) for every occurrence of a feature in the words it receives. A short word is an n-gram from boundary to boundary. Han
// has no words, only n-grams.
template <class Take>
class DecisiveKeys {
public:
    DecisiveKeys(Take& take, int kinds) : take_(take), kinds_(kinds) {}

    bool operator()(const char32_t* word, int length, uint8_t group) {
        const bool han = group == GROUPS.cjk;
        if (han || kinds_ & KIND_GRAMS)
            for (int first = 0; first <= length; ++first) ngrams_at(word, length, first, group, *this);
        else if (kinds_ & KIND_WORDS && length + 2 <= MAX_ORDER) short_word(word, length);
        if (kinds_ & KIND_WORDS) word_feature(word, length, group, *this);
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
    // The pair of this word and the previous one. A word of length 0 makes no pair.
    void pair(const char32_t* word, int length) {
        uint64_t state = hash_step(previous_hash_, BOUNDARY);
        uint64_t own_hash = HASH_PAIR;
        for (int i = 1; i <= length; ++i) {
            state = hash_step(state, word[i]);
            own_hash = hash_step(own_hash, word[i]);
        }
        if (previous_hash_ && length > 0) take_(hash_last(state));
        previous_hash_ = length > 0 ? own_hash : 0;
    }

    Take& take_;
    int kinds_;
    uint64_t previous_hash_ = 0;  // 0 if there is no previous word
};

template <class Take>
inline void each_decisive_key(const char* text, size_t size, int kinds, Take&& take) {
    each_word(text, size, DecisiveKeys<Take>(take, kinds));
}

}  // namespace webtongue
