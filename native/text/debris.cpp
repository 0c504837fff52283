#include "text/debris.hpp"

#include <algorithm>

#include "base/checks.hpp"

namespace webtongue {
namespace {

using namespace debris;

constexpr size_t kMaxTriggers = 1 << 16;  // a text with more of them is masked up to there

// Bytes at which debris may be found. All other bytes are passed over in a tight loop, which has the same list for 16 bytes at once.
struct Triggers {
    bool is_trigger[256] = {};
    constexpr Triggers() {
        for (const char c : {':', '.', '@', '`', '[', '<', '&', '%', '{', '\\', '$', '=', '#', '*', '|'})
            is_trigger[static_cast<unsigned char>(c)] = true;
    }
};
constexpr Triggers TRIGGERS;

bool is_word_byte(Byte c) { return is_alnum(c) || c >= 0x80; }

class Masker {
public:
    Masker(Span text, std::vector<Byte>& masked) : text_(text), masked_(masked) {}

    bool run() {
        size_t triggers = 0;
        for (const Byte* p = text_.begin; p < text_.end;) {
            p = find_trigger(p);
            if (p == text_.end) break;
            if (++triggers > kMaxTriggers) break;
            const Byte* const next = handle(p);
            p = std::max(next, p + 1);
        }
        return !masked_.empty();
    }

private:
    const Byte* find_trigger(const Byte* p) const {
#ifdef WEBTONGUE_SSE2
        for (; text_.end - p >= 16; p += 16)
            if (const unsigned mask = triggers_in(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)))) return p + lowest_bit(mask);
#endif
        while (p < text_.end && !TRIGGERS.is_trigger[*p]) ++p;
        return p;
    }

#ifdef WEBTONGUE_SSE2
    // A mask of the triggers among 16 bytes. A bit that is set first makes one of @ and `, [ and {, \\ and |.
    static unsigned triggers_in(__m128i bytes) {
        const auto is_one_of = [](__m128i from, char first, char count) {
            return _mm_cmplt_epi8(_mm_add_epi8(from, _mm_set1_epi8(static_cast<char>(-128 - first))),
                                  _mm_set1_epi8(static_cast<char>(-128 + count)));
        };
        const auto is = [](__m128i from, char c) { return _mm_cmpeq_epi8(from, _mm_set1_epi8(c)); };
        const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
        const __m128i signs = _mm_or_si128(_mm_or_si128(is_one_of(bytes, '#', 4), is_one_of(bytes, '<', 2)), is_one_of(folded, '{', 2));
        const __m128i points = _mm_or_si128(_mm_or_si128(is(bytes, '.'), is(bytes, ':')), _mm_or_si128(is(bytes, '*'), is(folded, '`')));
        return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(signs, points)));
    }
#endif

    // Masks the debris at a trigger. Returns where the search continues.
    const Byte* handle(const Byte* p) {
        switch (*p) {
            case ':':
                return mask(find_url(text_, p));
            case '.':
                return mask(find_host(text_, p));
            case '@':
                return mask(find_mail_or_handle(text_, p));
            case '`':
                return mask(find_code_span(text_, p));
            case '<':
                return mask(find_tag(text_, p));
            case '&':
                return mask(find_entity(text_, p));
            case '%':
            case '{':
                return mask(find_placeholder(text_, p));
            case '\\':
                return mask_both(find_command(text_, p));
            case '$':
                return mask(find_formula(text_, p));
            case '=':
                return mask(find_attribute(text_, p));
            case '[':
                return mask_both(find_bracket(text_, p));
            default:
                return mask_sign(p);
        }
    }

    const Byte* mask(Debris debris) {
        if (debris.empty()) return nullptr;
        if (masked_.empty()) masked_.assign(text_.begin, text_.end);
        blank_out(text_, {debris.begin, debris.end}, masked_);
        return debris.end;
    }

    // The text between the two ranges is searched for debris, too.
    const Byte* mask_both(const BracketDebris& debris) {
        mask(debris.second);
        return mask(debris.first);
    }

    // Signs that are glued to words: the # of a tag, the * of emphasis. A | separates cells, as the end of a line does.
    const Byte* mask_sign(const Byte* p) {
        if (*p == '|') {
            mask({p, p + 1});
            masked_[static_cast<size_t>(p - text_.begin)] = '\n';
            return p + 1;
        }
        const bool is_tag = p + 1 < text_.end && is_word_byte(p[1]) && (p == text_.begin || !is_word_byte(p[-1]));
        return *p == '#' && !is_tag ? nullptr : mask({p, p + 1});
    }

    Span text_;
    std::vector<Byte>& masked_;
};

}  // namespace

void blank_out(Span text, Span part, std::vector<Byte>& copy) {
    for (const Byte* p = part.begin; p < part.end; ++p)
        if (*p != '\n') copy[static_cast<size_t>(p - text.begin)] = ' ';
}

bool mask_debris(Span utf8_text, std::vector<Byte>& masked) {
    masked.clear();
    return is_enabled(Check::debris) && Masker(utf8_text, masked).run();
}

}  // namespace webtongue
