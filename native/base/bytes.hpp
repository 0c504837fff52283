// Byte classes and searches shared by all modules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "base/compiler.hpp"

namespace webtongue {

using Byte = uint8_t;

inline bool is_space(Byte c) { return c == ' ' || (c >= 0x09 && c <= 0x0D && c != 0x0B); }
inline bool is_alpha(Byte c) { return static_cast<Byte>((c | 0x20) - 'a') < 26; }
inline bool is_digit(Byte c) { return static_cast<Byte>(c - '0') < 10; }
inline bool is_alnum(Byte c) { return is_alpha(c) || is_digit(c); }
inline Byte lower(Byte c) { return static_cast<Byte>(c - 'A') < 26 ? c | 0x20 : c; }

// Byte classes inside tags, as a table because they are tested for every byte of every tag.
enum ByteClass : uint8_t { kEndsTagName = 1, kEndsName = 2, kEndsValue = 4 };
struct ByteClasses {
    uint8_t bits[256];
};
constexpr ByteClasses byte_classes() {
    ByteClasses out{};
    for (const int c : {0x09, 0x0A, 0x0C, 0x0D, 0x20}) out.bits[c] = kEndsTagName | kEndsName | kEndsValue;
    out.bits['>'] = kEndsTagName | kEndsName | kEndsValue;
    out.bits['/'] = kEndsTagName | kEndsName;
    out.bits['='] = kEndsName;
    return out;
}
inline constexpr ByteClasses kByteClasses = byte_classes();
inline bool ends_tag_name(Byte c) { return kByteClasses.bits[c] & kEndsTagName; }
inline bool ends_name(Byte c) { return kByteClasses.bits[c] & kEndsName; }
inline bool ends_value(Byte c) { return kByteClasses.bits[c] & kEndsValue; }

// The value of a hexadecimal digit, or -1.
inline int hex_value(Byte c) {
    if (is_digit(c)) return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// A half-open range of bytes.
struct Span {
    const Byte* begin = nullptr;
    const Byte* end = nullptr;
    size_t size() const { return static_cast<size_t>(end - begin); }
    bool empty() const { return begin == end; }
};

// Case-insensitive comparison with a lower-case literal.
inline bool equals_lower(Span s, const char* literal) {
    size_t n = std::strlen(literal);
    if (s.size() != n) return false;
    for (size_t i = 0; i < n; ++i)
        if (lower(s.begin[i]) != static_cast<Byte>(literal[i])) return false;
    return true;
}

inline bool starts_lower(const Byte* p, const Byte* end, const char* literal) {
    size_t n = std::strlen(literal);
    if (static_cast<size_t>(end - p) < n) return false;
    return equals_lower({p, p + n}, literal);
}

// Hash of the bytes without ASCII case, for the small string sets that Python passes in.
inline uint64_t hash_lower(Span s) {
    uint64_t h = 0xCBF29CE484222325u;
    for (const Byte* p = s.begin; p < s.end; ++p) h = (h ^ lower(*p)) * 0x100000001B3u;
    return h;
}

inline Span trim(Span s) {
    while (s.begin < s.end && is_space(*s.begin)) ++s.begin;
    while (s.begin < s.end && is_space(s.end[-1])) --s.end;
    return s;
}

#ifdef WEBTONGUE_SSE2
// A mask of the ASCII letters among 16 bytes.
inline unsigned ascii_letters_in(__m128i bytes) {
    // Small letters minus 'a', moved to the lowest signed values: one signed comparison then finds them.
    const __m128i moved = _mm_add_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8(static_cast<char>(-128 - 'a')));
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmplt_epi8(moved, _mm_set1_epi8(-128 + 26))));
}
#endif

// Finds the first `c` in [p, end), or returns end. Short distances, the usual case inside tags, stay in this loop; long ones use memchr
// of the C library.
inline const Byte* find_byte(const Byte* p, const Byte* end, Byte c) {
#ifdef WEBTONGUE_SSE2
    const __m128i wanted = _mm_set1_epi8(static_cast<char>(c));
    for (int step = 0; step < 4 && end - p >= 16; ++step, p += 16) {
        __m128i chunk = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
        unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(chunk, wanted)));
        if (mask) return p + lowest_bit(mask);
    }
#endif
    if (p == end) return end;
    const void* hit = std::memchr(p, c, static_cast<size_t>(end - p));
    return hit ? static_cast<const Byte*>(hit) : end;
}

// Returns the end of the ASCII letters at p. Words end at lengths that no branch predictor knows, so that whole chunks are compared.
inline const Byte* skip_ascii_letters(const Byte* p, const Byte* end) {
#ifdef WEBTONGUE_SSE2
    while (end - p >= 16) {
        const unsigned others = ~ascii_letters_in(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))) & 0xFFFF;
        if (others) return p + lowest_bit(others);
        p += 16;
    }
#endif
    while (p < end && is_alpha(*p)) ++p;
    return p;
}

// Skips the bytes at p that are neither beyond ASCII nor spaces or control characters.
inline const Byte* skip_visible_ascii(const Byte* p, const Byte* end) {
#ifdef WEBTONGUE_SSE2
    for (; end - p >= 16; p += 16) {  // as signed bytes, those beyond ASCII are below ' ', too
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
        const auto others = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmplt_epi8(bytes, _mm_set1_epi8(' ' + 1))));
        if (others) return p + lowest_bit(others);
    }
#endif
    while (p < end && *p > ' ' && *p < 0x80) ++p;
    return p;
}

// Skips the ASCII bytes at p.
inline const Byte* skip_ascii(const Byte* p, const Byte* end) {
#ifdef WEBTONGUE_SSE2
    while (end - p >= 16) {
        const unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
        if (mask) return p + lowest_bit(mask);
        p += 16;
    }
#endif
    while (p < end && *p < 0x80) ++p;
    return p;
}

}  // namespace webtongue
