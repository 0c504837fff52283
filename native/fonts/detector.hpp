// Detects text for legacy fonts by pairs of font bytes.
//
// The font byte of a character in windows-1252 is its byte, that of another character is 0, and a byte that is not UTF-8 is its own. So one
// model serves text in UTF-8, in references and in undeclared bytes.
#pragma once

#include <string>
#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

struct LineFont {
    uint8_t font;  // number of the likeliest font, 0 for ordinary text
    int32_t margin;  // lead of the font over ordinary text, in tenths of a nat
};

// The fit of words that are likelier text for a font than ordinary text.
struct FontFit {
    // Characters of all words and of those that are likelier in the font, each with the space after it.
    uint32_t characters = 0, own_characters = 0;
    int64_t font = 0, ordinary = 0;  // log-probabilities of the latter in tenths of a nat
};

class FontDetector {
public:
    static constexpr size_t kLanes = 32;
    static constexpr size_t kPairs = 65536;
    static constexpr size_t kClasses = 128;
    static constexpr size_t kBurmese = 161;  // code points U+1000 to U+109F, and one number for all others

    // Reads from memory that outlives the detector; throws std::invalid_argument if the file is invalid.
    explicit FontDetector(Span file);

    const std::vector<std::string>& names() const { return names_; }  // [0] is ordinary text, the last is Zawgyi

    // True if a part of the text may be for a font, by a check that takes bounded time.
    bool may_have_font(Span text) const;

    // Returns the likeliest font of every line; `only_font` restricts the check to one font (0 for all).
    std::vector<LineFont> lines(Span text, size_t only_font) const;

    // All fields are 0 for ordinary text, and for Zawgyi, which has no font bytes.
    FontFit fit(Span text, size_t font) const;

    // The mean log-probability of a character in text of each font, in thousandths of a nat.
    const std::vector<int32_t>& typical() const { return typical_; }

private:
    LineFont line(Span text, size_t only_font) const;
    int32_t score_window(const Byte*& p, const Byte* end) const;

    std::vector<std::string> names_;
    const Byte* classes_ = nullptr;  // class of each byte for the gate, whose table fits in the first-level cache
    const int8_t* gate_ = nullptr;  // weight of each pair of classes for a font
    const int8_t* rows_ = nullptr;  // log-probabilities of each pair of bytes in each font
    const int8_t* burmese_ = nullptr;  // weight of each pair of code points for Zawgyi
    std::vector<int32_t> typical_;
    int32_t threshold_ = 0;
};

}  // namespace webtongue
