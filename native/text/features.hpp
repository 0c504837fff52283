// Extracts features from text: the one definition of a word and of an n-gram, shared by training and scoring.
//
// Text is split into words: runs of letters of one script group, lower-cased, without marks that writers may leave out (Arabic vowel
// signs, Hebrew points, Vedic accents, joiners), and with letters and accents composed. A word typed with look-alike letters of another
// script is folded into its own script (homoglyphs.hpp), full-width letters and other compatibility forms into plain ones (forms.hpp),
// and polytonic Greek into monotonic (greek.hpp). A letter that is repeated more than twice is kept twice: "goazeeeen" becomes "goazeen". A
// word "abc" becomes " abc " and yields its n-grams of 1 to 4 code points, and the whole word unless a 4-gram covers it. Single ASCII
// letters, and pairs of them inside a word, are left out: a thousand labels share them, and they would take more time than all other
// features together. tests/twins/text/features.py is the readable twin.
#pragma once
#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/scripts.hpp"
#include "text/forms.hpp"
#include "text/greek.hpp"
#include "text/homoglyphs.hpp"

namespace webtongue {

constexpr int MAX_ORDER = 4;  // 5-grams beside whole words cost 1 point of accuracy at 20 characters: they displace better rows
constexpr int MAX_ORDER_CJK = 3;  // not tuned: other orders were not tried
constexpr int ORDER_WORD = 5;  // the order under which whole words are reported
constexpr int MAX_WORD = 24;  // longer words come from scripts without spaces or are debris, and yield n-grams only
constexpr int MAX_RUN = 256;  // longer runs of letters are split, so that the buffer has a fixed size
constexpr char32_t BOUNDARY = ' ';

// Maps a script to its group: Han and the kana are written together and form one group, every other script is a group of its own.
constexpr int kShapeClasses = 3;
struct ScriptGroups {
    uint8_t by_script[256];
    uint8_t shape_class[256];  // 1 Latin, 2 Cyrillic, 3 Greek, which share letter shapes; 0 for all others
    uint8_t cjk, latin, cyrillic, greek;
    ScriptGroups();
};
extern const ScriptGroups GROUPS;

// ASCII letters in lower case; 0 for other bytes.
struct AsciiLetters {
    uint8_t lower[256];
    uint8_t group;
    AsciiLetters();
};
extern const AsciiLetters ASCII_LETTERS;

// Letters of the Basic Multilingual Plane that are nothing but letters of one script: no optional signs, marks that may combine with
// the letter before them, or forms of other letters.
struct PlainLetters {
    static constexpr char32_t END = 0x10000;
    struct Letter {
        uint16_t lower;
        uint8_t group;  // SCRIPT_COMMON for all other characters
    };
    Letter letters[END];
    static const Letter* table();

private:
    PlainLetters();
};

constexpr uint64_t HASH_SEED = 0x6A09E667F3BCC909ull;
constexpr uint64_t HASH_WORD = 0xBB67AE8584CAA73Bull;
constexpr uint64_t HASH_STEP = 0x9E3779B97F4A7C15ull;
constexpr uint64_t HASH_LAST = 0xD6E8FEB86659FD93ull;

inline uint64_t hash_step(uint64_t state, char32_t code) { return (state ^ code) * HASH_STEP; }
inline uint64_t hash_last(uint64_t state) {
    state = (state ^ (state >> 32)) * HASH_LAST;
    return state ^ (state >> 32);
}

// Reads one code point of UTF-8. Each invalid byte gives U+FFFD, which is not a letter and so ends a word.
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

// Optional signs and invisible characters, which are treated as absent.
inline bool is_skipped(char32_t code) {
    if (code < 0xAD) return false;
    if (code == 0xAD || code == 0x640 || code == 0x670) return true;
    if (code >= 0x591 && code <= 0x5C7) return code != 0x5BE && code != 0x5C0 && code != 0x5C3 && code != 0x5C6;
    if (code >= 0x64B && code <= 0x652) return true;
    if (code == 0x951 || code == 0x952) return true;  // Vedic accents
    if (code >= 0x1CD0 && code <= 0x1CF9)
        return code <= 0x1CE8 || code == 0x1CED || code == 0x1CF4 || code >= 0x1CF7;  // the rest are letters
    if (code >= 0xA8E0 && code <= 0xA8F1) return true;
    if (code >= 0xFE00) return code <= 0xFE0F || code == 0xFEFF || code == 0xFF9E || code == 0xFF9F;  // the last two voice half-width kana
    return (code >= 0x200B && code <= 0x200F) || code == 0x2060;
}

inline bool is_apostrophe(char32_t code) {
    return code == '\'' || code == 0x2019 || code == 0x2018 || code == 0x2BC || code == '`' || code == 0xB4;
}

// Emits the n-grams that start at one position of a word. `word` has a boundary at 0 and at length + 1; the last position is `length`.
template <class Sink>
inline void ngrams_at(const char32_t* word, int length, int first, uint8_t group, Sink& sink) {
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

// Emits the whole word unless an n-gram covers it or it is too long.
template <class Sink>
inline void word_feature(const char32_t* word, int length, uint8_t group, Sink& sink) {
    if (length + 2 <= MAX_ORDER || length > MAX_WORD || group == GROUPS.cjk) return;
    uint64_t state = HASH_WORD;
    for (int i = 1; i <= length; ++i) state = hash_step(state, word[i]);
    sink.feature(hash_last(state), ORDER_WORD, group);
}

// Splits text into words, code point by code point, and calls take(word, length, group) for each, with a boundary before and after the
// word. The methods return false as soon as `take` does.
template <class Take>
class WordCutter {
public:
    explicit WordCutter(Take& take) : take_(take) { word_[0] = BOUNDARY; }

    // Adds ASCII letters up to the first character that may end the word, and returns its position: a fast path of add_ascii().
    inline const unsigned char* add_ascii_letters(const unsigned char* at, const unsigned char* end) {
        if (pending_apostrophe_ || (length_ > 0 && group_ != ASCII_LETTERS.group)) return at;
        if (length_ == 0) at = add_ascii_word(at, end);
        int length = length_;
        for (; at < end && length + 1 < MAX_RUN; ++at) {
            const uint8_t lower = ASCII_LETTERS.lower[*at];
            if (!lower) break;
            if (length > 1 && word_[length] == lower && word_[length - 1] == lower) continue;
            ++length;
            word_[length] = lower;
            original_[length] = *at;
        }
        if (length > length_) group_ = ASCII_LETTERS.group;
        length_ = length;
        return at;
    }

    // Adds a plain letter that continues or begins a word of its script, and returns false for all others: a fast path of add().
    inline bool add_letter(char32_t code) {
        if (code >= PlainLetters::END) return false;
        const PlainLetters::Letter letter = plain_letters_[code];
        if (letter.group == SCRIPT_COMMON || pending_apostrophe_ || length_ + 1 >= MAX_RUN || (length_ > 0 && letter.group != group_))
            return false;
        group_ = letter.group;
        put(letter.lower, code);
        return true;
    }

    inline bool add_ascii(unsigned char c) {
        const uint8_t lower = ASCII_LETTERS.lower[c];
        if (!lower && length_ > 0 && !pending_apostrophe_ && is_apostrophe(c)) return pending_apostrophe_ = true;
        if (length_ > 0 && (!lower || group_ != ASCII_LETTERS.group || length_ + 1 >= MAX_RUN)) {
            if (lower && may_mix(ASCII_LETTERS.group)) mixed_ = true;
            else if (!flush()) return false;
        }
        if (lower) {
            group_ = ASCII_LETTERS.group;
            put(lower, c);
        }
        pending_apostrophe_ = false;
        return true;
    }

    inline bool add(char32_t code) {
        if (is_skipped(code)) return true;
        if (may_be_form(code)) {
            char32_t letters[kMaxFormLetters];
            const int count = letters_of_form(code, letters);
            for (int i = 0; i < count; ++i)
                if (!(letters[i] < 0x80 ? add_ascii(static_cast<unsigned char>(letters[i])) : add_plain(letters[i]))) return false;
            if (count) return true;
        }
        return add_plain(code);
    }

    inline bool add_plain(char32_t code) {
        if (code == 0x2BC) {
            pending_apostrophe_ |= length_ > 0;
            return true;
        }
        if (!is_letter(code)) {
            const bool inner = length_ > 0 && !pending_apostrophe_ && is_apostrophe(code);
            if (!inner && length_ > 0 && !flush()) return false;
            pending_apostrophe_ = inner;
            return true;
        }
        if (code >= 0x300 && code < 0x370 && length_ > 0 && !pending_apostrophe_)
            if (const char32_t both = compose(word_[length_], code)) {
                word_[length_] = original_[length_] = first_letter_of(both);
                return true;
            }
        const uint8_t script = script_of(code);
        const uint8_t code_group = script <= SCRIPT_UNKNOWN ? group_ : GROUPS.by_script[script];
        if (length_ > 0 && (code_group != group_ || length_ + 1 >= MAX_RUN)) {
            if (may_mix(code_group)) mixed_ = true;
            else if (!flush()) return false;
        }
        if (length_ == 0 && script <= SCRIPT_UNKNOWN) return true;  // a mark or modifier without a base letter
        group_ = code_group;
        put(lower_of(code), code);
        pending_apostrophe_ = false;
        return true;
    }

    void finish() {
        if (length_ > 0) flush();
    }

    uint32_t folded() const { return folded_; }

private:
    // Adds the ASCII letters that a word begins with at once, if there are fewer than 16 and none is repeated twice.
    inline const unsigned char* add_ascii_word(const unsigned char* at, [[maybe_unused]] const unsigned char* end) {
#ifdef WEBTONGUE_SSE2
        if (end - at < 16) return at;
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const __m128i lower = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
        const unsigned others = ~ascii_letters_in(bytes) & 0xFFFF;
        const unsigned letters = others ? (others & (0u - others)) - 1 : 0;  // of the word
        const auto repeated = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(lower, _mm_srli_si128(lower, 1)))) & letters >> 1;
        if (letters == 0 || repeated & repeated >> 1) return at;
        put_codes(lower, word_ + 1);
        put_codes(bytes, original_ + 1);
        length_ = lowest_bit(others);
        group_ = ASCII_LETTERS.group;
        return at + length_;
#else
        return at;
#endif
    }

#ifdef WEBTONGUE_SSE2
    static inline void put_codes(__m128i bytes, char32_t* out) {
        const __m128i zero = _mm_setzero_si128();
        const __m128i low = _mm_unpacklo_epi8(bytes, zero), high = _mm_unpackhi_epi8(bytes, zero);
        auto* into = reinterpret_cast<__m128i*>(out);
        _mm_storeu_si128(into, _mm_unpacklo_epi16(low, zero));
        _mm_storeu_si128(into + 1, _mm_unpackhi_epi16(low, zero));
        _mm_storeu_si128(into + 2, _mm_unpacklo_epi16(high, zero));
        _mm_storeu_si128(into + 3, _mm_unpackhi_epi16(high, zero));
    }
#endif

    inline void put(char32_t letter, char32_t original) {
        if (!pending_apostrophe_ && length_ > 1 && word_[length_] == letter && word_[length_ - 1] == letter) return;
        if (pending_apostrophe_) {
            ++length_;
            word_[length_] = original_[length_] = '\'';
        }
        ++length_;
        word_[length_] = letter;
        original_[length_] = original;
    }

    // True if a letter of another group may belong to the same word: it follows directly, and the two groups share letter shapes.
    bool may_mix(uint8_t code_group) const {
        return !pending_apostrophe_ && length_ + 1 < MAX_RUN && GROUPS.shape_class[code_group] && GROUPS.shape_class[group_];
    }

    inline bool flush() {
        pending_apostrophe_ = false;
        if (mixed_ || folded_) return flush_mixed();
        return emit(1, length_ + 1);
    }

    // Handles a word of two scripts, and every later word of a text that has such words: folds it into one script, or splits it where
    // the script changes.
    bool flush_mixed() {
        const bool switched = !mixed_ && GROUPS.shape_class[group_] && GROUPS.shape_class[previous_group_] && group_ != previous_group_ &&
                              previous_group_ == folded_group_;
        uint8_t target_group = SCRIPT_COMMON;
        if (mixed_) target_group = find_intended_group(original_ + 1, length_, previous_group_);
        else if (switched && can_fold(original_ + 1, length_, folded_group_)) target_group = folded_group_;
        if (target_group == SCRIPT_COMMON) return mixed_ ? flush_parts() : emit(1, length_ + 1);
        fold_word(original_ + 1, length_, target_group, word_ + 1);
        group_ = folded_group_ = target_group;
        ++folded_;
        return emit(1, length_ + 1);
    }

    bool flush_parts() {
        const int end = length_ + 1;
        int from = 1;
        for (int at = 2; at <= end; ++at) {
            const uint8_t part_group = GROUPS.by_script[script_of(original_[from])];
            if (at < end && (script_of(original_[at]) <= SCRIPT_UNKNOWN || GROUPS.by_script[script_of(original_[at])] == part_group))
                continue;
            group_ = part_group;
            word_[from - 1] = BOUNDARY;
            if (!emit(from, at)) return false;
            from = at;
        }
        word_[0] = BOUNDARY;
        return true;
    }

    // Passes on the letters from one index to another, with a boundary before and after them.
    inline bool emit(int from, int to) {
        const char32_t next = word_[to];
        word_[to] = BOUNDARY;
        length_ = 0;
        mixed_ = false;
        previous_group_ = group_;
        if (group_ == GROUPS.greek) strip_monosyllable(word_ + from, to - from);
        const bool more = take_(static_cast<const char32_t*>(word_ + from - 1), to - from, group_);
        word_[to] = next;
        return more;
    }

    Take& take_;
    const PlainLetters::Letter* const plain_letters_ = PlainLetters::table();
    char32_t word_[MAX_RUN + 2];
    char32_t original_[MAX_RUN + 2];  // the same letters as written, capitals included
    int length_ = 0;
    uint32_t folded_ = 0;  // words folded into another script
    uint8_t group_ = 0;  // script group of the last letter
    uint8_t previous_group_ = 0;  // script group of the previous word
    uint8_t folded_group_ = 0;  // script group of the last folded word
    bool pending_apostrophe_ = false;  // an apostrophe was read, which belongs to the word only if a letter follows
    bool mixed_ = false;  // the word has letters of several groups
};

// Calls take(word, length, group) for each word until it returns false. Returns the number of words folded into another script.
template <class Take>
inline uint32_t each_word(const char* text, size_t size, Take&& take) {
    const unsigned char* at = reinterpret_cast<const unsigned char*>(text);
    const unsigned char* const end = at + size;
    WordCutter<Take> words(take);
    while (at < end) {
        if (*at < 0x80) {
            at = words.add_ascii_letters(at, end);
            if (at < end && *at < 0x80 && !words.add_ascii(*at++)) return words.folded();
        } else {
            const char32_t code = next_code(at, end);
            if (!words.add_letter(code) && !words.add(code)) return words.folded();
        }
    }
    words.finish();
    return words.folded();
}

template <class Take>
inline uint32_t each_word(Span text, Take&& take) {
    return each_word(reinterpret_cast<const char*>(text.begin), text.size(), take);
}

// Calls sink.letters(group, count) once per word, then sink.feature(hash, order, group) for each of its features in the order of the
// text. Stops when sink.more() is false after a word.
template <class Sink>
inline uint32_t each_feature(const char* text, size_t size, Sink& sink) {
    return each_word(text, size, [&](const char32_t* word, int length, uint8_t group) {
        sink.letters(group, length);
        for (int first = 0; first <= length; ++first) ngrams_at(word, length, first, group, sink);
        word_feature(word, length, group, sink);
        return sink.more();
    });
}

}  // namespace webtongue
