#include "page/fast_path.hpp"

#include <algorithm>

#include "base/utf.hpp"
#include "markup/probe.hpp"

namespace webtongue {
namespace {

constexpr size_t kHead = 4096;  // bytes that say what a page is
constexpr size_t kUtf7Head = 1 << 16;

bool is_blank(Byte c) { return is_space(c) || c == 0x0B; }

// Plain ASCII, and every plus sign of its beginning may be one that shifts in UTF-7: coding/escapes.py then looks closer.
bool may_be_utf7(Span page) {
    const Byte* end = page.begin + std::min(page.size(), kUtf7Head);
    bool shifts = false;
    for (const Byte* p = page.begin; (p = find_byte(p, end, '+')) < end;) {
        const Byte* body = ++p;
        while (p < end && (is_alnum(*p) || *p == '+' || *p == '/')) ++p;
        const size_t bits = 6 * static_cast<size_t>(p - body);
        if (bits == 0 ? p == end || *p != '-' : bits < 16 || bits % 16 >= 6) return false;
        shifts = true;
    }
    return shifts && skip_ascii(page.begin, page.end) == page.end;
}

bool has_html_root(Span head) {
    for (const Byte* p = head.begin; (p = find_byte(p, head.end, '<')) < head.end; ++p)
        if (head.end - p > 5 && starts_lower(p, head.end, "<html") && (is_blank(p[5]) || p[5] == '>')) return true;
    return false;
}

// Elements that only HTML begins with, as in markup/kinds.py.
bool is_html_tag(Span name) {
    static constexpr const char* kNames[] = {
        "html",    "head",    "body",   "title", "meta", "link",   "base",     "script",  "style", "div", "span",
        "p",       "br",      "a",      "b",     "i",    "u",      "hr",       "h1",      "h2",    "h3",  "h4",
        "h5",      "h6",      "table",  "tr",    "td",   "th",     "ul",       "ol",      "li",    "dl",  "dt",
        "dd",      "font",    "center", "img",   "form", "iframe", "frameset", "strong",  "em",    "pre", "blockquote",
        "section", "article", "header", "nav",   "main", "footer", "noscript", "!doctype"};
    return std::any_of(std::begin(kNames), std::end(kNames), [name](const char* known) { return equals_lower(name, known); });
}

// What markup/kinds.py makes of the commonest beginnings.
std::optional<Syntax> syntax_of(Span page) {
    const Probe first = probe(page);
    if (first.controls || first.escape || first.tilde_brace || may_be_utf7(page)) return {};
    const Span head{page.begin, page.begin + std::min(page.size(), kHead)};
    const Byte* p = head.begin;
    while (p < head.end && is_blank(*p)) ++p;
    if (p == head.end || *p != '<') return {};
    const Byte* name = p + 1;
    const Byte* after = std::find_if(name, head.end, [](Byte c) { return is_blank(c) || c == '/' || c == '>'; });
    if (after == head.end) return {};
    if (equals_lower({name, after}, "?xml") && is_blank(*after)) return has_html_root(head) ? Syntax::xhtml : Syntax::xml;
    if (is_html_tag({name, after})) return Syntax::html;
    return {};
}

}  // namespace

std::optional<FastPage> read_fast(Span page, const FontGuess& fonts, const CommonStrings& common, const Model& model,
                                  const ReadOptions& options) {
    const std::optional<Syntax> syntax = syntax_of(page);
    if (!syntax) return {};
    std::optional<FastPage> out{std::in_place};
    out->syntax = *syntax;
    ScanOptions scanning;
    scanning.syntax = *syntax;
    out->scan = scan(page, scanning);
    const Span text{out->scan.text.get(), out->scan.text.get() + out->scan.text_size};
    const Utf8Check checked = check_utf8(text, 1);
    out->ascii = checked.multibyte == 0;
    if (checked.errors || fonts.suspects(text)) return out;
    mark_noise(text, out->scan.blocks, common);
    out->reading = read_page(model, out->scan, options);
    return out;
}

}  // namespace webtongue
