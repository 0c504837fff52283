#include "text/junk_tally.hpp"

#include <algorithm>
#include <utility>

#include "base/utf8.hpp"

namespace webtongue {
namespace junk {
namespace {

// True if the character at p is a symbol and not a letter. Approximate, by Unicode blocks: Latin-1 signs, general punctuation to
// dingbats, private use, specials, emoji.
bool leads_symbol(const Byte* p, const Byte* end) {
    const unsigned lead = *p, next = p + 1 < end ? p[1] : 0;
    if (lead == 0xC2) return true;
    if (lead == 0xE2) return next < 0xB0;
    if (lead == 0xEE) return true;
    if (lead == 0xEF) return next < 0xA4 || next >= 0xBF;
    if (lead == 0xF0) return next == 0x9F;
    return lead >= 0xF3;
}

// True if a Latin, Greek or Cyrillic capital letter is at p.
bool is_capital(const Byte* p, const Byte* end) {
    const unsigned c = *p, next = p + 1 < end ? p[1] : 0;
    if (c < 0x80) return c >= 'A' && c <= 'Z';
    if (c == 0xC3) return next >= 0x80 && next <= 0x9E;
    if (c == 0xC4 || c == 0xC5) return next % 2 == 0;
    if (c == 0xCE) return next >= 0x86 && next <= 0xAB;
    return c == 0xD0 && next >= 0x80 && next <= 0xAF;
}

// True if a token is a word with digits for letters, as Arabic is typed in Latin letters: single digits from 2 on among lower-case
// letters.
bool is_digit_word(const Byte* begin, const Byte* end) {
    uint32_t letters = 0, digits = 0;
    for (const Byte* p = begin; p < end; ++p) {
        const unsigned c = TABLES.byte_class[*p];
        if (is_lower_class(c) || (c == cUpper && letters + digits == 0)) ++letters;
        else if (c == cDigit && *p >= '2' && (p == begin || TABLES.byte_class[p[-1]] != cDigit)) ++digits;
        else if (c != cApostrophe && c != cHyphen && c != cQuote && c != cOpen && c != cClose && c != cDot && c != cComma && c != cBang)
            return false;
    }
    return digits > 0 && letters >= 2 * digits && letters > 2;
}

constexpr uint32_t MIN_RUN_WORDS = 3;  // this many consecutive words are prose
constexpr uint32_t MIN_QUERY_WORDS = 2;  // keywords of SQL in a line; one may be a word in capitals: "JOIN us"
constexpr uint32_t MAX_TOKEN_BYTES = 40;  // a longer ASCII token is longer than German compounds
constexpr uint32_t MIN_UNSPACED_BYTES = 12;  // this many bytes beyond ASCII in a token are several words of a script without spaces
constexpr uint32_t MIN_NAME_ITEMS = 10;
constexpr uint32_t MIN_NAME_PERCENT = 85;  // percent of the items of a list that are two or three capitalised words

constexpr uint32_t MIN_WORDLESS_BYTES = 24;  // one or two telephone numbers prove nothing

constexpr uint32_t SMOOTH_BYTES = 24;  // added to the size, since shares of a short text are unclear
constexpr uint32_t SMOOTH_LINES = 3;
constexpr uint32_t SHORT_TEXT_BYTES = 160;  // a shorter text, smoothing included, needs clearer evidence

}  // namespace

// At least three quarters of the bytes are numbers, URLs or codes.
bool Tally::is_wordless() const {
    return bytes() >= MIN_WORDLESS_BYTES && (counts_[kNumberTokens] + counts_[kAddresses] + counts_[kEncodedTokens]) * 4 >= 3 * bytes();
}

bool Tally::is_name_list() const { return name_items_ >= MIN_NAME_ITEMS && name_items_ * 100 >= MIN_NAME_PERCENT * items_; }

void Tally::read(Span window) {
    const Byte* token = nullptr;
    const Byte* line = window.begin;
    unsigned previous = cNewline, phase = Lead;
    unsigned high_class = cHigh;  // class of the current character beyond ASCII
    previous_line_start_ = {nullptr, nullptr};
    for (const Byte* p = window.begin; p < window.end; ++p) {
        unsigned c = TABLES.byte_class[*p];
        if (c == cHigh) {
            if (*p >= 0xC0) high_class = space_size(p, window.end) ? cSpace : leads_symbol(p, window.end) ? cSymbol : cHigh;
            c = high_class;
        }
        // rare, so that a branch is cheaper than a store
        if (const uint8_t pair = TABLES.pair[previous][c]; pair != kJunkFeatures) ++counts_[pair];
        if (c <= cNewline) {
            if (token) end_token(token, p, static_cast<Phase>(phase));
            token = nullptr;
            phase = Lead;
            if (c == cNewline) {
                end_line(line, p);
                line = p + 1;
            }
        } else {
            if (!token) {
                token = p;
                token_start_classes_ = classes_;
                std::copy_n(counts_.begin() + kCamel, kPairs, token_start_pairs_.begin());
            }
            ++classes_[c];
            phase = TABLES.phase[phase][c];
            if (previous == cDigit && is_lower_class(c) && p + 1 < window.end) {
                const Byte a = *p, b = p[1];
                counts_[kUnits] += (a == 'p' && b == 'x') || (a == 'e' && b == 'm') || (a == 'v' && (b == 'h' || b == 'w'));
            }
        }
        previous = c;
    }
    if (token) end_token(token, window.end, static_cast<Phase>(phase));
    if (const uint8_t pair = TABLES.pair[previous][cNewline]; pair != kJunkFeatures) ++counts_[pair];
    end_line(line, window.end);
    end_run();
}

JunkFeature Tally::token_kind(uint32_t size, Phase phase) const {
    const uint32_t lower = in_token(cVowel) + in_token(cLower), letters = lower + in_token(cUpper), digits = in_token(cDigit);
    const uint32_t high = in_token(cHigh), turns = in_token(kMixed) + in_token(kCamel);
    if (letters + digits + high == 0) return kOperators;
    if (high * 2 >= size) return kWords;
    const bool path = in_token(cSlash) >= 2 && letters >= 3;
    const bool host = in_token(cDot) >= 2 && in_token(kGlued) >= 2 && lower >= 4;
    const bool mail = in_token(cAt) && in_token(cDot) && in_token(kGlued) && lower >= 4;
    if (path || host || mail) return kAddresses;
    const uint32_t alphabet =
        letters + digits + in_token(cSlash) + in_token(cSigil) + in_token(cEquals) + in_token(cHyphen) + in_token(cUnderscore);
    if (alphabet == size && ((size >= 20 && turns * 5 >= size) || (size >= 8 && turns * 3 >= size))) return kEncodedTokens;
    if (digits && letters <= 2) return kNumberTokens;
    if (phase != Lead && phase != Broken && !in_token(kCamel)) return kWords;
    const bool named = turns || in_token(cUnderscore) || in_token(kGlued) || in_token(kCalls);
    return named ? kIdentifiers : kOtherTokens;
}

void Tally::end_token(const Byte* begin, const Byte* end, Phase phase) {
    const uint32_t size = static_cast<uint32_t>(end - begin);
    const JunkFeature kind = in_token(kMixed) && is_digit_word(begin, end) ? kWords : token_kind(size, phase);
    counts_[kind] += size;
    if (kind == kOperators && (in_token(cEquals) || in_token(cLeftBrace) || in_token(cRightBrace) || in_token(kDoubles)))
        counts_[kCodeOperators] += size;
    if (size > MAX_TOKEN_BYTES && !in_token(cHigh)) counts_[kLong] += size;
    if (kind == kWords) {
        end_word(begin, end, size);
    } else if (kind != kNumberTokens && kind != kOperators) {
        end_run();
    }
    ++item_tokens_;
    if (end[-1] == ',' || end[-1] == ';') end_item();
}

void Tally::end_word(const Byte* begin, const Byte* end, uint32_t size) {
    ++run_words_;
    run_bytes_ += size;
    run_high_ += in_token(cHigh);
    const Byte* first = begin;
    while (first < end && *first < 0x80 && !is_alpha(*first)) ++first;
    if (in_token(cUpper) <= 1 && first < end && is_capital(first, end)) ++item_titles_;
    const bool is_lower = !in_token(cUpper), is_upper = !in_token(cVowel) && !in_token(cLower);
    if (!(is_lower || is_upper) || in_token(cHigh)) return;
    line_lower_words_ += is_lower;
    if (in_token(cLower) >= 4 && !in_token(cVowel)) counts_[kVowelless] += size;
    uint64_t packed = 0;
    const Byte* p = first;
    for (; p < end && is_alpha(*p) && p - first < 8; ++p) packed = packed << 8 | *p;
    if ((p != end && is_alpha(*p)) || !packed || !TABLES.is_keyword(packed)) return;
    if (is_lower) {
        counts_[kKeywords] += size;
    } else {
        ++line_queries_;
        line_query_bytes_ += size;
    }
}

void Tally::end_run() {
    if (run_words_ >= MIN_RUN_WORDS || run_high_ >= MIN_UNSPACED_BYTES) counts_[kRuns] += run_bytes_;
    run_words_ = run_bytes_ = run_high_ = 0;
}

void Tally::end_item() {
    if (item_tokens_) {
        ++items_;
        name_items_ += item_tokens_ == item_titles_ && (item_tokens_ == 2 || item_tokens_ == 3);
    }
    item_tokens_ = item_titles_ = 0;
}

void Tally::end_line(const Byte* begin, const Byte* end) {
    end_item();
    if (line_queries_ >= MIN_QUERY_WORDS && line_lower_words_ > 0) counts_[kKeywords] += line_query_bytes_;
    line_queries_ = line_query_bytes_ = line_lower_words_ = 0;
    const Span s = trim({begin, end});
    if (s.empty()) return;
    ++lines_;
    const unsigned last = TABLES.byte_class[s.end[-1]], first = TABLES.byte_class[*s.begin];
    counts_[kCodeEnds] += last == cSemicolon || last == cLeftBrace || last == cRightBrace || last == cGreater || last == cEquals;
    counts_[kPunctuationStarts] += first > cControl && first != cQuote && first != cApostrophe && first != cAt && first != cHash &&
                                   first != cHyphen && first != cOpen && first != cBang;
    counts_[kIndented] += s.begin - begin >= 2 || *begin == '\t';
    Span start{s.begin, s.begin};
    while (start.end < s.end && TABLES.byte_class[*start.end] != cSpace) ++start.end;
    counts_[kSameStarts] += is_ascii_letter(first) && start.size() >= 2 && start.size() == previous_line_start_.size() &&
                            std::equal(start.begin, start.end, previous_line_start_.begin);
    previous_line_start_ = start;
}

JunkValues Tally::values() const {
    auto counts = counts_;
    constexpr std::pair<Class, JunkFeature> SHARES[] = {{cDigit, kDigits},         {cUpper, kUpper},
                                                        {cOpen, kParens},          {cClose, kParens},
                                                        {cLeftBrace, kBraces},     {cRightBrace, kBraces},
                                                        {cLess, kAngles},          {cGreater, kAngles},
                                                        {cSemicolon, kSemicolons}, {cEquals, kEquals},
                                                        {cColon, kColons},         {cQuote, kQuotes},
                                                        {cSlash, kSlashes},        {cUnderscore, kUnderscores},
                                                        {cSigil, kSigils},         {cAt, kSigils},
                                                        {cHash, kSigils},          {cDot, kStops},
                                                        {cComma, kStops},          {cBang, kStops},
                                                        {cHyphen, kHyphens},       {cHigh, kHighLetters},
                                                        {cSymbol, kHighSymbols},   {cControl, kControls}};
    for (const auto& [from, to] : SHARES) counts[to] += classes_[from];
    const uint32_t bytes = this->bytes() + SMOOTH_BYTES;
    JunkValues out;
    out[kShort] = bytes < SHORT_TEXT_BYTES ? static_cast<int32_t>(1000 * (SHORT_TEXT_BYTES - bytes) / SHORT_TEXT_BYTES) : 0;
    for (size_t i = 0; i < kShort; ++i) {
        const uint32_t denominator = i < kCodeEnds ? bytes : lines_ + SMOOTH_LINES;
        const uint32_t share = 1000 * counts[i] / denominator;
        out[i] = TABLES.root[share > 1000 ? 1000 : share];
    }
    return out;
}

}  // namespace junk
}  // namespace webtongue
