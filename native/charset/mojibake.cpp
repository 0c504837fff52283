#include "charset/mojibake.hpp"

#include "base/utf8.hpp"
#include "base/windows_1252.hpp"

namespace webtongue {
namespace {

constexpr size_t kSampleBytes = 2048;
constexpr uint32_t kMinSequences = 2;  // one sequence may occur by chance
constexpr uint32_t kMinCyrillicLeads = 4;  // capitals from which Cyrillic text is checked
constexpr uint32_t kMinHighInWord = 3;  // no language has words with so many characters beyond ASCII that are two thirds of the word
constexpr uint32_t kMinHighInText = 6;  // minimum of characters in such words
constexpr uint32_t kMaxTextPerHigh = 4;  // such characters must be at least a quarter of the text

// Returns the byte of a character in windows-1251 that a lead or trail byte of UTF-8 can be decoded as, 0 for others.
Byte windows_1251(char32_t c) {
    if (c >= 0x0410 && c <= 0x044F) return static_cast<Byte>(c - 0x0410 + 0xC0);
    constexpr char16_t kHigh[64] = {0x0402, 0x0403, 0x201A, 0x0453, 0x201E, 0x2026, 0x2020, 0x2021, 0x20AC, 0x2030, 0x0409, 0x2039, 0x040A,
                                    0x040C, 0x040B, 0x040F, 0x0452, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0,      0x2122,
                                    0x0459, 0x203A, 0x045A, 0x045C, 0x045B, 0x045F, 0xA0,   0x040E, 0x045E, 0x0408, 0xA4,   0x0490, 0xA6,
                                    0xA7,   0x0401, 0xA9,   0x0404, 0xAB,   0xAC,   0xAD,   0xAE,   0x0407, 0xB0,   0xB1,   0x0406, 0x0456,
                                    0x0491, 0xB5,   0xB6,   0xB7,   0x0451, 0x2116, 0x0454, 0xBB,   0x0458, 0x0405, 0x0455, 0x0457};
    for (int i = 0; i < 64; ++i)
        if (kHigh[i] == c) return static_cast<Byte>(0x80 + i);
    return 0;
}

// Returns the byte of a character in windows-1253 that a lead or trail byte of UTF-8 can be decoded as, 0 for others.
Byte windows_1253(char32_t c) {
    if (c >= 0x0390 && c <= 0x03CE) return static_cast<Byte>(c - 0x0390 + 0xC0);
    if (c >= 0x0384 && c < 0x0390) {
        constexpr Byte kAccented[12] = {0xB4, 0xA1, 0xA2, 0, 0xB8, 0xB9, 0xBA, 0, 0xBC, 0, 0xBE, 0xBF};
        return kAccented[c - 0x0384];
    }
    const Byte byte = windows_1252_byte(c);
    return byte < 0xC0 ? byte : 0;
}

// True if most characters beyond ASCII are sequences of UTF-8 that were decoded in the encoding of `byte_of`.
template <class ByteOf>
bool mostly_sequences(Span text, ByteOf byte_of) {
    uint32_t high = 0, explained = 0, sequences = 0;
    int missing = 0, run = 0;  // missing trail bytes, and characters of the sequence so far
    for (const Byte* p = text.begin; p < text.end;) {
        if (*p < 0x80) {
            missing = 0;
            ++p;
            continue;
        }
        const char32_t c = read_utf8(p, text.end);
        ++high;
        // A byte that could not be decoded is U+FFFD now.
        const Byte b = c == 0xFFFD ? 0x81 : byte_of(c);
        if (missing && b >= 0x80 && b <= 0xBF) {
            ++run;
            if (--missing == 0) {
                explained += static_cast<uint32_t>(run);
                ++sequences;
            }
            continue;
        }
        missing = b >= 0xC2 && b <= 0xDF ? 1 : b >= 0xE0 && b <= 0xEF ? 2 : b >= 0xF0 && b <= 0xF4 ? 3 : 0;
        run = 1;
    }
    return sequences >= kMinSequences && explained * 2 >= high;
}

// True if words consist of characters beyond ASCII in windows-1252: bytes of another encoding that were decoded as such.
bool has_high_words(Span text) {
    uint32_t all = 0, suspicious = 0, size = 0, high = 0, letters = 0;
    const auto end_word = [&] {
        all += size;
        if (letters > 0 && high >= kMinHighInWord && high * 3 >= size * 2) suspicious += high;
        size = high = letters = 0;
    };
    for (const Byte* p = text.begin; p < text.end;) {
        if (*p < 0x80) {
            if (*p++ <= ' ') end_word();
            else ++size;
            continue;
        }
        const Byte byte = windows_1252_byte(read_utf8(p, text.end));
        high += byte != 0;
        letters += byte >= 0xC0;
        ++size;
    }
    end_word();
    return suspicious >= kMinHighInText && suspicious * kMaxTextPerHigh >= all;
}

// True if at least two characters beyond ASCII directly follow another. Text in Latin letters has hardly any, mojibake has one per letter.
bool has_adjacent_high(Span text) {
    uint32_t pairs = 0;
    for (const Byte* p = text.begin; p + 1 < text.end; ++p) pairs += ((p[0] & 0xC0) == 0x80) & (p[1] >= 0xC2);
    return pairs >= kMinSequences;
}

bool has_boxes(Span text) {
    for (const Byte* p = text.begin; (p = find_byte(p, text.end, 0xE2)) < text.end; ++p)
        if (text.end - p > 2 && p[1] >= 0x94 && p[1] <= 0x96) return true;
    return false;
}

// True if box-drawing characters occur beside letters: UTF-8 that was decoded as a DOS encoding or KOI8.
bool has_boxed_letters(Span text) {
    uint32_t boxes = 0, beside = 0, all = 0;
    bool was_box = false, was_letter = false;
    for (const Byte* p = text.begin; p < text.end;) {
        const char32_t c = read_utf8(p, text.end);
        const bool box = c >= 0x2500 && c <= 0x259F, letter = c > 0xBF && !box && (c < 0x2000 || c > 0x2BFF);
        beside += (box && was_letter) || (letter && was_box);
        boxes += box;
        all += c > ' ';
        was_box = box;
        was_letter = letter;
    }
    return beside >= kMinHighInText && beside * kMaxTextPerHigh >= boxes && boxes * kMaxTextPerHigh >= all;
}

// True if capital Er or Es are frequent, as which windows-1251 decodes the lead bytes of Cyrillic in UTF-8.
bool has_cyrillic_leads(Span text) {
    uint32_t leads = 0;
    for (const Byte* p = text.begin; (p = find_byte(p, text.end, 0xD0)) < text.end && leads < kMinCyrillicLeads; ++p)
        leads += p + 1 < text.end && (p[1] == 0xA0 || p[1] == 0xA1);
    return leads >= kMinCyrillicLeads;
}

}  // namespace

bool looks_like_mojibake(Span text) {
    if (text.size() > kSampleBytes) text.end = text.begin + kSampleBytes;
    const bool latin = find_byte(text.begin, text.end, 0xC3) != text.end || find_byte(text.begin, text.end, 0xC2) != text.end;
    if (latin && has_adjacent_high(text) && (mostly_sequences(text, windows_1252_byte) || has_high_words(text))) return true;
    if (find_byte(text.begin, text.end, 0xCE) != text.end && mostly_sequences(text, windows_1253)) return true;
    if (has_cyrillic_leads(text) && mostly_sequences(text, windows_1251)) return true;
    return has_boxes(text) && has_boxed_letters(text);
}

}  // namespace webtongue
