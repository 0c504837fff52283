#include "text/running_words.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "text/coverage.hpp"
#include "text/features.hpp"

namespace webtongue {
namespace {

constexpr uint32_t kMaxTokens = 256;  // a text without a sentence in this many tokens has none
constexpr uint32_t kMaxNameTokens = 3;
constexpr uint32_t kMaxWordLetters = 12;  // a longer run is several words, or a script without spaces
constexpr int kPartLetters = 6, kCjkPartLetters = 2;  // letters of such a run that count as one word
constexpr uint32_t kMinRowWords = 2, kMinCapitalRowWords = 4;  // consecutive words; names and headings in capitals have up to three
constexpr uint32_t kMinHeadlineWords = 4, kMaxHeadlineWords = 24, kMinCommonWords = 1;  // longer rows of capitalised words are lists
constexpr int32_t kCommonWeight = 30;  // in weight units; words of about one in 4,000 and more frequent ones
constexpr char32_t kFirstCaseless = 0x590;  // scripts with case are below: Latin, Greek, Cyrillic and Armenian

// The case of a token. Consecutive words have the same case, except that a capitalised word may start a row.
enum class CaseStyle : uint8_t { other, small, upper, title, caseless };

struct Token {
    CaseStyle style = CaseStyle::other;
    bool is_open = true;  // not followed by punctuation
    bool is_unspaced = false;  // a run of letters that occurs only in scripts without spaces, and counts alone
};

bool is_word_punctuation(char32_t c) {
    switch (c) {
        case '.':
        case ',':
        case ';':
        case ':':
        case '!':
        case '?':
        case '"':
        case '(':
        case ')':
        case '\'':
        case '-':
            return true;
        default:
            return c >= 0x80;
    }
}

bool is_emoji(Span text) {
    for (const Byte* p = text.begin; p < text.end;) {
        const char32_t c = read_utf8(p, text.end);
        const bool is_sign = (c >= 0x1F000 && c < 0x20000) || (c >= 0x2600 && c < 0x2780) || c == 0x200D || (c >= 0xFE00 && c < 0xFE10);
        if (!is_sign) return false;
    }
    return true;
}

Token classify_token(Span text) {
    Token out;
    uint32_t letters = 0, upper = 0;
    bool title = false, caseless = false, has_sign = false, is_plain = true;
    for (const Byte* p = text.begin; p < text.end;) {
        const char32_t c = *p < 0x80 ? *p++ : first_letter_of(read_utf8(p, text.end));
        if (is_letter(c)) {
            const bool is_upper = lower_of(c) != c;
            if (letters == 0) title = is_upper, caseless = c >= kFirstCaseless;
            else is_plain &= !has_sign;  // "example.org"
            ++letters;
            upper += is_upper;
            has_sign = false;
        } else {
            if (c != '\'' && c != '-' && c < 0x80) has_sign = true;
            is_plain &= is_word_punctuation(c);
        }
    }
    out.is_open = !has_sign;
    if (letters == 0) return out;
    if (caseless) {
        out.style = CaseStyle::caseless;
        out.is_unspaced = letters > kMaxWordLetters;
    } else if (is_plain && (upper == 0 || (upper == letters && letters > 1))) {
        out.style = upper ? CaseStyle::upper : CaseStyle::small;
    } else if (is_plain && title && upper == 1) {
        out.style = CaseStyle::title;
    }
    return out;
}

// Counts distinct words, with long runs split into parts.
class DistinctWords {
public:
    explicit DistinctWords(uint8_t group) : group_(group) {}

    void add(Span token) {
        each_word(token, [this](const char32_t* word, int length, uint8_t group) {
            if (group == group_ && (length > 1 || group == GROUPS.cjk)) add_word(word + 1, length);
            return count_ < kMaxRunningWords;
        });
    }
    uint32_t count() const { return count_; }
    uint32_t letters() const { return letters_; }

private:
    void add_word(const char32_t* letters, int length) {
        const int part = group_ == GROUPS.cjk                         ? std::min(kCjkPartLetters, length)
                         : length > static_cast<int>(kMaxWordLetters) ? kPartLetters
                                                                      : length;
        for (int from = 0; from + part <= length && count_ < kMaxRunningWords; from += part) {
            uint64_t key = HASH_SEED;
            for (int i = from; i < from + part; ++i) key = hash_step(key, letters[i]);
            if (std::find(seen_, seen_ + count_, key) != seen_ + count_) continue;
            seen_[count_++] = key;
            letters_ += static_cast<uint32_t>(part);
        }
    }

    uint8_t group_;
    uint32_t count_ = 0, letters_ = 0;
    uint64_t seen_[kMaxRunningWords];
};

// Groups the tokens of a line into rows of the same case. Rows of sufficient length are counted.
class Line {
public:
    Line(DistinctWords& words, uint8_t group, CommonWords common) : words_(&words), group_(group), common_(common) {}

    // Returns true if the token may be a word.
    bool add(Span token, bool cjk) {
        if (is_emoji(token)) return true;  // it stands between words without separating them
        const Token current = classify_token(token);
        add_to_headline(token, current);
        const bool word_like = current.style != CaseStyle::other && current.style != CaseStyle::title;
        if (!continues_row(current)) row_.begin = token.begin, length_ = 0;
        row_.end = token.end;
        previous_ = current;
        const uint32_t min_length = current.is_unspaced || cjk ? 1 : current.style == CaseStyle::upper ? kMinCapitalRowWords : kMinRowWords;
        if (++length_ >= min_length && word_like) words_->add(length_ == min_length ? row_ : token);
        return current.style != CaseStyle::other;
    }

    // Ends a row of words in any case, without punctuation between them. It is a headline if it has common words, and is counted.
    void end_headline() {
        if (headline_words_ >= kMinHeadlineWords && headline_words_ <= kMaxHeadlineWords && has_common_words()) words_->add(headline_);
        headline_words_ = 0;
    }

private:
    void add_to_headline(Span token, const Token& current) {
        if (current.style == CaseStyle::other || current.style == CaseStyle::caseless) return end_headline();
        if (headline_words_ == 0) headline_.begin = token.begin;
        headline_.end = token.end;
        ++headline_words_;
        if (!current.is_open) end_headline();
    }

    bool has_common_words() const {
        uint32_t common_words = 0;
        for (const Byte* p = headline_.begin; p < headline_.end && common_words < kMinCommonWords;) {
            if (const size_t space = space_size(p, headline_.end)) {
                p += space;
                continue;
            }
            const Span token{p, token_end(p, headline_.end)};
            p = token.end;
            each_word(token, [&](const char32_t* word, int length, uint8_t group) {
                common_words += group == group_ && common_.contains(word, length);
                return true;
            });
        }
        return common_words >= kMinCommonWords;
    }

    bool continues_row(const Token& current) const {
        if (current.style == CaseStyle::title || current.style == CaseStyle::other) return false;
        if (current.style == CaseStyle::upper) return previous_.style == CaseStyle::upper && previous_.is_open;
        return current.style == previous_.style ||
               (current.style == CaseStyle::small && previous_.style == CaseStyle::title && previous_.is_open);
    }

    DistinctWords* words_;
    uint8_t group_;
    CommonWords common_;
    Token previous_;
    Span row_, headline_;
    uint32_t length_ = 0, headline_words_ = 0;
};

}  // namespace

bool CommonWords::contains(const char32_t* word, int length) const {
    if (!model || length > MAX_WORD) return false;
    const bool is_ngram = length + 2 <= MAX_ORDER;
    uint64_t state = is_ngram ? hash_step(HASH_SEED, BOUNDARY) : HASH_WORD;
    for (int i = 1; i <= length; ++i) state = hash_step(state, word[i]);
    if (is_ngram) state = hash_step(state, BOUNDARY);
    return find_weight(*model, hash_last(state), model->info(label).slot) >= kCommonWeight;
}

RunningWords count_running_words(uint8_t group, const Span* spans, size_t count, CommonWords common) {
    DistinctWords words(group);
    RunningWords out;
    const auto update = [&] {
        out.count = words.count();
        out.letters = words.letters();
    };
    for (size_t i = 0; i < count; ++i) {
        Line line(words, group, common);
        for (const Byte* p = spans[i].begin; p < spans[i].end;) {
            if (*p == '\n') {
                line.end_headline();
                line = Line(words, group, common);
            }
            if (const size_t space = space_size(p, spans[i].end)) {
                p += space;
                continue;
            }
            const Span token{p, token_end(p, spans[i].end)};
            p = token.end;
            if (out.count == kMaxRunningWords || out.tokens == kMaxTokens) return out;
            ++out.tokens;
            out.word_like += line.add(token, group == GROUPS.cjk);
            update();
        }
        line.end_headline();
        update();
    }
    return out;
}

bool is_name(uint8_t group, const Span* spans, size_t count, CommonWords common) {
    uint32_t tokens = 0, capitalised = 0;
    for (size_t i = 0; i < count; ++i) {
        for (const Byte* p = spans[i].begin; p < spans[i].end;) {
            if (const size_t space = space_size(p, spans[i].end)) {
                p += space;
                continue;
            }
            const Span token{p, token_end(p, spans[i].end)};
            p = token.end;
            const CaseStyle style = classify_token(token).style;
            if (++tokens > kMaxNameTokens || style == CaseStyle::small || style == CaseStyle::caseless) return false;
            capitalised += style == CaseStyle::title || style == CaseStyle::upper;
            bool is_common = false;
            each_word(token, [&](const char32_t* word, int length, uint8_t word_group) {
                is_common |= word_group == group && common.contains(word, length);
                return true;
            });
            if (is_common) return false;
        }
    }
    return capitalised > 0;
}

}  // namespace webtongue
