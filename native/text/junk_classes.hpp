// Tables for junk detection: byte classes, pairs of classes, program keywords, and the shape of a word.
#pragma once

#include "text/junk.hpp"

namespace webtongue {
namespace junk {

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
    if (c == ' ' || c == '\t' || c == '\f' || c == '\v') return cSpace;
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

// The feature that a pair of adjacent bytes counts for, or kJunkFeatures for none.
constexpr uint8_t pair_feature(unsigned a, unsigned b) {
    if (is_lower_class(a) && b == cUpper) return kCamel;
    if ((is_ascii_letter(a) && b == cDigit) || (a == cDigit && is_ascii_letter(b))) return kMixed;
    if ((a == cOpen && b == cClose) || (a == cClose && (b == cSemicolon || b == cLeftBrace))) return kCodeBrackets;
    if ((is_wordy(a) || a == cUnderscore || a == cOpen) && b == cOpen) return kCalls;
    if (a == cSigil && is_lower_class(b)) return kSigilWords;
    if (a == cQuote && (b == cColon || b == cComma || b == cRightBrace || b == cClose)) return kJsonPairs;
    if (b == cQuote && (a == cLeftBrace || a == cOpen || a == cComma || a == cColon)) return kJsonPairs;
    if (a == cLess && (b == cSlash || is_ascii_letter(b))) return kTags;
    if ((a == cSlash && b == cGreater) || (a == cEquals && b == cQuote) || (a == cQuote && b == cGreater)) return kTags;
    if ((a == cSemicolon || a == cLeftBrace || a == cRightBrace) && (b == cNewline || b == cRightBrace || b == cSemicolon || b == cClose))
        return kBlockEnds;
    if (is_wordy(a) && is_operator(b) && b != cLess && b != cGreater && b != cSlash && b != cColon) return kGlued;
    // The pair a:b is excluded: it is a long vowel in some orthographies.
    if ((a == cDot || a == cComma || a == cSemicolon || a == cEquals) && is_ascii_letter(b)) return kGlued;
    if (is_operator(a) && is_operator(b)) return kDoubles;
    if ((a == cHyphen || a == cBang) && (b == cGreater || b == cEquals)) return kDoubles;
    return kJunkFeatures;
}

// The phases of a token that is a word: leading punctuation, letters, joiners, trailing punctuation. Anything else breaks it.
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

// Keywords of programming languages that are rare in natural ones. They have up to eight letters and are compared as one number. Those
// in capitals are of SQL: they count only where a line has several of them, and words in lower case.
constexpr const char* KEYWORDS[] = {
    "args",     "argv",    "async",    "await",   "bool",     "boolean",  "catch",   "chmod",  "chown",    "const",   "def",    "define",
    "defun",    "echo",    "elif",     "elsif",   "endfor",   "endif",    "enum",    "esac",   "eval",     "extends", "extern", "false",
    "float",    "foreach", "fprintf",  "func",    "function", "goto",     "grep",    "ifdef",  "ifndef",   "impl",    "import", "include",
    "inline",   "int",     "isset",    "kwargs",  "lambda",   "len",      "malloc",  "mkdir",  "mutable",  "nil",     "null",   "nullptr",
    "pragma",   "print",   "printf",   "println", "private",  "public",   "return",  "size",   "sizeof",   "static",  "std",    "stderr",
    "stdin",    "stdout",  "str",      "strlen",  "struct",   "sudo",     "switch",  "throw",  "throws",   "true",    "tuple",  "typedef",
    "typename", "typeof",  "uint",     "undef",   "union",    "unsigned", "virtual", "void",   "volatile", "window",  "ALTER",  "BY",
    "CREATE",   "DELETE",  "DISTINCT", "DROP",    "FROM",     "GROUP",    "HAVING",  "INNER",  "INSERT",   "INTEGER", "INTO",   "JOIN",
    "LIMIT",    "NULL",    "ORDER",    "PRIMARY", "SELECT",   "TABLE",    "UNION",   "UPDATE", "VALUES",   "VARCHAR", "WHERE"};
constexpr size_t KEYWORD_SLOTS = 256;

constexpr size_t keyword_slot(uint64_t word) { return (word * 0x9E3779B97F4A7C15u) >> 56; }

struct JunkTables {
    uint8_t byte_class[256] = {};
    uint8_t pair[kClasses][kClasses] = {};
    uint8_t phase[kPhases][kClasses] = {};
    uint16_t root[1001] = {};  // root[x] = floor(sqrt(1000 x))
    uint64_t keyword[KEYWORD_SLOTS] = {};
    constexpr JunkTables() {
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
inline constexpr JunkTables TABLES;

}  // namespace junk
}  // namespace webtongue
