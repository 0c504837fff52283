#include "text/latin_names.hpp"

#include "text/features.hpp"

namespace webtongue {
namespace {

constexpr uint32_t kMinRunningWords = 3;  // fewer Latin words in a row are a name or a term
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

}  // namespace

uint32_t count_latin_names(Span utf8_text) {
    uint32_t names = 0;
    Row row;
    bool is_quoted = false, in_word = false;
    const auto end_row = [&] {
        names += row.name_letters(is_quoted);
        row = Row();
        in_word = false;
    };
    for (const Byte* p = utf8_text.begin; p < utf8_text.end;) {
        const char32_t code = next_code(p, utf8_text.end);
        if (!is_letter(code)) {
            if (ends_row(code)) end_row();
            if (is_quote(code)) is_quoted = code == '"' ? !is_quoted : code != 0xBB && code != 0x201D && code != 0x2019 && code != 0x300D;
            if (code == '\n') is_quoted = false;
            in_word &= is_apostrophe(code) || code == '-';
            continue;
        }
        if (script_of(code) <= SCRIPT_UNKNOWN) continue;
        if (GROUPS.by_script[script_of(code)] != GROUPS.latin) {
            end_row();
            continue;
        }
        ++row.letters;
        if (in_word) continue;
        in_word = true;
        ++row.words;
        row.lower_words += lower_of(code) == code;
    }
    end_row();
    return names;
}

}  // namespace webtongue
