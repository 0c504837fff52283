#include "text/code_spans.hpp"

#include <algorithm>

#include "base/checks.hpp"
#include "text/debris.hpp"
#include "text/junk.hpp"

namespace webtongue {
namespace {

constexpr size_t kMinAsciiRun = 24;  // bytes of ASCII beside another script that are a part of their own; fewer are a name or a term
constexpr Byte kFirstOtherLead = 0xCE;  // lead bytes of Greek and later scripts; accented Latin letters are below
constexpr Byte kFirstCjkLead = 0xE3;
constexpr int32_t kMaxProseScore = -150;  // hundredths of a nat: a score between this and 0 is doubtful
// Signs that are rare in prose. A text with fewer of them, or fewer than one in so many bytes, has too little code to matter.
constexpr size_t kMinRareSigns = 2, kRareSignShare = 512;
constexpr size_t kMinCodeBytes = 24;  // a shorter part is never code by itself
constexpr uint32_t kMinProseBytes = 20;
constexpr uint32_t kProseShare = 4;  // prose has at least one byte in so many
constexpr ptrdiff_t kMinIndent = 2;
constexpr uint32_t kMaxRestBytes = 16;  // a shorter part beside code belongs to it: "return 0;", "}"

struct RareSigns {
    uint8_t is_rare[256] = {};
    constexpr RareSigns() {
        for (const char c : std::string_view("{}<>[];=_")) is_rare[static_cast<Byte>(c)] = 1;
    }
};
constexpr RareSigns RARE_SIGNS;

bool may_have_code(Span text) {
    size_t signs = 0;
    for (const Byte* p = text.begin; p < text.end; ++p) signs += RARE_SIGNS.is_rare[*p];
    return signs >= kMinRareSigns && signs * kRareSignShare >= text.size();
}

enum class PartKind : uint8_t { code, prose, rest };

struct Part {
    const Byte* begin;
    const Byte* end;
    size_t signs;  // digits and punctuation of code
    bool is_comment;
    PartKind kind = PartKind::rest;
    uint32_t bytes = 0;  // without blanks
    size_t size() const { return static_cast<size_t>(end - begin); }
    bool may_be_prose() const { return signs * kProseSignShare < size(); }
    bool may_be_code() const { return size() >= kMinCodeBytes && !may_be_prose(); }
};

// Splits a text where code may begin or end: at line ends, at the end of sentences and statements, and between ASCII and other scripts.
class Splitter {
public:
    Splitter(Span text, const Byte* unmasked) : text_(text), unmasked_(unmasked) {}

    std::vector<Part> run() {
        const Byte* begin = text_.begin;
        bool is_comment = starts_comment(begin);
        size_t signs = CODE_SIGNS.is_sign[*begin];
        for (const Byte* p = begin + 1; p < text_.end; ++p) {
            const Cut cut = may_cut(p) ? cut_at(p) : Cut::none;
            if (cut != Cut::none) {
                parts_.push_back({begin, p, signs, is_comment});
                begin = p;
                signs = 0;
                if (cut != Cut::sentence) is_comment = cut == Cut::line && starts_comment(p);
            }
            signs += CODE_SIGNS.is_sign[*p];
        }
        parts_.push_back({begin, text_.end, signs, is_comment});
        return std::move(parts_);
    }

private:
    enum class Cut : uint8_t { none, line, sentence, statement };

    // A fast test that excludes nearly all bytes: most words of ASCII follow others.
    bool may_cut(const Byte* p) const {
        if (p[-1] >= 0x80) return *p < 0x80;
        return p[-1] == '\n' || (p[-1] == ' ' && (*p >= 0x80 || p - text_.begin < 2 || !is_alpha(p[-2])));
    }

    // The cut at p, which follows a line end, a space or a character beyond ASCII.
    Cut cut_at(const Byte* p) const {
        if (p[-1] == '\n') return Cut::line;
        if (*p == ' ' || *p == '\n') return Cut::none;
        const Byte* end = p;  // end of the text before p
        while (end > text_.begin && (end[-1] == ' ' || end[-1] == '\n')) --end;
        if (end == text_.begin) return Cut::none;
        const Byte* lead = end - 1;
        while (lead > text_.begin && end - lead < 4 && (*lead & 0xC0) == 0x80) --lead;
        if (p[-1] != ' ') return *lead >= kFirstCjkLead && starts_ascii_run(p) ? Cut::statement : Cut::none;
        const Byte last = end[-1];
        if (last == '.' || last == '!' || last == '?') return Cut::sentence;
        const bool is_start = *p >= 0x80 || (*p >= 'A' && *p <= 'Z');
        if ((last == ';' || last == '}' || last == ')' || last == ']') && is_start) return Cut::statement;
        const bool is_other_script = *lead >= kFirstOtherLead ? starts_ascii_run(p) : *p >= kFirstOtherLead && ends_ascii_run(p);
        return is_other_script ? Cut::statement : Cut::none;
    }

    // True if a line of code, data or comments starts at p: it is indented or begins with a sign. Sentences of other lines may be prose.
    bool starts_comment(const Byte* line) const {
        const Byte* const begin = unmasked_ + (line - text_.begin);
        const Byte* const end = unmasked_ + text_.size();
        const Byte* p = begin;
        while (p < end && (*p == ' ' || *p == '\t')) ++p;
        return p - begin >= kMinIndent || (p > begin && *begin == '\t') || (p < end && *p > ' ' && *p < 0x7F && !is_alnum(*p));
    }

    bool starts_ascii_run(const Byte* p) const {
        if (static_cast<size_t>(text_.end - p) < kMinAsciiRun) return false;
        return std::all_of(p, p + kMinAsciiRun, [](Byte c) { return c < 0x80 && c != '\n'; });
    }

    bool ends_ascii_run(const Byte* p) const {
        if (static_cast<size_t>(p - text_.begin) < kMinAsciiRun) return false;
        return std::all_of(p - kMinAsciiRun, p, [](Byte c) { return c < 0x80; });
    }

    Span text_;
    const Byte* unmasked_;
    std::vector<Part> parts_;
};

// A part is code by its own score, and prose if it clearly is language.
void classify(Part& part) {
    const JunkCounts counts = count_junk({part.begin, part.end});
    part.bytes = counts.bytes;
    if (counts.junk.score > 0 && counts.junk.kind != JunkKind::Names && part.may_be_code()) part.kind = PartKind::code;
    else if (!part.is_comment && part.may_be_prose() && counts.junk.score <= kMaxProseScore && counts.run_bytes * 2 >= counts.bytes)
        part.kind = PartKind::prose;
}

bool is_code(const Part& part) { return part.kind == PartKind::code; }

// Short parts after code belong to it unless they are prose.
void extend_code(std::vector<Part>& parts) {
    for (size_t i = 1; i < parts.size(); ++i)
        if (is_code(parts[i - 1]) && parts[i].kind == PartKind::rest && parts[i].bytes < kMaxRestBytes) parts[i].kind = PartKind::code;
}

// True if there is enough prose to tell a language by it.
bool has_prose(const std::vector<Part>& parts) {
    uint32_t total_bytes = 0, prose_bytes = 0;
    for (const Part& part : parts) {
        total_bytes += part.bytes;
        if (part.kind == PartKind::prose) prose_bytes += part.bytes;
    }
    return prose_bytes >= kMinProseBytes && prose_bytes * kProseShare >= total_bytes;
}

// Finds code among the parts that have its punctuation. Only if there is any, the other parts are classified too.
bool find_code(std::vector<Part>& parts) {
    for (Part& part : parts)
        if (part.may_be_code()) classify(part);
    if (std::none_of(parts.begin(), parts.end(), is_code)) return false;
    for (Part& part : parts)
        if (part.bytes == 0) classify(part);
    extend_code(parts);
    return has_prose(parts);
}

}  // namespace

bool mask_code(Span utf8_text, const Byte* unmasked, std::vector<Byte>& masked) {
    if (!is_enabled(Check::code) || utf8_text.size() > kMaxCodeTextBytes || !may_have_code(utf8_text)) return false;
    std::vector<Part> parts = Splitter(utf8_text, unmasked).run();
    if (parts.size() < 2 || !find_code(parts)) return false;
    masked.assign(utf8_text.begin, utf8_text.end);
    for (const Part& part : parts)
        if (is_code(part)) blank_out(utf8_text, {part.begin, part.end}, masked);
    return true;
}

}  // namespace webtongue
