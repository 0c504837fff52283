// Text that is a language only through a font: glyphs in the order they are drawn, turned into Unicode.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

// What a code point is to its syllable.
enum class Place : uint8_t { other, consonant, nukta, joiner, medial, mark };

// How the Unicode of a font sequence stands to the syllable it is drawn with.
enum class Glyph : uint8_t {
    plain,
    pre,   // drawn before the syllable, written after it: vowel signs, a subscript ra
    reph,  // drawn after the syllable, written before it: a superscript ra, kinzi
    sub,   // drawn after the vowel signs too, written before them: subscript consonants
};

struct FontRule {
    std::u32string from, to;
    Glyph glyph = Glyph::plain;
    std::u32string after;  // what a moved glyph leaves where it was drawn: an anusvara in one piece with a reph
};

// Rewriting by the longest rule that fits, from left to right, what was written not read again.
class FontRules {
public:
    explicit FontRules(std::vector<FontRule> rules);
    // The longest rule whose `from` begins [p, end), or null.
    const FontRule* find(const char32_t* p, const char32_t* end) const;
    const FontRule& at(size_t i) const { return rules_[i]; }
    size_t index(const FontRule* rule) const { return static_cast<size_t>(rule - rules_.data()); }

private:
    std::vector<FontRule> rules_;   // by first code point, then the longest first
    std::vector<uint16_t> starts_;  // of each first code point
};

// The code points of one script: `base` is where its block begins, a byte for each: Place, and a rank times 8 by which
// marks of one syllable are ordered.
struct FontScript {
    char32_t base = 0;
    std::string places;
    bool low = false;  // a subscript may stand after a virama that ends its conjunct, as in Kannada

    Place place(char32_t c) const { return static_cast<Place>(code(c) & 7); }
    int rank(char32_t c) const { return code(c) >> 3; }

private:
    Byte code(char32_t c) const {
        if (c == 0x200D) return static_cast<Byte>(Place::joiner);  // of a conjunct that is asked for
        return c >= base && c - base < places.size() ? static_cast<Byte>(places[c - base]) : 0;
    }
};

class Font {
public:
    Font(std::vector<FontRule> glyphs, std::vector<FontRule> fixes, FontScript script)
        : glyphs_(std::move(glyphs)), fixes_(std::move(fixes)), script_(std::move(script)) {}

    // Text in UTF-8 as the font shows it, in UTF-8. Linear; what the font does not have stays as it is.
    std::string convert(Span text) const;

private:
    std::u32string draw(Span text) const;
    std::u32string fix(const std::u32string& text) const;
    std::u32string reorder(const std::u32string& drawn) const;
    void order_marks(std::u32string& text) const;

    FontRules glyphs_, fixes_;
    FontScript script_;
};

}  // namespace webtongue
