#include "text/latin_names.hpp"

#include "text/features.hpp"

namespace webtongue {
namespace {

constexpr uint32_t kMinRunningWords = 3;  // fewer Latin words in a row are a name or a term
// With this many lower-case Latin words for each word of other scripts, Latin is the running text, and the other words are quoted in it.
constexpr uint32_t kLowerWordsPerOther = 2;
constexpr uint32_t kCjkWordLetters = 5, kUnspacedWordLetters = 6;  // letters that count as a word in scripts without spaces
constexpr uint32_t kLongRowWords = 6;  // a longer row of capitalised words may be a headline, and counts half

bool is_quote(char32_t code) {
    return code == '"' || code == 0xAB || code == 0xBB || (code >= 0x2018 && code <= 0x201F) || (code >= 0x3008 && code <= 0x300F);
}

bool ends_row(char32_t code) { return code == '\n' || code == '(' || code == ')' || (code >= '0' && code <= '9') || is_quote(code); }

// A row of Latin words without a word of another script, a number or a quotation mark between them.
struct Row {
    uint32_t words = 0, lower_words = 0, letters = 0;

    // Letters of the row that belong to names.
    uint32_t name_letters(bool is_quoted) const {
        const bool is_running = words >= kMinRunningWords && lower_words * 2 > words;
        if (is_running) return is_quoted ? letters / 2 : 0;
        return words >= kLongRowWords ? letters / 2 : letters;
    }
};

// Thai, Lao, Tibetan, Burmese and Khmer.
bool is_unspaced(char32_t code) { return (code >= 0xE00 && code < 0x10A0) || (code >= 0x1780 && code < 0x1800); }

// Counts the words of other scripts than Latin.
class OtherWords {
public:
    void add_letter(char32_t code, uint8_t group) {
        const uint32_t size = group == GROUPS.cjk ? kCjkWordLetters : is_unspaced(code) ? kUnspacedWordLetters : UINT32_MAX;
        if (letters_ == 0 || letters_ >= size) ++words_, letters_ = 0;
        ++letters_;
    }
    void end_word() { letters_ = 0; }
    uint32_t words() const { return words_; }

private:
    uint32_t words_ = 0, letters_ = 0;  // in all; of the current word
};

}  // namespace

uint32_t count_latin_names(Span utf8_text) {
    uint32_t names = 0, latin_words = 0, lower_words = 0;
    OtherWords others;
    Row row;
    bool is_quoted = false, in_word = false;
    const auto end_row = [&] {
        names += row.name_letters(is_quoted);
        latin_words += row.words;
        lower_words += row.lower_words;
        row = Row();
        in_word = false;
    };
    for (const Byte* p = utf8_text.begin; p < utf8_text.end;) {
        const char32_t code = next_code(p, utf8_text.end);
        if (!is_letter(code)) {
            if (ends_row(code)) end_row();
            if (is_quote(code)) is_quoted = code == '"' ? !is_quoted : code != 0xBB && code != 0x201D && code != 0x2019 && code != 0x300D;
            if (code == '\n') is_quoted = false;
            const bool is_inner = is_apostrophe(code) || code == '-';
            in_word &= is_inner;
            if (!is_inner) others.end_word();
            continue;
        }
        if (script_of(code) <= SCRIPT_UNKNOWN) continue;
        if (GROUPS.by_script[script_of(code)] != GROUPS.latin) {
            end_row();
            others.add_letter(code, GROUPS.by_script[script_of(code)]);
            continue;
        }
        others.end_word();
        ++row.letters;
        if (in_word) continue;
        in_word = true;
        ++row.words;
        row.lower_words += lower_of(code) == code;
    }
    end_row();
    const bool is_latin_text = latin_words >= kMinRunningWords && lower_words >= kLowerWordsPerOther * others.words();
    return is_latin_text ? 0 : names;
}

}  // namespace webtongue
