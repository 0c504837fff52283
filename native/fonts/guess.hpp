// Does text read like a font's glyphs and not like what its characters say? Pairs of bytes tell.
//
// Font bytes: a character of windows-1252 is its byte, any other is 0, a byte that is no UTF-8 is itself. So one model serves
// text that came as UTF-8, as references or as undeclared bytes.
#pragma once

#include <string>
#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

struct LineGuess {
    uint8_t font;    // number of the likeliest font, 0: ordinary text
    int32_t margin;  // of the font over ordinary text, tenths of a nat
};

class FontGuess {
public:
    static constexpr size_t kLanes = 32;
    static constexpr size_t kPairs = 65536;
    static constexpr size_t kClasses = 128;
    static constexpr size_t kBurmese = 161;  // code points U+1000 to U+109F, and any other

    // Reads from memory that outlives it; throws std::invalid_argument where something is off.
    explicit FontGuess(Span file);

    const std::vector<std::string>& names() const { return names_; }  // [0] is ordinary text, the last is Zawgyi

    // Whether a stretch of the text is worth a closer look: bounded, however long the text.
    bool suspects(Span text) const;

    // Every line judged; `wanted` looks at one font alone (0: all of them).
    std::vector<LineGuess> lines(Span text, size_t wanted) const;

private:
    LineGuess line(Span text, size_t wanted) const;
    int32_t look(const Byte*& p, const Byte* end) const;

    std::vector<std::string> names_;
    const Byte* classes_ = nullptr;    // bytes that the gate does not tell apart: a table that stays in the nearest cache
    const int8_t* gate_ = nullptr;     // a weight for each pair of classes: font or not
    const int8_t* rows_ = nullptr;     // log-probabilities of each pair in each class
    const int8_t* burmese_ = nullptr;  // a weight for each pair of code points: Zawgyi or not
    int32_t threshold_ = 0;
};

}  // namespace webtongue
