// The features that may settle look-alikes: all that the scorer reads, and pairs of neighbouring words.
#pragma once
#include <vector>

#include "text/features.hpp"

namespace webtongue {

constexpr uint64_t HASH_PAIR = 0x3C6EF372FE94F82Bull;

// A sink of words: calls take(key) for each feature of the text, as often as it stands there.
template <class Take>
class DecisiveKeys {
public:
    explicit DecisiveKeys(Take& take, int kinds) : take_(take), kinds_(kinds) {}

    bool operator()(const char32_t* word, int length, uint8_t group) {
        const bool shrt = length + 2 <= MAX_ORDER;
        if (kinds_ & 1 || group == GROUPS.cjk) for (int first = 0; first <= length; ++first) place_features(word, length, first, group, *this);
        if (kinds_ & 8) { for (int first = length > 4 ? length - 2 : 100; first <= length; ++first) place_features(word, length, first, group, *this); if (length > 4) { place_features(word, length, 0, group, *this);} }
        if (kinds_ & 2) whole_feature(word, length, group, *this);
        if ((kinds_ & 2) && !(kinds_ & 1) && shrt && group != GROUPS.cjk) { uint64_t st = HASH_SEED; for (int i = 0; i < length + 2; ++i) st = hash_step(st, word[i]); take_(hash_last(st)); }
        if (!(kinds_ & 4)) return true;
        uint64_t whole = HASH_PAIR;
        for (int i = 1; i <= length; ++i) whole = hash_step(whole, word[i]);
        if (before_ && group != GROUPS.cjk && length <= MAX_WORD) take_(hash_last(hash_step(before_, BOUNDARY) ^ hash_last(whole)));
        before_ = length <= MAX_WORD ? whole : 0;
        return true;
    }
    void feature(uint64_t key, int, uint8_t) { take_(key); }

private:
    Take& take_;
    int kinds_;
    uint64_t before_ = 0;  // hash of the word before, 0 where there is none
};

template <class Take>
inline void each_decisive_key(const char* text, size_t size, int kinds, Take&& take) {
    each_word(text, size, DecisiveKeys<Take>(take, kinds));
}

}  // namespace webtongue
