#include "text/sentences.hpp"

#include "base/utf8.hpp"
#include "text/features.hpp"

namespace webtongue {
namespace {

// Minimum size of a run in another script that becomes a part of its own; shorter runs may be names, titles or terms. Text in every
// script has terms in Latin letters, so that Latin runs need more letters and several words.
constexpr uint32_t kMinRunLetters = 28, kMinLatinLetters = 40, kMinLatinWords = 6;
constexpr uint32_t kMinOtherScriptLetters = 12;  // minimum letters before a sentence in another script
constexpr uint32_t kDenseLetters = 3;  // letters that a Han character, kana or Hangul syllable counts as

// Marks that end a sentence whatever follows. Those of ASCII need a space after them.
bool ends_by_itself(char32_t code) {
    switch (code) {
        case 0x3002:
        case 0xFF01:
        case 0xFF1F:
        case 0xFF61:
        case 0xFF0E:  // East Asia
        case 0x0964:
        case 0x0965:
        case 0x0DF4:
        case 0xABEB:               // dandas, kunddaliya, cheikhei
        case 0x061F:
        case 0x06D4:                                         // Arabic, Urdu
        case 0x0589:
        case 0x10FB:                                         // Armenian, Georgian
        case 0x1362:
        case 0x1367:
        case 0x1368:                            // Ethiopic
        case 0x104A:
        case 0x104B:
        case 0x17D4:
        case 0x17D5:
        case 0x0F0D:
        case 0x0F0E:  // Burmese, Khmer, Tibetan
        case 0x1803:
        case 0x1809:
        case 0x166E:
        case 0xA4FF:               // Mongolian, Canadian syllabics, Lisu
            return true;
        default:
            return false;
    }
}

bool closes(char32_t code) {
    return code == '"' || code == '\'' || code == ')' || code == ']' || code == 0xBB || code == 0xAB || code == 0x201C || code == 0x201D ||
           code == 0x2019 || code == 0x203A || code == 0x300D || code == 0x300F || code == 0xFF09 || code == 0x3011;
}

bool is_blank(char32_t code) { return is_unicode_space(code) || code == 0x200B; }

bool is_dense(char32_t code) { return (code >= 0x3040 && code < 0xA000) || (code >= 0xAC00 && code < 0xD7B0) || code >= 0x20000; }

// Splits a text in one pass, with the start of the current part and the possible start of the next.
class Cutter {
public:
    Cutter(Span text, const CutOptions& options, std::vector<uint32_t>& cuts)
        : text_(text), options_(options), cuts_(cuts), first_(cuts.size()) {}

    void run() {
        const Byte* p = text_.begin;
        while (p < text_.end) {
            const Byte* const at = p;
            if (in_word_ && group_ == ASCII_LETTERS.group)  // letters inside of a word are only counted
                p = skip_ascii_letters(p, text_.end);
            part_ += static_cast<uint32_t>(p - at);
            if (p > at) continue;
            if (*p == ' ') blank(), ++p;
            else if (*p < 0x80) ascii(*p++, at);
            else other(read_utf8(p, text_.end), at);
        }
        // A remainder that is too short joins the previous part.
        if (cuts_.size() > first_ && part_ < (group_ == last_group_ ? options_.min_letters : kMinOtherScriptLetters)) cuts_.pop_back();
    }

private:
    void ascii(Byte c, const Byte* at) {
        if (ASCII_LETTERS.lower[c]) return letter(ASCII_LETTERS.group, 1, at, c >= 'a');
        if (c == '\n') end(false, false, true);
        else if (c == '.' || c == '!' || c == '?') end(c == '.', true, false);
        else sign(c, at);
    }

    void end(bool stop, bool needs_space, bool spaced) {
        ended_ = true;
        stop_ = stop;
        needs_space_ = needs_space;
        spaced_ = spaced;
        opened_ = nullptr;
        in_word_ = false;
        after_blank_ = spaced;
    }

    void other(char32_t code, const Byte* at) {
        const uint8_t plain_group = code < PlainLetters::END ? plain_letters_[code].group : uint8_t{SCRIPT_COMMON};
        if (plain_group != SCRIPT_COMMON) {
            letter(plain_group, is_dense(code) ? kDenseLetters : 1, at, false);
        } else if (ends_by_itself(code)) {
            end(false, false, false);
        } else if (is_letter(code)) {
            const uint8_t script = script_of(code);
            letter(script <= SCRIPT_UNKNOWN ? group_ : GROUPS.by_script[script], is_dense(code) ? kDenseLetters : 1, at, false);
        } else {
            sign(code, at);
        }
    }

    void blank() {
        in_word_ = false;
        after_blank_ = spaced_ = true;
    }

    void sign(char32_t code, const Byte* at) {
        if (is_blank(code)) return blank();
        in_word_ = after_blank_ = false;
        if (ended_ && !spaced_ && closes(code)) {
            return;
        } else if (ended_ && needs_space_ && !spaced_) {
            ended_ = false;  // 3.14, example.org/
        } else if (ended_ && !opened_) {
            opened_ = at;  // a quotation mark or a number before the first letter
        }
    }

    void letter(uint8_t group, uint32_t letters, const Byte* at, bool is_lower) {
        if (ended_ && (spaced_ || !needs_space_) && !(stop_ && is_lower))
            begin(opened_ ? opened_ : at, group == group_ ? options_.min_letters : kMinOtherScriptLetters);
        else if (part_ >= options_.max_letters && !in_word_ && after_blank_) cut_inside(at);
        ended_ = false;
        opened_ = nullptr;
        follow_script(group, letters, at);
        part_ += letters;
        in_word_ = true;
    }

    // Cuts a long part between two words.
    void cut_inside(const Byte* at) {
        begin(at, options_.max_letters);
        is_cut_inside_ = true;
    }

    // Starts a new part if the current one is long enough. The end of a sentence that was cut inside joins the part before it.
    void begin(const Byte* at, uint32_t enough) {
        if (part_ < enough && !is_cut_inside_) return;
        if (part_ < enough) cuts_.pop_back();
        is_cut_inside_ = false;
        last_group_ = group_;
        cut(at);
        part_ = 0;
        run_letters_ = run_words_ = 0;
        group_ = SCRIPT_COMMON;
    }

    void cut(const Byte* at) { cuts_.push_back(static_cast<uint32_t>(at - text_.begin)); }

    // Tracks the script of the part, and a run in another script that may become a part.
    void follow_script(uint8_t group, uint32_t letters, const Byte* at) {
        if (group == group_ || group_ == SCRIPT_COMMON) {
            group_ = group;
            run_letters_ = run_words_ = 0;
            return;
        }
        if (run_letters_ == 0 || group != run_group_) {
            run_group_ = group;
            run_at_ = at;
            before_run_ = part_;
            run_letters_ = run_words_ = 0;
        }
        run_words_ += letters > 1 || !in_word_;
        run_letters_ += letters;
        const bool is_latin = group == ASCII_LETTERS.group;
        if (run_letters_ < (is_latin ? kMinLatinLetters : kMinRunLetters) || (is_latin && run_words_ < kMinLatinWords)) return;
        last_group_ = group_;
        group_ = group;
        if (before_run_ >= options_.min_letters) {
            cut(run_at_);
            is_cut_inside_ = false;
            part_ = run_letters_ - letters;
        }
        run_letters_ = run_words_ = 0;
    }

    const PlainLetters::Letter* const plain_letters_ = PlainLetters::table();
    Span text_;
    CutOptions options_;
    std::vector<uint32_t>& cuts_;
    const size_t first_;
    uint32_t part_ = 0;  // letters of the current part
    bool ended_ = false;  // a mark has ended a sentence
    bool stop_ = false;  // the mark was a full stop, which may belong to an abbreviation
    bool needs_space_ = false;  // the mark is in ASCII, where it has other uses
    bool spaced_ = false;  // a space has followed the mark
    bool in_word_ = false;
    bool after_blank_ = false;  // the last character was a blank
    bool is_cut_inside_ = false;  // the current part starts inside a sentence
    const Byte* opened_ = nullptr;
    // of the part, of the previous part, of the run
    uint8_t group_ = SCRIPT_COMMON, last_group_ = SCRIPT_COMMON, run_group_ = SCRIPT_COMMON;
    const Byte* run_at_ = nullptr;
    uint32_t before_run_ = 0, run_letters_ = 0, run_words_ = 0;
};

}  // namespace

void cut_sentences(Span text, const CutOptions& options, std::vector<uint32_t>& cuts) {
    if (text.size() >= 2 * options.min_letters) Cutter(text, options, cuts).run();
}

}  // namespace webtongue
