#include "fonts/convert.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace webtongue {
namespace {

// A glyph that must be moved is represented by the number of its rule with this bit, beyond all code points.
constexpr char32_t kMoved = 0x80000000u;
constexpr char32_t kJoiner = 0x200D;
constexpr size_t kMaxPending = 4;     // signs before a syllable; text has fewer
constexpr size_t kMaxClusterChars = 16;  // code points of a syllable that a reph is moved over

}  // namespace

FontRules::FontRules(std::vector<FontRule> rules) : rules_(std::move(rules)) {
    rules_.erase(std::remove_if(rules_.begin(), rules_.end(), [](const FontRule& r) { return r.from.empty() || r.from[0] > 0xFFFF; }),
                 rules_.end());
    std::stable_sort(rules_.begin(), rules_.end(), [](const FontRule& a, const FontRule& b) {
        return a.from[0] != b.from[0] ? a.from[0] < b.from[0] : a.from.size() > b.from.size();
    });
    if (rules_.size() > 0xFFFF) rules_.resize(0xFFFF);
    starts_.resize(rules_.empty() ? 1 : rules_.back().from[0] + 2);
    size_t at = 0;
    for (size_t c = 0; c < starts_.size(); ++c) {
        while (at < rules_.size() && rules_[at].from[0] < c) ++at;
        starts_[c] = static_cast<uint16_t>(at);
    }
}

const FontRule* FontRules::find(const char32_t* p, const char32_t* end) const {
    if (static_cast<size_t>(*p) + 1 >= starts_.size()) return nullptr;
    for (size_t i = starts_[*p]; i < starts_[*p + 1]; ++i) {
        const std::u32string& from = rules_[i].from;
        if (from.size() <= static_cast<size_t>(end - p) && std::equal(from.begin(), from.end(), p)) return &rules_[i];
    }
    return nullptr;
}

std::u32string Font::replace_glyphs(Span text) const {
    std::u32string in, out;
    in.reserve(text.size());
    for (const Byte* p = text.begin; p < text.end;) {
        const char32_t c = read_utf8(p, text.end);
        in += c > 0x10FFFF || (c >= 0xD800 && c < 0xE000) ? 0xFFFD : c;
    }
    out.reserve(in.size() * 3 / 2);
    for (const char32_t *p = in.data(), *end = p + in.size(); p < end;) {
        const FontRule* rule = glyphs_.find(p, end);
        if (!rule) {
            out += *p++;
            continue;
        }
        if (rule->glyph == Glyph::plain) out += rule->to;
        else (out += kMoved | static_cast<char32_t>(glyphs_.index(rule))) += rule->after;
        p += rule->from.size();
    }
    return out;
}

std::u32string Font::fix(const std::u32string& text) const {
    std::u32string out;
    out.reserve(text.size());
    for (const char32_t *p = text.data(), *end = p + text.size(); p < end;) {
        const FontRule* rule = fixes_.find(p, end);
        if (rule) {
            out += rule->to;
            p += rule->from.size();
        } else {
            out += *p++;
        }
    }
    return out;
}

std::u32string Font::reorder(const std::u32string& glyphs) const {
    std::u32string out;
    out.reserve(glyphs.size() + 8);
    char32_t pending[kMaxPending];
    size_t held = 0;
    bool begun = false;  // the syllable of the pending signs has begun
    const auto flush = [&] {
        while (held) out += glyphs_.at(pending[--held] ^ kMoved).to;
        begun = false;
    };
    for (size_t i = 0; i < glyphs.size(); ++i) {
        const char32_t c = glyphs[i];
        if (!(c & kMoved)) {
            // Sinhala's virama joins only before a joiner; elsewhere it is a sign.
            const bool joins = i + 1 < glyphs.size() && glyphs[i + 1] == kJoiner;
            const SyllableRole role = joins ? SyllableRole::joiner : script_.role(c);
            if (held) {
                const bool joined = begun && !out.empty() && script_.role(out.back()) == SyllableRole::joiner;
                const bool goes_on =
                    begun ? joined || (role != SyllableRole::other && role != SyllableRole::consonant && role != SyllableRole::mark)
                          : role == SyllableRole::consonant;
                if (!goes_on) flush();
                else begun = true;
            }
            out += c;
            continue;
        }
        const FontRule& rule = glyphs_.at(c ^ kMoved);
        if (rule.glyph == Glyph::pre) {
            if (begun || held == kMaxPending) flush();
            pending[held++] = c;
            continue;
        }
        if (rule.glyph == Glyph::sub && held) {  // the syllable is not complete yet and has no signs
            out += rule.to;
            continue;
        }
        flush();
        size_t at = out.size();
        const size_t least = at > kMaxClusterChars ? at - kMaxClusterChars : 0;
        const auto back = [&](SyllableRole role) { return at > least && script_.role(out[at - 1]) == role; };
        while (back(SyllableRole::mark)) --at;
        if (rule.glyph == Glyph::sub) {
            if (script_.has_low_subscripts && back(SyllableRole::joiner)) --at;
        } else {
            while (back(SyllableRole::medial)) --at;
            do {
                while (back(SyllableRole::joiner)) --at;
                while (back(SyllableRole::nukta)) --at;
                if (back(SyllableRole::consonant)) --at;
            } while (back(SyllableRole::joiner));
        }
        out.insert(at, rule.to);
    }
    flush();
    return out;
}

void Font::order_marks(std::u32string& text) const {
    for (size_t i = 0; i < text.size();) {
        size_t end = i;
        bool sorted = true;
        for (; end < text.size() && script_.rank(text[end]); ++end)
            sorted &= end == i || script_.rank(text[end - 1]) <= script_.rank(text[end]);
        if (!sorted)
            std::stable_sort(text.begin() + static_cast<ptrdiff_t>(i), text.begin() + static_cast<ptrdiff_t>(end),
                             [this](char32_t a, char32_t b) { return script_.rank(a) < script_.rank(b); });
        i = std::max(end, i + 1);
    }
}

std::string Font::convert(Span text) const {
    std::u32string syllables = reorder(fix(replace_glyphs(text)));
    order_marks(syllables);
    syllables = fix(syllables);
    std::string out;
    out.reserve(syllables.size() * 3);
    for (const char32_t c : syllables) {
        Byte bytes[4];
        out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(put_utf8(bytes, c) - bytes));
    }
    return out;
}

}  // namespace webtongue
