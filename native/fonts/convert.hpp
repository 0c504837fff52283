// Converts text for legacy fonts to Unicode: from glyphs in the order of drawing to characters in the order of Unicode.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

// The role of a code point in its syllable.
enum class SyllableRole : uint8_t { other, consonant, nukta, joiner, medial, mark };

// The position of a glyph relative to its syllable.
enum class Glyph : uint8_t {
    plain,
    pre,   // drawn before the syllable, encoded after it: vowel signs, a subscript ra
    reph,  // drawn after the syllable, encoded before it: a superscript ra, kinzi
    sub,   // drawn after the vowel signs, encoded before them: subscript consonants
};

struct FontRule {
    std::u32string from, to;
    Glyph glyph = Glyph::plain;
    std::u32string after;  // text that stays where a moved glyph is drawn, such as an anusvara joined with a reph
};

// Rewriting rules: from left to right, the longest match is replaced, and replacements are not matched again.
class FontRules {
public:
    explicit FontRules(std::vector<FontRule> rules);
    // Returns the longest rule whose `from` is a prefix of [p, end), or null.
    const FontRule* find(const char32_t* p, const char32_t* end) const;
    const FontRule& at(size_t i) const { return rules_[i]; }
    size_t index(const FontRule* rule) const { return static_cast<size_t>(rule - rules_.data()); }

private:
    std::vector<FontRule> rules_;   // sorted by first code point, the longest first
    std::vector<uint16_t> starts_;  // first rule of each first code point
};

// The roles of the code points of a script: the first code point of its block, and a byte for each: a SyllableRole plus 8 times a rank, by
// which marks of a syllable are sorted.
struct FontScript {
    char32_t base = 0;
    std::string codes;
    bool has_low_subscripts = false;  // a subscript may be drawn after a virama that ends its conjunct, as in Kannada

    SyllableRole role(char32_t c) const { return static_cast<SyllableRole>(code(c) & 7); }
    int rank(char32_t c) const { return code(c) >> 3; }

private:
    Byte code(char32_t c) const {
        if (c == 0x200D) return static_cast<Byte>(SyllableRole::joiner);  // an explicit conjunct
        return c >= base && c - base < codes.size() ? static_cast<Byte>(codes[c - base]) : 0;
    }
};

class Font {
public:
    Font(std::vector<FontRule> glyphs, std::vector<FontRule> fixes, FontScript script)
        : glyphs_(std::move(glyphs)), fixes_(std::move(fixes)), script_(std::move(script)) {}

    // Converts UTF-8 to UTF-8 in linear time; characters that the font lacks are kept.
    std::string convert(Span text) const;

private:
    std::u32string replace_glyphs(Span text) const;
    std::u32string fix(const std::u32string& text) const;
    std::u32string reorder(const std::u32string& glyphs) const;
    void order_marks(std::u32string& text) const;

    FontRules glyphs_, fixes_;
    FontScript script_;
};

}  // namespace webtongue
