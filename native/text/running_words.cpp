#include "text/running_words.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "text/features.hpp"

namespace webtongue {
namespace {

constexpr uint32_t kMostTokens = 256;  // looked at: where so many hold no sentence, the next ones will not
constexpr uint32_t kLongWord = 12;  // letters: a longer run is of several words, or of a script without spaces
constexpr int kPart = 6, kPartCjk = 2;  // letters of such a run that count as a word
constexpr uint32_t kRow = 2, kRowOfCapitals = 4;  // words in a row: names and headings in capitals have up to three
constexpr char32_t kFirstCaseless = 0x590;  // Latin, Greek, Cyrillic and Armenian are below

// How a token is written. Words in a row are written alike; a capitalised one may begin them.
enum class Look : uint8_t { other, small, upper, title, caseless };

struct Token {
    Look look = Look::other;
    bool open = true;    // no sign stands after it
    bool whole = false;  // enough by itself: a run of letters as only scripts without spaces have it
};

bool may_stand_beside_letters(char32_t c) {
    for (const char sign : {'.', ',', ';', ':', '!', '?', '"', '(', ')', '\'', '-'})
        if (c == static_cast<char32_t>(sign)) return true;
    return c >= 0x80;
}

Token look_at(Span text) {
    Token out;
    uint32_t letters = 0, upper = 0;
    bool title = false, caseless = false, sign = false, plain = true;
    for (const Byte* p = text.begin; p < text.end;) {
        const char32_t c = read_utf8(p, text.end);
        if (is_letter(c)) {
            const bool is_upper = lower_of(c) != c;
            if (letters == 0) title = is_upper, caseless = c >= kFirstCaseless;
            else plain &= !sign;  // "example.org"
            ++letters;
            upper += is_upper;
            sign = false;
        } else {
            if (c != '\'' && c != '-' && c < 0x80) sign = true;
            plain &= may_stand_beside_letters(c);
        }
    }
    out.open = !sign;
    if (letters == 0) return out;
    if (caseless) {
        out.look = Look::caseless;
        out.whole = letters > kLongWord;
    } else if (plain && (upper == 0 || (upper == letters && letters > 1))) {
        out.look = upper ? Look::upper : Look::small;
    } else if (plain && title && upper == 1) {
        out.look = Look::title;
    }
    return out;
}

// The different words of what it is given, long runs in parts.
class Different {
public:
    explicit Different(uint8_t group) : group_(group) {}

    void add(Span token) {
        each_word(reinterpret_cast<const char*>(token.begin), token.size(), [this](const char32_t* word, int length, uint8_t group) {
            if (group == group_ && (length > 1 || group == GROUPS.cjk)) add_word(word + 1, length);
            return count_ < kMostWords;
        });
    }
    uint32_t count() const { return count_; }

private:
    void add_word(const char32_t* letters, int length) {
        const int part = group_ == GROUPS.cjk ? std::min(kPartCjk, length) : length > static_cast<int>(kLongWord) ? kPart : length;
        for (int from = 0; from + part <= length && count_ < kMostWords; from += part) {
            uint64_t key = HASH_SEED;
            for (int i = from; i < from + part; ++i) key = hash_step(key, letters[i]);
            if (std::find(seen_, seen_ + count_, key) == seen_ + count_) seen_[count_++] = key;
        }
    }

    uint8_t group_;
    uint32_t count_ = 0;
    uint64_t seen_[kMostWords];
};

// Tokens of a line one after the other: those that are written alike make a row, and a row that is long enough counts.
class Line {
public:
    explicit Line(Different& words) : words_(&words) {}

    // Whether it may be a word.
    bool add(Span token, bool cjk) {
        const Token now = look_at(token);
        const bool wordy = now.look != Look::other && now.look != Look::title;
        if (!goes_on(now)) row_.begin = token.begin, length_ = 0;
        row_.end = token.end;
        before_ = now;
        const uint32_t least = now.whole || cjk ? 1 : now.look == Look::upper ? kRowOfCapitals : kRow;
        if (++length_ >= least && wordy) words_->add(length_ == least ? row_ : token);
        return now.look != Look::other;
    }

private:
    bool goes_on(const Token& now) const {
        if (now.look == Look::title || now.look == Look::other) return false;
        if (now.look == Look::upper) return before_.look == Look::upper && before_.open;
        return now.look == before_.look || (now.look == Look::small && before_.look == Look::title && before_.open);
    }

    Different* words_;
    Token before_;
    Span row_;
    uint32_t length_ = 0;
};

}  // namespace

RunningWords running_words(uint8_t group, const Span* stretches, size_t count) {
    Different words(group);
    RunningWords out;
    for (size_t i = 0; i < count; ++i) {
        Line line(words);
        for (const Byte* p = stretches[i].begin; p < stretches[i].end;) {
            if (*p == '\n') line = Line(words);
            if (is_space(*p)) {
                ++p;
                continue;
            }
            Span token{p, p};
            while (token.end < stretches[i].end && !is_space(*token.end)) ++token.end;
            p = token.end;
            if (out.count == kMostWords || out.tokens == kMostTokens) return out;
            ++out.tokens;
            out.wordy += line.add(token, group == GROUPS.cjk);
            out.count = words.count();
        }
    }
    return out;
}

}  // namespace webtongue
