#include "fonts/guess.hpp"

#include <algorithm>

#include "base/container.hpp"
#include "base/utf8.hpp"

namespace webtongue {
namespace {

enum Section { NAMES, THRESHOLD, CLASSES, GATE, ROWS, BURMESE, MANIFEST, SECTIONS };
constexpr Container::Format kFormat{"WTF\r\n\x1a\n", 1, SECTIONS};
constexpr size_t kWindow = 48;    // characters of one look
constexpr size_t kWindows = 12;   // looks at a long text, evenly spread

// The characters that windows-1252 has in 0x80 to 0x9F.
constexpr uint16_t kHigh[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
                                0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
                                0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

Byte font_byte(char32_t c) {
    if (c < 0x100) return c == 0xA0 ? ' ' : static_cast<Byte>(c);
    if (c == 0x3BC) return 0xB5;  // the Greek letter that is taken for the micro sign
    if (c < 0x152 || c > 0x2122 || (c > 0x192 && c < 0x2C6) || (c > 0x2DC && c < 0x2013)) return 0;
    const uint16_t* at = std::find(kHigh, kHigh + 32, static_cast<uint16_t>(c));
    return at == kHigh + 32 ? 0 : static_cast<Byte>(0x80 + (at - kHigh));
}

// A character of UTF-8, or a byte that is none: the text is in windows-1252 then, if it is a font's.
char32_t read_character(const Byte*& p, const Byte* end) {
    const Byte* first = p;
    const char32_t c = read_utf8(p, end);
    return c == 0xFFFD && p == first + 1 ? *first : c;
}

size_t burmese(char32_t c) { return c >= 0x1000 && c <= 0x109F ? c - 0x1000 + 1 : 0; }

}  // namespace

FontGuess::FontGuess(Span memory) {
    const Container file(memory, kFormat);
    for (const std::string_view name : file.names(NAMES, 2, kLanes)) names_.emplace_back(name);
    threshold_ = file.records<int32_t>(THRESHOLD, 1, "there is not one threshold")[0];
    const auto classes = file.records<Byte>(CLASSES, 256, "there is not a class for each byte");
    require(*std::max_element(classes.begin(), classes.end()) < kClasses, "a byte's class is not below 128");
    classes_ = classes.data;
    gate_ = file.records<int8_t>(GATE, kClasses * kClasses, "there is not a weight for each pair of classes").data;
    rows_ = file.records<int8_t>(ROWS, kPairs * kLanes, "there is not a row of weights for each pair of bytes").data;
    burmese_ = file.records<int8_t>(BURMESE, kBurmese * kBurmese, "there is not a weight for each pair of Burmese letters").data;
}

// One look: the sum of weights, which moves p past what was read.
int32_t FontGuess::look(const Byte*& p, const Byte* end) const {
    int32_t latin = 0, other = 0;
    size_t before = classes_[' '], last = 0;
    for (size_t n = 0; n < kWindow && p < end; ++n) {
        size_t next, letter = 0;
        if (*p < 0x80) {
            next = classes_[*p++];
        } else {
            const char32_t c = read_character(p, end);
            next = classes_[font_byte(c)];
            letter = burmese(c);
        }
        latin += gate_[before * kClasses + next];
        if (letter | last) other += burmese_[last * kBurmese + letter];
        before = next;
        last = letter;
    }
    return std::max(latin, other);
}

bool FontGuess::suspects(Span text) const {
    const size_t least = kWindow * 2;  // bytes from one look to the next
    const size_t step = std::max(text.size() / kWindows, least);
    for (size_t at = 0; at < text.size(); at += step) {
        const Byte* p = text.begin + at;
        for (int i = 0; i < 3 && p < text.end && (*p & 0xC0) == 0x80; ++i) ++p;
        const Byte* end = std::min(text.end, p + step);
        while (p < end) {
            if (look(p, text.end) > threshold_) return true;
            if (step > least) break;
        }
    }
    return false;
}

LineGuess FontGuess::line(Span text, size_t wanted) const {
    int32_t sums[kLanes] = {};
    int32_t other = 0;
    size_t before = ' ', last = 0, letters = 0, count = 0;
    for (const Byte* p = text.begin; p < text.end; ++count) {
        const char32_t c = read_character(p, text.end);
        const Byte byte = font_byte(c);
        const int8_t* row = rows_ + (before << 8 | byte) * kLanes;
        for (size_t i = 0; i < kLanes; ++i) sums[i] += row[i];
        before = byte;
        const size_t letter = burmese(c);
        if (letter | last) other += burmese_[last * kBurmese + letter];
        letters += letter != 0;
        last = letter;
    }
    const size_t zawgyi = names_.size() - 1;
    if (letters * 2 > count) return {static_cast<uint8_t>(other > 0 || wanted == zawgyi ? zawgyi : 0), other};
    size_t best = wanted ? wanted : 1;
    for (size_t i = 1; !wanted && i < zawgyi; ++i)
        if (sums[i] > sums[best]) best = i;
    if (best >= zawgyi) return {0, 0};
    const int32_t margin = sums[best] - sums[0];
    return {static_cast<uint8_t>(margin > 0 || wanted ? best : 0), margin};
}

std::vector<LineGuess> FontGuess::lines(Span text, size_t wanted) const {
    std::vector<LineGuess> out;
    for (const Byte* p = text.begin;; ++p) {
        const Byte* end = find_byte(p, text.end, '\n');
        out.push_back(line({p, end}, wanted < names_.size() ? wanted : 0));
        if (end == text.end) return out;
        p = end;
    }
}

}  // namespace webtongue
