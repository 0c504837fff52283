#include "text/junk_tally.hpp"

#include <algorithm>
#include <utility>

namespace webtongue {
namespace junk {
namespace {

// Is the character with this lead byte a symbol and not a letter? By blocks, near enough: Latin-1 signs, general
// punctuation to dingbats, private use, specials, emoji.
bool leads_symbol(const Byte* p, const Byte* end) {
    const unsigned lead = *p, next = p + 1 < end ? p[1] : 0;
    if (lead == 0xC2) return true;
    if (lead == 0xE2) return next < 0xB0;
    if (lead == 0xEE) return true;
    if (lead == 0xEF) return next < 0xA4 || next >= 0xBF;
    if (lead == 0xF0) return next == 0x9F;
    return lead >= 0xF3;
}

// Does a capital letter begin here? Latin, Greek, Cyrillic.
bool is_capital(const Byte* p, const Byte* end) {
    const unsigned c = *p, next = p + 1 < end ? p[1] : 0;
    if (c < 0x80) return c >= 'A' && c <= 'Z';
    if (c == 0xC3) return next >= 0x80 && next <= 0x9E;
    if (c == 0xC4 || c == 0xC5) return next % 2 == 0;
    if (c == 0xCE) return next >= 0x86 && next <= 0xAB;
    return c == 0xD0 && next >= 0x80 && next <= 0xAF;
}

constexpr uint32_t RUN = 3;            // so many words in a row are prose
constexpr uint32_t LONG_TOKEN = 40;    // bytes of ASCII without a space: longer than German makes them
constexpr uint32_t HIGH_WORD = 12;     // bytes beyond ASCII in a token that stand for several words: scripts without spaces
constexpr uint32_t NAME_ITEMS = 10;    // a list of names has so many items
constexpr uint32_t NAME_SHARE = 85;    // and so many of a hundred are two or three capitalised words

constexpr uint32_t WORDLESS_BYTES = 24;  // a telephone number or two may stand for anything

constexpr uint32_t SMOOTH_BYTES = 24;  // added to the size: a short text gives no clear shares
constexpr uint32_t SMOOTH_LINES = 3;
constexpr uint32_t SHORT = 160;         // fewer bytes, smoothing included, need clearer evidence

}  // namespace

// Three quarters of the bytes.
bool Tally::wordless() const {
    return bytes() >= WORDLESS_BYTES && (counts_[kNumberTokens] + counts_[kAddresses] + counts_[kEncodedTokens]) * 4 >= 3 * bytes();
}

bool Tally::names() const { return name_items_ >= NAME_ITEMS && name_items_ * 100 >= NAME_SHARE * items_; }

void Tally::read(Span window) {
    const Byte* token = nullptr;
    const Byte* line = window.begin;
    unsigned before = cNewline, phase = Lead;
    bool symbol = false;
    start_ = {nullptr, nullptr};
    for (const Byte* p = window.begin; p < window.end; ++p) {
        unsigned c = TABLES.byte_class[*p];
        if (c == cHigh) {
            if (*p >= 0xC0) symbol = leads_symbol(p, window.end);
            if (symbol) c = cSymbol;
        }
        if (const uint8_t pair = TABLES.pair[before][c]; pair != kJunkFeatures) ++counts_[pair];  // seldom: a branch beats a store
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
                classes_before_ = classes_;
                std::copy_n(counts_.begin() + kCamel, kPairs, pairs_before_.begin());
            }
            ++classes_[c];
            phase = TABLES.phase[phase][c];
            if (before == cDigit && is_lower_class(c) && p + 1 < window.end) {
                const Byte a = *p, b = p[1];
                counts_[kUnits] += (a == 'p' && b == 'x') || (a == 'e' && b == 'm') || (a == 'v' && (b == 'h' || b == 'w'));
            }
        }
        before = c;
    }
    if (token) end_token(token, window.end, static_cast<Phase>(phase));
    end_line(line, window.end);
    end_run();
}

JunkFeature Tally::token_kind(uint32_t size, Phase phase) const {
    const uint32_t lower = here(cVowel) + here(cLower), letters = lower + here(cUpper), digits = here(cDigit);
    const uint32_t high = here(cHigh), turns = here(kMixed) + here(kCamel);
    if (letters + digits + high == 0) return kOperators;
    if (high * 2 >= size) return kWords;
    const bool path = here(cSlash) >= 2 && letters >= 3;
    const bool host = here(cDot) >= 2 && here(kGlued) >= 2 && lower >= 4;
    const bool mail = here(cAt) && here(cDot) && here(kGlued) && lower >= 4;
    if (path || host || mail) return kAddresses;
    const uint32_t alphabet = letters + digits + here(cSlash) + here(cSigil) + here(cEquals) + here(cHyphen) + here(cUnderscore);
    if (alphabet == size && ((size >= 20 && turns * 5 >= size) || (size >= 8 && turns * 3 >= size))) return kEncodedTokens;
    if (digits && letters <= 2) return kNumberTokens;
    if (phase != Lead && phase != Broken && !here(kCamel)) return kWords;
    const bool named = turns || here(cUnderscore) || here(kGlued) || here(kCalls);
    return named ? kIdentifiers : kOtherTokens;
}

void Tally::end_token(const Byte* begin, const Byte* end, Phase phase) {
    const uint32_t size = static_cast<uint32_t>(end - begin);
    const JunkFeature kind = token_kind(size, phase);
    counts_[kind] += size;
    if (size > LONG_TOKEN && !here(cHigh)) counts_[kLong] += size;
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
    run_high_ += here(cHigh);
    const Byte* first = begin;
    while (first < end && *first < 0x80 && !is_alpha(*first)) ++first;
    if (here(cUpper) <= 1 && first < end && is_capital(first, end)) ++item_titles_;
    if (here(cUpper) || here(cHigh)) return;
    if (here(cLower) >= 4 && !here(cVowel)) counts_[kVowelless] += size;
    uint64_t packed = 0;
    const Byte* p = first;
    for (; p < end && is_alpha(*p) && p - first < 8; ++p) packed = packed << 8 | *p;
    if ((p == end || !is_alpha(*p)) && packed && TABLES.is_keyword(packed)) counts_[kKeywords] += size;
}

void Tally::end_run() {
    if (run_words_ >= RUN || run_high_ >= HIGH_WORD) counts_[kRuns] += run_bytes_;
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
    counts_[kSameStarts] +=
        is_ascii_letter(first) && start.size() >= 2 && start.size() == start_.size() && std::equal(start.begin, start.end, start_.begin);
    start_ = start;
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
    out[kShort] = bytes < SHORT ? static_cast<int32_t>(1000 * (SHORT - bytes) / SHORT) : 0;
    for (size_t i = 0; i < kShort; ++i) {
        const uint32_t whole = i < kCodeEnds ? bytes : lines_ + SMOOTH_LINES;
        const uint32_t share = 1000 * counts[i] / whole;
        out[i] = TABLES.root[share > 1000 ? 1000 : share];
    }
    return out;
}

}  // namespace junk
}  // namespace webtongue
