// Detects text that is not language: code, data, tables, encoded bytes, lists of URLs and names.
//
// The features are independent of any language: how letters, digits and punctuation combine, the shape of the tokens between spaces, and
// how many words follow each other. Any letter beyond ASCII is evidence of language.
#pragma once

#include <array>
#include <string_view>

#include "base/bytes.hpp"

namespace webtongue {

// The kind of junk, in the order of junk_kind_name().
enum class JunkKind : uint8_t { None, Code, Json, Numbers, Encoded, Css, Urls, Names, Markup };
constexpr size_t kJunkKinds = 9;

struct Junk {
    int32_t score = 0;  // hundredths of a nat; above 0 means not language
    JunkKind kind = JunkKind::None;  // the kind with most evidence; None if the score is not above 0
};

// Features, each scaled to 0..1000. The weights in tables/junk.inc have the same order.
enum JunkFeature : uint8_t {
    // shares of the bytes
    kDigits,
    kUpper,
    kParens,
    kBraces,
    kAngles,
    kSemicolons,
    kEquals,
    kColons,
    kQuotes,
    kSlashes,
    kUnderscores,
    kSigils,
    kStops,
    kHyphens,
    kHighLetters,
    kHighSymbols,
    kControls,
    // pairs of adjacent bytes: aB, a1 or 1a, a( , () or ); , $a , {" or ", , <a or =" , };  , a.b , =>
    kCamel,
    kMixed,
    kCalls,
    kCodeBrackets,
    kSigilWords,
    kJsonPairs,
    kTags,
    kBlockEnds,
    kGlued,
    kDoubles,
    kUnits,
    // bytes in tokens, which are separated by spaces
    kWords,
    kNumberTokens,
    kAddresses,
    kEncodedTokens,
    kIdentifiers,
    kOperators,
    kCodeOperators,  // those of them that have an equals sign, a brace or two signs
    kOtherTokens,
    kVowelless,
    kLong,
    kKeywords,
    kRuns,  // consecutive words
    // shares of the lines
    kCodeEnds,
    kPunctuationStarts,
    kIndented,
    kSameStarts,  // with the same first word as the previous line
    kShort,  // how far the text is below the length of a long text
    kJunkFeatures
};

using JunkValues = std::array<int32_t, kJunkFeatures>;

constexpr size_t kMaxJunkWindows = 8, kJunkWindowBytes = 384;  // a longer text is sampled in windows spread over it

// The feature values, each the square root of a share scaled to 0..1000, so that small shares count.
JunkValues junk_features(Span utf8_text);

// Digits and the punctuation of code.
struct CodeSigns {
    uint8_t is_sign[256] = {};
    constexpr CodeSigns() {
        for (const char c : std::string_view("0123456789{}()[]<>;:=_/\\|#@$%^&*+~`\"")) is_sign[static_cast<Byte>(c)] = 1;
    }
};
inline constexpr CodeSigns CODE_SIGNS;
constexpr size_t kProseSignShare = 20;  // prose has fewer than one such byte in twenty, code has about four

// A quick test that passes nearly all prose, where such signs are rare.
bool looks_like_prose(Span utf8_text);

// Reads at most kMaxJunkWindows * kJunkWindowBytes bytes.
Junk detect_junk(Span utf8_text);

// The same with the counts that tell prose: bytes without blanks, and those of them in rows of words.
struct JunkCounts {
    Junk junk;
    uint32_t bytes = 0, run_bytes = 0;
};
JunkCounts count_junk(Span utf8_text);

const char* junk_kind_name(JunkKind kind);  // "" for None

}  // namespace webtongue
