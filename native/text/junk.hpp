// Text that is not language: code, data, tables, encoded bytes, lists of addresses and names.
//
// Nothing here knows a language: what counts is how letters, digits and punctuation meet, what the tokens between
// spaces look like, and how many words stand in a row. Any letter beyond ASCII speaks for language.
#pragma once

#include <array>

#include "base/bytes.hpp"

namespace webtongue {

// What the text looks like instead. The order is that of `junk_kind_name`.
enum class JunkKind : uint8_t { None, Code, Json, Numbers, Encoded, Css, Urls, Names, Markup };
constexpr size_t kJunkKinds = 9;

struct Junk {
    int32_t score = 0;               // hundredths of a nat; above 0: not language
    JunkKind kind = JunkKind::None;  // which kind of evidence weighs most; None where the score is not above 0
};

// What is counted; each becomes a number between 0 and 1000. The weights in tables/junk.inc stand in this order.
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
    // pairs of neighbours: aB, a1 or 1a, a( , {" or ", , <a or =" , };  , a.b , =>
    kCamel,
    kMixed,
    kCalls,
    kJsonPairs,
    kTags,
    kBlockEnds,
    kGlued,
    kDoubles,
    kUnits,
    // bytes in tokens, which are what stands between spaces
    kWords,
    kNumberTokens,
    kAddresses,
    kEncodedTokens,
    kIdentifiers,
    kOperators,
    kOtherTokens,
    kVowelless,
    kLong,
    kKeywords,
    kRuns,  // words in a row
    // shares of the lines
    kCodeEnds,
    kPunctuationStarts,
    kIndented,
    kSameStarts,  // with the word that the line before starts with
    kShort,  // how far the text is from long enough
    kJunkFeatures
};

using JunkValues = std::array<int32_t, kJunkFeatures>;

constexpr size_t kJunkWindows = 8, kJunkWindow = 384;  // a longer text is read in windows spread over it

// The evidence, each value between 0 and 1000: the square root of a share, so that a little counts.
JunkValues junk_features(Span utf8_text);

// A quick look at what is nearly always language: whether digits and the signs of code are rare in it.
bool looks_plain(Span utf8_text);

// Reads at most kJunkWindows * kJunkWindow bytes, whatever the length.
Junk look_for_junk(Span utf8_text);

const char* junk_kind_name(JunkKind kind);  // "" for None

}  // namespace webtongue
