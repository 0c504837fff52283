#include "text/block_style.hpp"

#include <cstring>

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

// Counts the tokens of a block by their styles.
struct TokenCounts {
    size_t number_bytes = 0, code_bytes = 0, word_bytes = 0;
    uint32_t numbers = 0, capitals = 0, smalls = 0;
    bool was_small = false, is_running = false;

    void add(TokenStyle style, size_t size) {
        size_t& bytes = style == TokenStyle::number ? number_bytes : style == TokenStyle::code ? code_bytes : word_bytes;
        bytes += size;
        numbers += style == TokenStyle::number;
        capitals += style == TokenStyle::capital;
        smalls += style == TokenStyle::small;
        is_running |= was_small && style == TokenStyle::small;
        was_small = style == TokenStyle::small;
    }

    BlockStyle style() const {
        if (word_bytes == 0) return BlockStyle::codes;
        if ((code_bytes > 0 || numbers >= kMinNumbers) && code_bytes + number_bytes >= word_bytes) return BlockStyle::codes;
        if (is_running) return BlockStyle::running;
        return capitals >= 2 && capitals >= 2 * smalls ? BlockStyle::names : BlockStyle::fragment;
    }
};

#ifdef WEBTONGUE_SSE2
constexpr size_t kMaskBytes = 64;

// A bit for each byte of a short block in ASCII, by class.
struct AsciiMasks {
    uint64_t letters = 0, capitals = 0, digits = 0, signs = 0, blanks = 0;
    bool is_ascii = true;

    explicit AsciiMasks(Span block) {
        alignas(16) Byte bytes[kMaskBytes] = {};
        uint64_t others = 0;  // all but signs
        std::memcpy(bytes, block.begin, block.size());
        for (size_t at = 0; at < block.size(); at += 16) {
            const __m128i chunk = _mm_load_si128(reinterpret_cast<const __m128i*>(bytes + at));
            const auto equal = [&](char c) { return _mm_cmpeq_epi8(chunk, _mm_set1_epi8(c)); };
            const auto between = [&](char first, char last) {
                return _mm_and_si128(_mm_cmpgt_epi8(chunk, _mm_set1_epi8(static_cast<char>(first - 1))),
                                     _mm_cmplt_epi8(chunk, _mm_set1_epi8(static_cast<char>(last + 1))));
            };
            const auto set = [at](uint64_t& bits, __m128i mask) { bits |= uint64_t{static_cast<unsigned>(_mm_movemask_epi8(mask))} << at; };
            const __m128i blank = _mm_or_si128(equal(' '), between('\t', '\r'));
            const __m128i punctuation = _mm_or_si128(_mm_or_si128(equal('\''), equal('-')), _mm_or_si128(equal(','), equal('&')));
            const __m128i upper = between('A', 'Z'), letter = _mm_or_si128(upper, between('a', 'z')), digit = between('0', '9');
            set(letters, letter);
            set(capitals, upper);
            set(digits, digit);
            set(blanks, blank);
            set(others, _mm_or_si128(_mm_or_si128(letter, digit), _mm_or_si128(blank, punctuation)));
            is_ascii = is_ascii && _mm_movemask_epi8(chunk) == 0;
        }
        signs = ~others;
    }

    // The same as style_of_token() for the bytes that are set in `token`.
    TokenStyle style_of(uint64_t token) const {
        const uint64_t own = letters & token;
        if (own == 0) return TokenStyle::number;
        const uint64_t first = own & (0 - own), rest = own ^ first, second = rest & (0 - rest);
        // Signs after the second letter and before the last one.
        const bool has_inner_sign = rest != 0 && (signs & token & (0 - second) & ((uint64_t{1} << highest_bit(own)) - 1)) != 0;
        if (digits & token || has_inner_sign) return TokenStyle::code;
        return capitals & first ? TokenStyle::capital : TokenStyle::small;
    }
};

TokenCounts count_tokens(const AsciiMasks& masks, size_t size) {
    TokenCounts out;
    const uint64_t all = size == kMaskBytes ? ~uint64_t{0} : (uint64_t{1} << size) - 1;
    for (uint64_t rest = ~masks.blanks & all; rest != 0;) {
        const uint64_t begin = rest & (0 - rest),
                       end = (rest + begin) & ~rest;  // of the run of set bits at the lowest one; end is 0 after bit 63
        const uint64_t token = end - begin;
        out.add(masks.style_of(token), static_cast<size_t>(highest_bit(token) - highest_bit(begin) + 1));
        rest &= ~token;
    }
    return out;
}
#endif

}  // namespace

BlockStyle style_of(Span block) {
    if (block.size() > kMaxStyleBytes) return BlockStyle::running;
#ifdef WEBTONGUE_SSE2
    if (!block.empty() && block.size() <= kMaskBytes) {
        const AsciiMasks masks(block);
        if (masks.is_ascii) return count_tokens(masks, block.size()).style();
    }
#endif
    TokenCounts counts;
    for (const Byte* p = block.begin; p < block.end;) {
        if (const size_t space = space_size(p, block.end)) {
            p += space;
            continue;
        }
        const Byte* const begin = p;
        p = token_end(p, block.end);
        const TokenStyle style = style_of_token({begin, p});
        if (style == TokenStyle::caseless) return BlockStyle::running;
        counts.add(style, static_cast<size_t>(p - begin));
    }
    return counts.style();
}

}  // namespace webtongue
