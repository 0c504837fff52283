#include "text/junk.hpp"

#include <string_view>

#include <algorithm>
#include <numeric>
#include <utility>

namespace webtongue {
namespace {

enum Class : uint8_t {
    cSpace,
    cNewline,
    cVowel,
    cLower,
    cUpper,
    cDigit,
    cHigh,
    cSymbol,
    cControl,
    cOpen,
    cClose,
    cLeftBrace,
    cRightBrace,
    cLess,
    cGreater,
    cSemicolon,
    cEquals,
    cColon,
    cQuote,
    cApostrophe,
    cSlash,
    cUnderscore,
    cSigil,
    cAt,
    cHash,
    cDot,
    cComma,
    cBang,
    cHyphen,
    kClasses
};

constexpr Class class_of_ascii(unsigned c) {
    if (c == '\n' || c == '\r') return cNewline;
    if (c == ' ' || c == '\t' || c == '\f') return cSpace;
    if (c < 0x20 || c == 0x7F) return cControl;
    if (c >= '0' && c <= '9') return cDigit;
    if (c >= 'A' && c <= 'Z') return cUpper;
    if (c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y') return cVowel;
    if (c >= 'a' && c <= 'z') return cLower;
    switch (c) {
        case '(':
        case '[':
            return cOpen;
        case ')':
        case ']':
            return cClose;
        case '{':
            return cLeftBrace;
        case '}':
            return cRightBrace;
        case '<':
            return cLess;
        case '>':
            return cGreater;
        case ';':
            return cSemicolon;
        case '=':
            return cEquals;
        case ':':
            return cColon;
        case '"':
            return cQuote;
        case '\'':
            return cApostrophe;
        case '/':
            return cSlash;
        case '_':
            return cUnderscore;
        case '@':
            return cAt;
        case '#':
            return cHash;
        case '.':
            return cDot;
        case ',':
            return cComma;
        case '!':
        case '?':
            return cBang;
        case '-':
            return cHyphen;
        default:
            return cSigil;  // $ % & * + \ ^ ` | ~
    }
}

constexpr bool is_lower_class(unsigned c) { return c == cVowel || c == cLower; }
constexpr bool is_ascii_letter(unsigned c) { return is_lower_class(c) || c == cUpper; }
constexpr bool is_wordy(unsigned c) { return is_ascii_letter(c) || c == cDigit; }
constexpr bool is_operator(unsigned c) { return c == cEquals || c == cColon || c == cSigil || c == cSlash || c == cLess || c == cGreater; }

// Which feature a pair of neighbours counts for; kJunkFeatures for none.
constexpr uint8_t pair_feature(unsigned a, unsigned b) {
    if (is_lower_class(a) && b == cUpper) return kCamel;
    if ((is_ascii_letter(a) && b == cDigit) || (a == cDigit && is_ascii_letter(b))) return kMixed;
    if ((is_wordy(a) || a == cUnderscore || a == cOpen) && (b == cOpen || (a == cOpen && b == cClose))) return kCalls;
    if (a == cQuote && (b == cColon || b == cComma || b == cRightBrace || b == cClose)) return kJsonPairs;
    if (b == cQuote && (a == cLeftBrace || a == cOpen || a == cComma || a == cColon)) return kJsonPairs;
    if (a == cLess && (b == cSlash || is_ascii_letter(b))) return kTags;
    if ((a == cSlash && b == cGreater) || (a == cEquals && b == cQuote) || (a == cQuote && b == cGreater)) return kTags;
    if ((a == cSemicolon || a == cLeftBrace || a == cRightBrace) && (b == cNewline || b == cRightBrace || b == cSemicolon || b == cClose))
        return kBlockEnds;
    if (is_wordy(a) && is_operator(b) && b != cLess && b != cGreater && b != cSlash && b != cColon) return kGlued;
    // not a:b, which is a long vowel in some orthographies
    if ((a == cDot || a == cComma || a == cSemicolon || a == cEquals) && is_ascii_letter(b)) return kGlued;
    if (is_operator(a) && is_operator(b)) return kDoubles;
    if ((a == cHyphen || a == cBang) && (b == cGreater || b == cEquals)) return kDoubles;
    return kJunkFeatures;
}

// A token as a word: what may lead, the letters, what joins letters, what may trail; anything else breaks it.
enum Phase : uint8_t { Lead, Core, Join, Trail, Broken, kPhases };

constexpr Phase next_phase(unsigned phase, unsigned c) {
    const bool letter = is_ascii_letter(c) || c == cHigh;
    const bool joins = c == cApostrophe || c == cHyphen;
    const bool ends = c == cDot || c == cComma || c == cSemicolon || c == cColon || c == cBang || c == cClose || c == cQuote;
    if (phase == Lead) {
        if (letter) return Core;
        const bool leads = joins || c == cOpen || c == cQuote || c == cSymbol || c == cHash || c == cAt || c == cBang;
        return leads ? Lead : Broken;
    }
    if (phase == Broken) return Broken;
    if (phase == Trail) return c == cHigh ? Core : ends || joins || c == cSymbol ? Trail : Broken;
    if (letter) return Core;
    if (c == cSymbol) return static_cast<Phase>(phase);
    return joins ? Join : ends ? Trail : Broken;
}

// Words of programs and of few languages. Up to eight letters: they are compared as one number.
constexpr const char* KEYWORDS[] = {
    "async",  "await",  "bool",    "catch",    "const",   "def",     "define", "echo",   "elif",     "endif",  "enum",   "esac",  "extern",
    "false",  "float",  "fprintf", "function", "goto",    "ifdef",   "ifndef", "import", "include",  "inline", "int",    "isset", "len",
    "lambda", "null",   "nullptr", "printf",   "print",   "private", "public", "return", "size",     "sizeof", "static", "str",   "struct",
    "sudo",   "switch", "throw",   "true",     "typedef", "typeof",  "undef",  "union",  "unsigned", "void",   "window"};
constexpr size_t KEYWORD_SLOTS = 256;

constexpr size_t keyword_slot(uint64_t word) { return (word * 0x9E3779B97F4A7C15u) >> 56; }

struct Tables {
    uint8_t byte_class[256] = {};
    uint8_t pair[kClasses][kClasses] = {};
    uint8_t phase[kPhases][kClasses] = {};
    uint16_t root[1001] = {};  // root[x] = floor(sqrt(1000 x))
    uint64_t keyword[KEYWORD_SLOTS] = {};
    constexpr Tables() {
        for (unsigned c = 0; c < 256; ++c) byte_class[c] = c < 0x80 ? class_of_ascii(c) : cHigh;
        for (unsigned a = 0; a < kClasses; ++a)
            for (unsigned b = 0; b < kClasses; ++b) pair[a][b] = pair_feature(a, b);
        for (unsigned p = 0; p < kPhases; ++p)
            for (unsigned c = 0; c < kClasses; ++c) phase[p][c] = next_phase(p, c);
        for (unsigned x = 0, r = 0; x <= 1000; ++x) {
            while ((r + 1) * (r + 1) <= 1000 * x) ++r;
            root[x] = static_cast<uint16_t>(r);
        }
        for (const char* word : KEYWORDS) {
            uint64_t packed = 0;
            for (const char* p = word; *p; ++p) packed = packed << 8 | static_cast<uint8_t>(*p);
            size_t slot = keyword_slot(packed);
            while (keyword[slot]) slot = (slot + 1) % KEYWORD_SLOTS;
            keyword[slot] = packed;
        }
    }
    bool is_keyword(uint64_t packed) const {
        for (size_t slot = keyword_slot(packed); keyword[slot]; slot = (slot + 1) % KEYWORD_SLOTS)
            if (keyword[slot] == packed) return true;
        return false;
    }
};
constexpr Tables TABLES;

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

// All that one pass counts.
class Tally {
public:
    void read(Span window);
    JunkValues values() const;
    uint32_t bytes() const { return std::accumulate(classes_.begin(), classes_.end(), 0u); }  // blanks not counted
    // Three quarters are numbers, addresses and codes: whatever the rest is, it is not a sentence.
    bool wordless() const {
        return bytes() >= WORDLESS_BYTES && (counts_[kNumberTokens] + counts_[kAddresses] + counts_[kEncodedTokens]) * 4 >= 3 * bytes();
    }
    bool names() const { return name_items_ >= NAME_ITEMS && name_items_ * 100 >= NAME_SHARE * items_; }

private:
    using Counts = std::array<uint32_t, kClasses>;
    static constexpr size_t kPairs = kUnits - kCamel;
    void end_token(const Byte* begin, const Byte* end, Phase phase);
    JunkFeature token_kind(uint32_t size, Phase phase) const;
    void end_word(const Byte* begin, const Byte* end, uint32_t size);
    void end_run();
    void end_item();
    void end_line(const Byte* begin, const Byte* end);
    uint32_t here(Class c) const { return classes_[c] - classes_before_[c]; }
    uint32_t here(JunkFeature f) const { return counts_[f] - pairs_before_[f - kCamel]; }

    Counts classes_{}, classes_before_{};                                 // bytes of each class; and before this token
    std::array<uint32_t, kJunkFeatures> counts_{};
    std::array<uint32_t, kPairs> pairs_before_{};
    uint32_t run_words_ = 0, run_bytes_ = 0, run_high_ = 0;
    uint32_t item_tokens_ = 0, item_titles_ = 0, items_ = 0, name_items_ = 0;
    uint32_t lines_ = 0;
    Span start_{nullptr, nullptr};  // the first token of the line before
};

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

constexpr uint32_t SMOOTH_BYTES = 24;  // added to the size: a short text gives no clear shares
constexpr uint32_t SMOOTH_LINES = 3;
constexpr uint32_t SHORT = 160;         // fewer bytes, smoothing included, need clearer evidence

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

Tally tally(Span text) {
    Tally out;
    if (text.size() <= kJunkWindows * kJunkWindow) {
        out.read(text);
        return out;
    }
    for (size_t i = 0; i < kJunkWindows; ++i) {
        const Byte* begin = text.begin + (text.size() - kJunkWindow) / (kJunkWindows - 1) * i;
        out.read({begin, begin + kJunkWindow});
    }
    return out;
}

#include "tables/junk.inc"  // JUNK_BIAS, JUNK_WEIGHTS: written by tools/weights/fit_junk.py

// Which kind: the sum of what speaks for it, each by how rare it is outside of it. For the reason given only.
struct Sign {
    JunkFeature feature;
    JunkKind kind;
    int32_t weight;
};
constexpr Sign SIGNS[] = {{kIdentifiers, JunkKind::Code, 2},     {kCalls, JunkKind::Code, 3},
                          {kBlockEnds, JunkKind::Code, 2},       {kGlued, JunkKind::Code, 2},
                          {kKeywords, JunkKind::Code, 2},        {kJsonPairs, JunkKind::Json, 6},
                          {kQuotes, JunkKind::Json, 1},          {kDigits, JunkKind::Numbers, 1},
                          {kNumberTokens, JunkKind::Numbers, 2}, {kEncodedTokens, JunkKind::Encoded, 3},
                          {kMixed, JunkKind::Encoded, 1},        {kControls, JunkKind::Encoded, 2},
                          {kUnits, JunkKind::Css, 12},           {kAddresses, JunkKind::Urls, 3},
                          {kTags, JunkKind::Markup, 6},          {kAngles, JunkKind::Markup, 2}};

constexpr uint32_t MIN_BYTES = 16;    // a word or two are never enough: "stanp(e)", "iPhone", "uNcwabakazi"
constexpr int32_t CLEAR_SCORE = 200;  // what a rule gives: sure enough to say so, less sure than most code
constexpr int WEIGHT_BITS = 10;       // weights are hundredths of a nat for 1024 of a value

}  // namespace

JunkValues junk_features(Span utf8_text) { return tally(utf8_text).values(); }

Junk look_for_junk(Span utf8_text) {
    const Tally counted = tally(utf8_text);
    const JunkValues values = counted.values();
    int64_t sum = JUNK_BIAS;
    for (size_t i = 0; i < kJunkFeatures; ++i) sum += static_cast<int64_t>(JUNK_WEIGHTS[i]) * values[i];
    Junk out{static_cast<int32_t>(sum >> WEIGHT_BITS), JunkKind::None};
    if (counted.wordless()) out.score = std::max(out.score, CLEAR_SCORE);
    if (counted.names() && out.score < CLEAR_SCORE) return {CLEAR_SCORE, JunkKind::Names};
    if (counted.bytes() < MIN_BYTES) out.score = std::min(out.score, 0);
    if (out.score <= 0) return out;
    int32_t signs[kJunkKinds] = {0, 1};  // code where nothing speaks for anything
    for (const Sign& s : SIGNS) signs[static_cast<size_t>(s.kind)] += s.weight * values[s.feature];
    size_t best = 1;
    for (size_t kind = 2; kind < kJunkKinds; ++kind)
        if (signs[kind] > signs[best]) best = kind;
    out.kind = static_cast<JunkKind>(best);
    return out;
}

const char* junk_kind_name(JunkKind kind) {
    constexpr const char* NAMES[kJunkKinds] = {"", "code", "json", "numbers", "encoded", "css", "urls", "names", "markup"};
    return NAMES[static_cast<size_t>(kind)];
}

bool looks_plain(Span text) {
    static const auto table = [] {
        std::array<uint8_t, 256> out{};
        for (const char c : std::string_view("0123456789{}()[]<>;:=_/\\|#@$%^&*+~`\"")) out[static_cast<Byte>(c)] = 1;
        return out;
    }();
    size_t signs = 0;
    for (const Byte* p = text.begin; p < text.end; ++p) signs += table[*p];
    return signs * 20 < text.size();  // one byte in twenty: prose has fewer, code has four
}

}  // namespace webtongue
