#include "fonts/detector.hpp"

#include <algorithm>

#include "base/checks.hpp"
#include "base/container.hpp"
#include "base/utf8.hpp"
#include "base/windows_1252.hpp"

namespace webtongue {
namespace {

enum Section { NAMES, THRESHOLD, CLASSES, GATE, ROWS, BURMESE, TYPICAL, MANIFEST, SECTIONS };
constexpr Container::Format kFormat{"WTF\r\n\x1a\n", 2, SECTIONS};
constexpr size_t kWindowChars = 48;
constexpr size_t kMaxWindows = 12;   // checked in a long text, evenly spread

Byte font_byte(char32_t c) {
    if (c == 0xA0) return ' ';
    if (c == 0x3BC) return 0xB5;  // the Greek letter in place of the micro sign
    return windows_1252_byte(c);
}

// Reads a character of UTF-8, or a byte that is not UTF-8, which is in windows-1252 if the text is for a font.
char32_t read_character(const Byte*& p, const Byte* end) {
    const Byte* first = p;
    const char32_t c = read_utf8(p, end);
    return c == 0xFFFD && p == first + 1 ? *first : c;
}

size_t burmese(char32_t c) { return c >= 0x1000 && c <= 0x109F ? c - 0x1000 + 1 : 0; }

}  // namespace

FontDetector::FontDetector(Span memory) {
    const Container file(memory, kFormat);
    for (const std::string_view name : file.names(NAMES, 2, kLanes)) names_.emplace_back(name);
    threshold_ = file.records<int32_t>(THRESHOLD, 1, "the number of thresholds is not 1")[0];
    const auto classes = file.records<Byte>(CLASSES, 256, "the number of byte classes is not 256");
    require(*std::max_element(classes.begin(), classes.end()) < kClasses, "a byte class is above 127");
    classes_ = classes.data;
    gate_ = file.records<int8_t>(GATE, kClasses * kClasses, "the number of weights is not that of pairs of classes").data;
    rows_ = file.records<int8_t>(ROWS, kPairs * kLanes, "the number of rows of weights is not that of pairs of bytes").data;
    burmese_ = file.records<int8_t>(BURMESE, kBurmese * kBurmese, "the number of weights is not that of pairs of Burmese letters").data;
    const auto typical = file.records<int32_t>(TYPICAL, names_.size(), "the number of mean log-probabilities is not that of fonts");
    typical_.assign(typical.begin(), typical.end());
}

// Returns the sum of weights of a window and moves p past it.
int32_t FontDetector::score_window(const Byte*& p, const Byte* end) const {
    int32_t latin = 0, other = 0;
    size_t before = classes_[' '], last = 0;
    for (size_t n = 0; n < kWindowChars && p < end; ++n) {
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

bool FontDetector::may_have_font(Span text) const {
    if (!is_enabled(Check::fonts)) return false;
    const size_t min_step = kWindowChars * 2;  // bytes from one window to the next
    const size_t step = std::max(text.size() / kMaxWindows, min_step);
    for (size_t at = 0; at < text.size(); at += step) {
        const Byte* p = text.begin + at;
        for (int i = 0; i < 3 && p < text.end && (*p & 0xC0) == 0x80; ++i) ++p;
        const Byte* end = std::min(text.end, p + step);
        while (p < end) {
            if (score_window(p, text.end) > threshold_) return true;
            if (step > min_step) break;
        }
    }
    return false;
}

LineFont FontDetector::line(Span text, size_t only_font) const {
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
    if (letters * 2 > count) return {static_cast<uint8_t>(other > 0 || only_font == zawgyi ? zawgyi : 0), other};
    size_t best = only_font ? only_font : 1;
    for (size_t i = 1; !only_font && i < zawgyi; ++i)
        if (sums[i] > sums[best]) best = i;
    if (best >= zawgyi) return {0, 0};
    const int32_t margin = sums[best] - sums[0];
    return {static_cast<uint8_t>(margin > 0 || only_font ? best : 0), margin};
}

std::vector<LineFont> FontDetector::lines(Span text, size_t only_font) const {
    std::vector<LineFont> fonts;
    for (const Byte* p = text.begin;; ++p) {
        const Byte* end = find_byte(p, text.end, '\n');
        fonts.push_back(line({p, end}, only_font < names_.size() ? only_font : 0));
        if (end == text.end) return fonts;
        p = end;
    }
}

FontFit FontDetector::fit(Span text, size_t font) const {
    FontFit total;
    if (font == 0 || font + 1 >= names_.size()) return total;
    FontFit word;
    size_t before = ' ';
    const auto add = [&](Byte byte) {
        const int8_t* row = rows_ + (before << 8 | byte) * kLanes;
        word.font += row[font];
        word.ordinary += row[0];
        ++word.characters;
        before = byte;
    };
    const auto end_word = [&] {
        if (word.characters == 0) return;
        add(' ');
        total.characters += word.characters;
        if (word.font > word.ordinary) {
            total.own_characters += word.characters;
            total.font += word.font;
            total.ordinary += word.ordinary;
        }
        word = {};
    };
    for (const Byte* p = text.begin; p < text.end;) {
        const Byte byte = font_byte(read_character(p, text.end));
        if (byte == ' ' || (byte >= '\t' && byte <= '\r')) end_word();
        else add(byte);
    }
    end_word();
    return total;
}

}  // namespace webtongue
