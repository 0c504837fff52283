// Text to features: the one definition of a word and of an n-gram, shared by training and scoring.
//
// Text is cut into words: runs of letters of one script group, lower-cased, without marks that writers leave out at
// will (Arabic vowel signs, Hebrew points, joiners) and with letters and accents composed. A word that is typed with letters of another
// script which look like its own is folded to its own (homoglyphs.hpp). A word "abc" becomes " abc " and gives its
// n-grams of 1 to 4 code points, and itself whole where no 4-gram already covers it. Single ASCII letters, and pairs of them inside a word,
// are left out: a thousand labels share them, and they would take more time than all else together.
// tests/native/text/test_model.py holds the readable twin.
#pragma once
#include <cstddef>
#include <cstdint>

#include "base/scripts.hpp"
#include "text/homoglyphs.hpp"

namespace webtongue {

constexpr int MAX_ORDER = 4;  // with whole words, 5-grams cost 1 point at 20 characters: they crowd out better rows
constexpr int MAX_ORDER_CJK = 3;  // Han: a first guess, other orders are untried
constexpr int ORDER_WORD = 5;  // the order that whole words go by
constexpr int MAX_WORD = 24;  // longer words are scripts without spaces, or debris: n-grams only
constexpr int MAX_RUN = 256;  // letters without a break: cut, so that the buffer is fixed
constexpr char32_t BOUNDARY = ' ';

// Script id to group: Han and the kana are written together and make one group, every other script is its own.
constexpr int kShapedScripts = 3;
struct ScriptGroups {
    uint8_t of[256];
    uint8_t shaped[256];  // 1 Latin, 2 Cyrillic, 3 Greek, which share shapes of letters; 0 all others
    uint8_t cjk, latin, cyrillic, greek;
    ScriptGroups();
};
extern const ScriptGroups GROUPS;

// Letters of ASCII in lower case, 0 for what is no letter.
struct AsciiLetters {
    uint8_t lower[128];
    uint8_t group;
    AsciiLetters();
};
extern const AsciiLetters ASCII_LETTERS;

constexpr uint64_t HASH_SEED = 0x6A09E667F3BCC909ull;
constexpr uint64_t HASH_WORD = 0xBB67AE8584CAA73Bull;
constexpr uint64_t HASH_STEP = 0x9E3779B97F4A7C15ull;
constexpr uint64_t HASH_LAST = 0xD6E8FEB86659FD93ull;

inline uint64_t hash_step(uint64_t state, char32_t code) { return (state ^ code) * HASH_STEP; }
inline uint64_t hash_last(uint64_t state) {
    state = (state ^ (state >> 32)) * HASH_LAST;
    return state ^ (state >> 32);
}

// One code point of UTF-8; bytes that are not UTF-8 give U+FFFD one at a time, which is no letter and so a break.
inline char32_t next_code(const unsigned char*& at, const unsigned char* end) {
    const unsigned char lead = *at++;
    if (lead < 0x80) return lead;
    const auto trail = [&](int i) { return static_cast<char32_t>(at[i] & 0x3F); };
    const auto ok = [&](int n) {
        if (end - at < n) return false;
        for (int i = 0; i < n; ++i)
            if ((at[i] & 0xC0) != 0x80) return false;
        return true;
    };
    if (lead >= 0xC2 && lead < 0xE0 && ok(1)) {
        const char32_t code = static_cast<char32_t>(lead & 0x1F) << 6 | trail(0);
        return at += 1, code;
    }
    if (lead >= 0xE0 && lead < 0xF0 && ok(2)) {
        const char32_t code = static_cast<char32_t>(lead & 0x0F) << 12 | trail(0) << 6 | trail(1);
        if (code >= 0x800) return at += 2, code;
    }
    if (lead >= 0xF0 && lead < 0xF5 && ok(3)) {
        const char32_t code = static_cast<char32_t>(lead & 0x07) << 18 | trail(0) << 12 | trail(1) << 6 | trail(2);
        if (code >= 0x10000 && code < 0x110000) return at += 3, code;
    }
    return 0xFFFD;
}

// Signs that come and go with the writer's care, and invisible characters: as if they were not there.
inline bool is_skipped(char32_t code) {
    if (code < 0xAD) return false;
    if (code == 0xAD || code == 0x640 || code == 0x670) return true;
    if (code >= 0x591 && code <= 0x5C7) return code != 0x5BE && code != 0x5C0 && code != 0x5C3 && code != 0x5C6;
    if (code >= 0x64B && code <= 0x652) return true;
    return (code >= 0x200B && code <= 0x200F) || code == 0x2060 || code == 0xFEFF || (code >= 0xFE00 && code <= 0xFE0F);
}

inline bool is_apostrophe(char32_t code) {
    return code == '\'' || code == 0x2019 || code == 0x2018 || code == 0x2BC || code == '`' || code == 0xB4;
}

// N-grams that start at one place of a word. `word` has a boundary at 0 and at length + 1; the last place is `length`.
template <class Sink>
inline void place_features(const char32_t* word, int length, int first, uint8_t group, Sink& sink) {
    const int total = length + 2;
    const int top = group == GROUPS.cjk ? MAX_ORDER_CJK : MAX_ORDER;
    uint64_t state = hash_step(HASH_SEED, word[first]);
    const int last = total - first < top ? total - first : top;
    if (first > 0 && word[first] >= 128) sink.feature(hash_last(state), 1, group);
    state = hash_step(state, word[first + 1]);
    if (first == 0 || first + 2 == total || (word[first] | word[first + 1]) >= 128) sink.feature(hash_last(state), 2, group);
    for (int order = 3; order <= last; ++order) {
        state = hash_step(state, word[first + order - 1]);
        sink.feature(hash_last(state), order, group);
    }
}

// The word itself, where no n-gram covers it and it is no debris.
template <class Sink>
inline void whole_feature(const char32_t* word, int length, uint8_t group, Sink& sink) {
    if (length + 2 <= MAX_ORDER || length > MAX_WORD || group == GROUPS.cjk) return;
    uint64_t state = HASH_WORD;
    for (int i = 1; i <= length; ++i) state = hash_step(state, word[i]);
    sink.feature(hash_last(state), ORDER_WORD, group);
}

// Cuts text into words, code point by code point, and hands them to take(word, length, group); a boundary stands before and
// after a word. The steps say false where `take` does: no more text is wanted.
template <class Take>
class WordCutter {
public:
    explicit WordCutter(Take& take) : take_(take) { word_[0] = BOUNDARY; }

    // Most text of the web, by a table.
    inline bool add_ascii(unsigned char c) {
        const uint8_t lower = ASCII_LETTERS.lower[c];
        if (!lower && length_ > 0 && !quoted_ && is_apostrophe(c)) return quoted_ = true;
        if (length_ > 0 && (!lower || group_ != ASCII_LETTERS.group || length_ + 1 >= MAX_RUN)) {
            if (lower && may_mix(ASCII_LETTERS.group)) mixed_ = true;
            else if (!flush()) return false;
        }
        if (lower) {
            group_ = ASCII_LETTERS.group;
            put(lower, c);
        }
        quoted_ = false;
        return true;
    }

    inline bool add(char32_t code) {
        if (is_skipped(code)) return true;
        if (code == 0x2BC) {
            quoted_ |= length_ > 0;
            return true;
        }
        if (!is_letter(code)) {
            const bool inner = length_ > 0 && !quoted_ && is_apostrophe(code);
            if (!inner && length_ > 0 && !flush()) return false;
            quoted_ = inner;
            return true;
        }
        if (code >= 0x300 && code < 0x370 && length_ > 0 && !quoted_)
            if (const char32_t both = compose(word_[length_], code)) {
                word_[length_] = written_[length_] = both;
                return true;
            }
        const uint8_t script = script_of(code);
        const uint8_t now = script <= SCRIPT_UNKNOWN ? group_ : GROUPS.of[script];
        if (length_ > 0 && (now != group_ || length_ + 1 >= MAX_RUN)) {
            if (may_mix(now)) mixed_ = true;
            else if (!flush()) return false;
        }
        if (length_ == 0 && script <= SCRIPT_UNKNOWN) return true;  // a mark or modifier with no letter to ride on
        group_ = now;
        put(lower_of(code), code);
        quoted_ = false;
        return true;
    }

    void finish() {
        if (length_ > 0) flush();
    }

    uint32_t folded() const { return folded_; }

private:
    inline void put(char32_t letter, char32_t written) {
        if (quoted_) {
            ++length_;
            word_[length_] = written_[length_] = '\'';
        }
        ++length_;
        word_[length_] = letter;
        written_[length_] = written;
    }

    // Whether a letter of another group may belong to the same word: where it follows directly, and the two share shapes.
    bool may_mix(uint8_t now) const { return !quoted_ && length_ + 1 < MAX_RUN && GROUPS.shaped[now] && GROUPS.shaped[group_]; }

    inline bool flush() {
        quoted_ = false;
        if (mixed_ || folded_) return flush_odd();
        return hand_over(1, length_ + 1);
    }

    // A word of two scripts, or a word of a text that has such: folded into one script, or cut where the script changes.
    bool flush_odd() {
        const bool strayed = !mixed_ && GROUPS.shaped[group_] && GROUPS.shaped[before_] && group_ != before_ && before_ == meant_;
        uint8_t into = SCRIPT_COMMON;
        if (mixed_) into = group_meant(written_ + 1, length_, before_);
        else if (strayed && can_be_in(written_ + 1, length_, meant_)) into = meant_;
        if (into == SCRIPT_COMMON) return mixed_ ? flush_parts() : hand_over(1, length_ + 1);
        fold_into(written_ + 1, length_, into, word_ + 1);
        group_ = meant_ = into;
        ++folded_;
        return hand_over(1, length_ + 1);
    }

    bool flush_parts() {
        const int end = length_ + 1;
        int from = 1;
        for (int at = 2; at <= end; ++at) {
            const uint8_t own = GROUPS.of[script_of(written_[from])];
            if (at < end && (script_of(written_[at]) <= SCRIPT_UNKNOWN || GROUPS.of[script_of(written_[at])] == own)) continue;
            group_ = own;
            word_[from - 1] = BOUNDARY;
            if (!hand_over(from, at)) return false;
            from = at;
        }
        word_[0] = BOUNDARY;
        return true;
    }

    // The letters from one place to another, a boundary before them: all of a word, or a part.
    inline bool hand_over(int from, int to) {
        const char32_t next = word_[to];
        word_[to] = BOUNDARY;
        length_ = 0;
        mixed_ = false;
        before_ = group_;
        const bool more = take_(static_cast<const char32_t*>(word_ + from - 1), to - from, group_);
        word_[to] = next;
        return more;
    }

    Take& take_;
    char32_t word_[MAX_RUN + 2];
    char32_t written_[MAX_RUN + 2];  // the same letters before they were made small
    int length_ = 0;
    uint32_t folded_ = 0;  // words that were folded to another script
    uint8_t group_ = 0;  // of the last letter
    uint8_t before_ = 0;  // of the last word
    uint8_t meant_ = 0;  // of the last word that was folded
    bool quoted_ = false;  // an apostrophe is pending: it belongs to the word only if a letter follows
    bool mixed_ = false;  // the word has letters of several groups
};

// Calls take(word, length, group) for each word; false ends the text early. Says how many words were folded to another script.
template <class Take>
inline uint32_t each_word(const char* text, size_t size, Take&& take) {
    const unsigned char* at = reinterpret_cast<const unsigned char*>(text);
    const unsigned char* const end = at + size;
    WordCutter<Take> words(take);
    while (at < end)
        if (!(*at < 0x80 ? words.add_ascii(*at++) : words.add(next_code(at, end)))) return words.folded();
    words.finish();
    return words.folded();
}

// Sink: letters(group, count) once a word, then feature(hash, order, group) for each of its features; word features
// come in the order of the text. `more()` is asked after each word: false ends the text early.
template <class Sink>
inline uint32_t each_feature(const char* text, size_t size, Sink& sink) {
    return each_word(text, size, [&](const char32_t* word, int length, uint8_t group) {
        sink.letters(group, length);
        for (int first = 0; first <= length; ++first) place_features(word, length, first, group, sink);
        whole_feature(word, length, group, sink);
        return sink.more();
    });
}

}  // namespace webtongue
