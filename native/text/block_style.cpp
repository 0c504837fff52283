#include "text/block_style.hpp"

#include "base/utf8.hpp"
#include "text/features.hpp"

namespace webtongue {
namespace {

constexpr size_t kMaxStyleBytes = 100;  // a longer block is not classified: few names and codes are longer
constexpr uint32_t kMinNumbers = 3;  // minimum in a row of data; a price with its currency has two
constexpr char32_t kFirstCaseless = 0x590;  // scripts with case are below: Latin, Greek, Cyrillic and Armenian

enum class TokenStyle : uint8_t { number, code, small, capital, caseless };

bool is_inner_sign(char32_t c) { return c < 0x80 && !is_unicode_space(c) && c != '\'' && c != '-' && c != ',' && c != '&'; }

// A word may have punctuation around it, but neither digits nor signs between its letters. Initials are capitals.
TokenStyle style_of_token(Span token) {
    uint32_t letters = 0, digits = 0;
    bool is_capital = false, has_sign = false, has_inner_sign = false;
    for (const Byte* p = token.begin; p < token.end;) {
        const char32_t c = first_letter_of(read_utf8(p, token.end));
        if (is_letter(c)) {
            if (c >= kFirstCaseless) return TokenStyle::caseless;
            if (letters++ == 0) is_capital = lower_of(c) != c;
            else has_inner_sign |= has_sign && letters > 2;
            has_sign = false;
        } else if (c < 0x80 && is_digit(static_cast<Byte>(c))) {
            ++digits;
        } else {
            has_sign |= letters > 0 && is_inner_sign(c);
        }
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
