#include "text/block_style.hpp"

#include "base/utf8.hpp"
#include "text/features.hpp"

namespace webtongue {
namespace {

constexpr size_t kMaxStyleBytes = 100;  // a longer block is not classified: few names and codes are longer
constexpr uint32_t kMinNumbers = 3;  // minimum in a row of data; a price with its currency has two
constexpr char32_t kFirstCaseless = 0x590;  // scripts with case are below: Latin, Greek, Cyrillic and Armenian

enum class TokenStyle : uint8_t { number, code, small, capital, caseless };

// What a byte of ASCII is in a token.
enum class AsciiStyle : uint8_t { other, small, capital, digit, sign };
struct AsciiStyles {
    AsciiStyle of[128] = {};
    constexpr AsciiStyles() {
        for (int c = 0; c < 128; ++c) {
            const bool is_blank = c == ' ' || (c >= 0x09 && c <= 0x0D);
            of[c] = c >= 'a' && c <= 'z'                                         ? AsciiStyle::small
                    : c >= 'A' && c <= 'Z'                                       ? AsciiStyle::capital
                    : c >= '0' && c <= '9'                                       ? AsciiStyle::digit
                    : !is_blank && c != '\'' && c != '-' && c != ',' && c != '&' ? AsciiStyle::sign
                                                                                 : AsciiStyle::other;
        }
    }
};
constexpr AsciiStyles ASCII_STYLES;

// A word may have punctuation around it, but neither digits nor signs between its letters. Initials are capitals.
TokenStyle style_of_token(Span token) {
    uint32_t letters = 0, digits = 0;
    bool is_capital = false, has_sign = false, has_inner_sign = false;
    const auto add_letter = [&](bool is_upper) {
        if (letters++ == 0) is_capital = is_upper;
        else has_inner_sign |= has_sign && letters > 2;
        has_sign = false;
    };
    for (const Byte* p = token.begin; p < token.end;) {
        const char32_t c = *p < 0x80 ? *p++ : first_letter_of(read_utf8(p, token.end));
        if (c >= 0x80) {
            if (!is_letter(c)) continue;
            if (c >= kFirstCaseless) return TokenStyle::caseless;
            add_letter(lower_of(c) != c);
            continue;
        }
        const AsciiStyle style = ASCII_STYLES.of[c];
        if (style == AsciiStyle::small || style == AsciiStyle::capital) add_letter(style == AsciiStyle::capital);
        else if (style == AsciiStyle::digit) ++digits;
        else has_sign |= letters > 0 && style == AsciiStyle::sign;
    }
    if (letters == 0) return TokenStyle::number;
    if (digits > 0 || has_inner_sign) return TokenStyle::code;
    return is_capital ? TokenStyle::capital : TokenStyle::small;
}

}  // namespace

BlockStyle style_of(Span block) {
    if (block.size() > kMaxStyleBytes) return BlockStyle::running;
    size_t number_bytes = 0, code_bytes = 0, word_bytes = 0;
    uint32_t numbers = 0, capitals = 0, smalls = 0;
    bool was_small = false, is_running = false;
    for (const Byte* p = block.begin; p < block.end;) {
        if (const size_t space = space_size(p, block.end)) {
            p += space;
            continue;
        }
        const Byte* const begin = p;
        p = token_end(p, block.end);
        const TokenStyle style = style_of_token({begin, p});
        if (style == TokenStyle::caseless) return BlockStyle::running;
        size_t& bytes = style == TokenStyle::number ? number_bytes : style == TokenStyle::code ? code_bytes : word_bytes;
        bytes += static_cast<size_t>(p - begin);
        numbers += style == TokenStyle::number;
        capitals += style == TokenStyle::capital;
        smalls += style == TokenStyle::small;
        is_running |= was_small && style == TokenStyle::small;
        was_small = style == TokenStyle::small;
    }
    if (word_bytes == 0) return BlockStyle::codes;
    if ((code_bytes > 0 || numbers >= kMinNumbers) && code_bytes + number_bytes >= word_bytes) return BlockStyle::codes;
    if (is_running) return BlockStyle::running;
    return capitals >= 2 && capitals >= 2 * smalls ? BlockStyle::names : BlockStyle::fragment;
}

}  // namespace webtongue
