// Markup of plain-text formats: Markdown, wikis, forums, TeX, HTML that is written as text, and placeholders of messages.
#include <algorithm>

#include "text/debris.hpp"
#include "text/junk.hpp"

namespace webtongue {
namespace debris {
namespace {

constexpr ptrdiff_t kMaxSpanBytes = 300;  // a code span, a tag, the text of a link
constexpr ptrdiff_t kMaxTargetBytes = 1000;  // a link's target
constexpr ptrdiff_t kMaxTemplateBytes = 4000;  // a template of a wiki
constexpr ptrdiff_t kMaxFenceBytes = 1 << 16;  // a fenced block of code
constexpr ptrdiff_t kFenceTicks = 3;  // backticks of a fence
constexpr int kMaxNesting = 8;
constexpr size_t kMaxTagName = 12;

constexpr const char* FORUM_TAGS[] = {"b",     "i",     "u",    "s",      "url",  "img",   "quote",   "code",    "list",
                                      "size",  "color", "font", "center", "left", "right", "spoiler", "youtube", "video",
                                      "email", "table", "tr",   "td",     "th",   "hr",    "attach",  "media"};
constexpr const char* HIDDEN_FORUM_TAGS[] = {"code", "img", "youtube", "video", "attach", "media"};  // their content is no text
// TeX commands whose arguments are names, not text.
constexpr const char* NAME_COMMANDS[] = {
    "begin",      "end",           "label", "ref",     "eqref",        "pageref",           "cite", "citep",  "citet",  "includegraphics",
    "usepackage", "documentclass", "input", "include", "bibliography", "bibliographystyle", "url",  "hspace", "vspace", "setlength",
    "newcommand", "pagestyle"};

template <size_t N>
bool is_one_of(Span word, const char* const (&list)[N]) {
    return std::any_of(list, list + N, [&](const char* entry) { return equals_lower(word, entry); });
}

bool is_word_byte(Byte c) { return is_alnum(c) || c == '_' || c >= 0x80; }
bool is_identifier_byte(Byte c) { return is_alnum(c) || c == '_' || c == '.' || c == '-' || c == ':'; }

const Byte* limited(Span text, const Byte* p, ptrdiff_t size) { return p + std::min(size, text.end - p); }

// The position of a byte on the same line, or nullptr.
const Byte* find_on_line(const Byte* p, const Byte* end, Byte wanted) {
    for (; p < end && *p != '\n'; ++p)
        if (*p == wanted) return p;
    return nullptr;
}

bool starts_with(const Byte* p, const Byte* end, const char* literal) {
    const size_t size = std::strlen(literal);
    return static_cast<size_t>(end - p) >= size && std::memcmp(p, literal, size) == 0;
}

// The end of a string after `p`, past it, or nullptr.
const Byte* find_past(const Byte* p, const Byte* end, const char* literal) {
    const size_t size = std::strlen(literal);
    const Byte* const hit = std::search(p, end, literal, literal + size);
    return hit == end ? nullptr : hit + size;
}

// The closing bracket that belongs to the opening one at `p`, or nullptr.
const Byte* matching(const Byte* p, const Byte* end, Byte open, Byte close) {
    int depth = 0;
    for (; p < end; ++p) {
        if (*p == open && ++depth > kMaxNesting) return nullptr;
        if (*p == close && --depth == 0) return p;
    }
    return nullptr;
}

bool is_line_start(Span text, const Byte* p) {
    while (p > text.begin && (p[-1] == ' ' || p[-1] == '\t' || p[-1] == '>')) --p;
    return p == text.begin || p[-1] == '\n';
}

const Byte* line_end(const Byte* p, const Byte* end) { return find_byte(p, end, '\n'); }

// The end of the fence of at least `ticks` backticks at the start of a line, or nullptr.
const Byte* closing_fence(const Byte* line, const Byte* end, ptrdiff_t ticks) {
    while (line < end && (*line == ' ' || *line == '\t' || *line == '>')) ++line;
    const Byte* p = line;
    while (p < end && *p == '`') ++p;
    return p - line >= ticks ? p : nullptr;
}

// A fence at the start of a line: to the backticks of the closing fence, or only the name of the language if there is none.
Debris find_fence(Span text, const Byte* fence, const Byte* name) {
    const Byte* const limit = limited(text, fence, kMaxFenceBytes);
    for (const Byte* line = line_end(name, limit); line < limit; line = line_end(line, limit))
        if (const Byte* const end = closing_fence(++line, limit, name - fence)) return {fence, end};
    while (name < text.end && is_identifier_byte(*name)) ++name;
    return {fence, name};
}

// [tag], [/tag], [tag=value], [img]...[/img].
Debris find_forum_tag(Span text, const Byte* bracket) {
    const Byte* p = bracket + 1;
    const bool is_closing = p < text.end && *p == '/';
    p += is_closing;
    const Byte* name_end = p;
    while (name_end < text.end && is_alpha(*name_end)) ++name_end;
    const Span name{p, name_end};
    if (name_end == text.end || (*name_end != ']' && *name_end != '=') || !is_one_of(name, FORUM_TAGS)) return {};
    const Byte* const close = find_on_line(name_end, limited(text, name_end, kMaxTargetBytes), ']');
    if (!close) return {};
    if (is_closing || !is_one_of(name, HIDDEN_FORUM_TAGS)) return {bracket, close + 1};
    const Byte* p_close = close + 1;
    const Byte* const limit = limited(text, p_close, kMaxTemplateBytes);
    while (p_close < limit && !(p_close[0] == '[' && p_close + 1 < limit && p_close[1] == '/')) ++p_close;
    const Byte* const end = p_close < limit ? find_on_line(p_close, limit, ']') : nullptr;
    return {bracket, end ? end + 1 : close + 1};
}

// [[Target|text]]: all but the text, or the brackets of [[Target]].
BracketDebris find_wiki_link(Span text, const Byte* bracket) {
    const Byte* const limit = limited(text, bracket, kMaxSpanBytes);
    const Byte* const end = find_past(bracket, line_end(bracket, limit), "]]");
    if (!end) return {};
    const Byte* bar = end - 2;
    while (bar > bracket && *bar != '|') --bar;
    return {{bracket, bar == bracket ? bracket + 2 : bar + 1}, {end - 2, end}};
}

// The end of what follows the text of a link: (target), [reference]; nullptr for anything else.
const Byte* target_end(Span text, const Byte* p) {
    if (p == text.end || (*p != '(' && *p != '[')) return nullptr;
    const Byte* const close = matching(p, limited(text, p, kMaxTargetBytes), *p, *p == '(' ? ')' : ']');
    return close ? close + 1 : nullptr;
}

}  // namespace

BracketDebris find_bracket(Span text, const Byte* bracket) {
    if (starts_with(bracket, text.end, "[[")) return find_wiki_link(text, bracket);
    const Byte* const close = matching(bracket, limited(text, bracket, kMaxTargetBytes), '[', ']');
    if (!close) return {};
    if (bracket[1] == '^') return {{bracket, close + 1}, {}};  // a footnote
    if (const Byte* const end = target_end(text, close + 1)) {
        if (starts_with(bracket, text.end, "[![")) return {{bracket, end}, {}};  // a badge
        return {{bracket, bracket + 1}, {close, end}};
    }
    if (close + 1 < text.end && close[1] == ':' && is_line_start(text, bracket)) return {{bracket, line_end(close, text.end)}, {}};
    return {find_forum_tag(text, bracket), {}};
}

// `code` and fenced blocks. In some orthographies a backtick is a letter: "bo`lgan". It opens code only before a word. A fence with its
// closing fence on the same line is code too, as blocks are whose line breaks are lost; a long one that reads like prose is not.
Debris find_code_span(Span text, const Byte* backtick) {
    const Byte* p = backtick;
    while (p < text.end && *p == '`') ++p;
    const auto ticks = p - backtick;
    const bool is_fence = ticks >= kFenceTicks;
    if ((backtick > text.begin && is_word_byte(backtick[-1])) || p == text.end || (is_space(*p) && !is_fence)) return {};
    const Byte* const limit = limited(text, p, is_fence ? kMaxTargetBytes : kMaxSpanBytes);
    for (const Byte* close = find_on_line(p, limit, '`'); close; close = find_on_line(close, limit, '`')) {
        const Byte* end = close;
        while (end < text.end && *end == '`') ++end;
        const bool is_code = close - p <= kMaxSpanBytes || !looks_like_prose({p, close});
        if (end - close == ticks && is_code && (is_fence || end == text.end || !is_word_byte(*end))) return {backtick, end};
        close = end;
    }
    return is_fence && is_line_start(text, backtick) ? find_fence(text, backtick, p) : Debris{};
}

// <tag>, </tag>, <tag key="value">, <!-- comment -->, <% code %>.
Debris find_tag(Span text, const Byte* angle) {
    const Byte* p = angle + 1;
    if (starts_with(p, text.end, "!--")) {
        const Byte* const end = find_past(p, limited(text, p, kMaxTargetBytes), "-->");
        return end ? Debris{angle, end} : Debris{};
    }
    if (p < text.end && (*p == '%' || *p == '?')) {
        const Byte* const end = find_past(p, limited(text, p, kMaxTargetBytes), *p == '%' ? "%>" : "?>");
        return end ? Debris{angle, end} : Debris{};
    }
    if (p < text.end && *p == '/') ++p;
    const Byte* const name = p;
    while (p < text.end && (is_alnum(*p) || *p == ':' || *p == '-')) ++p;
    if (p == name || !is_alpha(*name) || static_cast<size_t>(p - name) > kMaxTagName || p == text.end) return {};
    if (*p == '>') return {angle, p + 1};
    const Byte* const limit = limited(text, p, kMaxTargetBytes);
    const Byte* const close = find_on_line(p, std::find(p, limit, '<'), '>');
    if (!close || (!is_space(*p) && *p != '/')) return {};
    const bool has_attribute = *p == '/' || close[-1] == '/' || std::find(p, close, '=') != close;
    return has_attribute ? Debris{angle, close + 1} : Debris{};
}

// &nbsp; &#160; &#xA0;
Debris find_entity(Span text, const Byte* ampersand) {
    const Byte* p = ampersand + 1;
    if (p < text.end && *p == '#') ++p;
    const Byte* const name = p;
    while (p < text.end && is_alnum(*p)) ++p;
    const auto size = p - name;
    return size >= 2 && size <= 10 && p < text.end && *p == ';' ? Debris{ampersand, p + 1} : Debris{};
}

// %s, %1$d, %(name)s, %{name}, {0}, {name}, {{template}}, {% code %}.
Debris find_placeholder(Span text, const Byte* sign) {
    const Byte* p = sign + 1;
    if (*sign == '{') {
        if (p < text.end && (*p == '{' || *p == '%')) {
            const Byte* const limit = limited(text, sign, kMaxTemplateBytes);
            const Byte* const close = *p == '{' ? matching(sign, limit, '{', '}') : nullptr;
            const Byte* const end = *p == '{' ? (close ? close + 1 : nullptr) : find_past(p, limit, "%}");
            return end ? Debris{sign, end} : Debris{};
        }
        while (p < text.end && is_identifier_byte(*p)) ++p;
        if (p == text.end || *p != '}') return {};
        const bool has_sign = sign > text.begin && (sign[-1] == '$' || sign[-1] == '#' || sign[-1] == '%');
        return {sign - has_sign, p + 1};
    }
    if (p < text.end && *p == '(') {
        while (p < text.end && (*p == '(' || is_identifier_byte(*p))) ++p;
        if (p == text.end || *p != ')') return {};
        ++p;
    }
    while (p < text.end && (is_digit(*p) || *p == '$' || *p == '.' || *p == '-' || *p == '+')) ++p;
    while (p < text.end && (*p == 'l' || *p == 'h' || *p == 'z')) ++p;
    if (p == text.end || !std::strchr("sdifuxXcgeo@", *p) || *p == 0) return {};
    return p + 1 == text.end || !is_word_byte(p[1]) ? Debris{sign, p + 1} : Debris{};
}

// \command[options]{names}, \n and \u00e9 in strings. Of other commands, the text in the braces stays.
BracketDebris find_command(Span text, const Byte* backslash) {
    const Byte* p = backslash + 1;
    if (p == text.end || !is_alpha(*p)) return {};
    if (*p == 'u' && text.end - p >= 5 && std::all_of(p + 1, p + 5, [](Byte c) { return hex_value(c) >= 0; }))
        return {{backslash, p + 5}, {}};
    const bool is_escape = (*p == 'n' || *p == 't' || *p == 'r') && p + 1 < text.end && (p[1] < 'a' || p[1] > 'z');
    if (is_escape) return {{backslash, p + 1}, {}};
    const Byte* const name = p;
    while (p < text.end && is_alpha(*p)) ++p;
    const bool has_names = is_one_of({name, p}, NAME_COMMANDS);
    if (p < text.end && *p == '*') ++p;
    while (p < text.end && (*p == '[' || (has_names && *p == '{'))) {
        const Byte* const close = matching(p, limited(text, p, kMaxSpanBytes), *p, *p == '[' ? ']' : '}');
        if (!close) break;
        p = close + 1;
    }
    const Byte* const close = p < text.end && *p == '{' ? matching(p, limited(text, p, kMaxTargetBytes), '{', '}') : nullptr;
    if (close) return {{backslash, p + 1}, {close, close + 1}};
    return {{backslash, p}, {}};
}

// $x^2$, $$\alpha$$, $NAME.
Debris find_formula(Span text, const Byte* dollar) {
    const Byte* p = dollar;
    while (p < text.end && *p == '$') ++p;
    const Byte* const close = find_on_line(p, limited(text, p, kMaxSpanBytes), '$');
    if (close && std::any_of(p, close, [](Byte c) { return c == '\\' || c == '^' || c == '_' || c == '='; })) {
        const Byte* end = close;
        while (end < text.end && *end == '$' && end - close < p - dollar) ++end;
        return {dollar, end};
    }
    const Byte* name = p;
    while (name < text.end && (is_alnum(*name) || *name == '_')) ++name;
    return name - p >= 2 && is_alpha(*p) ? Debris{dollar, name} : Debris{};
}

// key="value"
Debris find_attribute(Span text, const Byte* equals) {
    const Byte* begin = equals;
    while (begin > text.begin && (is_alnum(begin[-1]) || begin[-1] == '-' || begin[-1] == '_')) --begin;
    const Byte* const quote = equals + 1;
    if (begin == equals || quote == text.end || (*quote != '"' && *quote != '\'')) return {};
    const Byte* const close = find_on_line(quote + 1, limited(text, quote + 1, kMaxSpanBytes), *quote);
    return close ? Debris{begin, close + 1} : Debris{};
}

}  // namespace debris
}  // namespace webtongue
