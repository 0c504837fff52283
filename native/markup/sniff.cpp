#include "markup/sniff.hpp"

#include <algorithm>

namespace webtongue {
namespace {

constexpr ptrdiff_t kLongestTag = 2048;  // bytes of a root element that are looked at

bool is_blank(Byte c) { return is_space(c) || c == 0x0B; }
bool ends_name_or_tag(Byte c) { return is_blank(c) || c == '/' || c == '>'; }

// Elements that only HTML has.
bool is_html_name(Span name) {
    static constexpr const char* kNames[] = {
        "html",    "head",    "body",   "title", "meta", "link",   "base",     "script", "style", "div", "span",
        "p",       "br",      "a",      "b",     "i",    "u",      "hr",       "h1",     "h2",    "h3",  "h4",
        "h5",      "h6",      "table",  "tr",    "td",   "th",     "ul",       "ol",     "li",    "dl",  "dt",
        "dd",      "font",    "center", "img",   "form", "iframe", "frameset", "strong", "em",    "pre", "blockquote",
        "section", "article", "header", "nav",   "main", "footer", "noscript"};
    return std::any_of(std::begin(kNames), std::end(kNames), [name](const char* known) { return equals_lower(name, known); });
}

// Whether a tag of HTML, a doctype or a comment stands at p, which is on a "<".
bool is_markup(const Byte* p, const Byte* end) {
    if (starts_lower(p, end, "<!doctype") || starts_lower(p, end, "<!--")) return true;
    const Byte* name = p + 1;
    if (name < end && *name == '/') ++name;
    const Byte* stop = name;
    while (stop < end && is_alnum(*stop)) ++stop;
    return stop < end && ends_name_or_tag(*stop) && is_html_name({name, stop});
}

bool has_markup(Span head) {
    for (const Byte* p = head.begin; (p = find_byte(p, head.end, '<')) < head.end; ++p)
        if (is_markup(p, head.end)) return true;
    return false;
}

bool has_html_root(Span head) {
    for (const Byte* p = head.begin; (p = find_byte(p, head.end, '<')) < head.end; ++p)
        if (head.end - p > 5 && starts_lower(p, head.end, "<html") && (is_blank(p[5]) || p[5] == '>')) return true;
    return false;
}

const Byte* skip_blanks(const Byte* p, const Byte* end) {
    while (p < end && is_blank(*p)) ++p;
    return p;
}

const Byte* skip_comments(const Byte* p, const Byte* end) {
    while (end - p >= 4 && std::memcmp(p, "<!--", 4) == 0) {
        static constexpr Byte kClose[] = {'-', '-', '>'};
        const Byte* close = std::search(p + 4, end, std::begin(kClose), std::end(kClose));
        if (close == end) return p;
        p = skip_blanks(close + 3, end);
    }
    return p;
}

// A drawing by itself names its namespace; one that begins a piece of HTML does not need to.
bool is_drawing(const Byte* p, const Byte* end) {
    static constexpr Byte kName[] = {'x', 'm', 'l', 'n', 's'};
    const Byte* close = std::find(p, p + std::min<ptrdiff_t>(end - p, kLongestTag), '>');
    return end - p > 5 && starts_lower(p, end, "<svg") && is_blank(p[4]) &&
           std::search(p, close, std::begin(kName), std::end(kName)) != close;
}

// A root element of feeds, site maps, outlines and drawings, which often come without an XML declaration.
bool is_xml_root(const Byte* p, const Byte* end) {
    if (is_drawing(p, end)) return true;
    for (const char* root : {"<rss", "<feed", "<rdf:rdf", "<urlset", "<sitemapindex", "<opml"}) {
        const size_t size = std::strlen(root);
        if (static_cast<size_t>(end - p) > size && starts_lower(p, end, root) && (is_blank(p[size]) || p[size] == '>')) return true;
    }
    return false;
}

bool is_xml_declaration(const Byte* p, const Byte* end) {
    return end - p > 5 && starts_lower(p, end, "<?xml") && (is_blank(p[5]) || p[5] == '?');
}

bool has(Span page, const Signature& format) {
    return page.size() >= format.offset + format.bytes.size() &&
           std::memcmp(page.begin + format.offset, format.bytes.data(), format.bytes.size()) == 0;
}

Syntax by_media(Media media, bool looks_html, Span head) {
    if (media == Media::xhtml) return Syntax::xhtml;
    if (media == Media::xml && !has_html_root(head)) return Syntax::xml;
    if (media == Media::html) return Syntax::html;
    if (media == Media::plain && !(looks_html && has_html_root(head))) return Syntax::text;
    return looks_html ? Syntax::html : Syntax::text;
}

}  // namespace

Sniffed sniff(Span page, Media media, bool many_controls, const std::vector<Signature>& formats) {
    Sniffed out;
    const Span head{page.begin + find_bom(page).length, page.begin + std::min(page.size(), kSniffed)};
    const Byte* start = skip_blanks(head.begin, head.end);
    if (!many_controls && (media == Media::unknown || media == Media::html) && starts_lower(start, head.end, "<!doctype html")) {
        out.syntax = Syntax::html;  // most of the web
        return out;
    }
    for (size_t i = 0; i < formats.size(); ++i) {
        if (!has(page, formats[i])) continue;
        out.nothing = Nothing::signature;
        out.signature = static_cast<uint32_t>(i);
        return out;
    }
    if (is_xml_declaration(start, head.end)) {
        out.syntax = has_html_root(head) ? Syntax::xhtml : Syntax::xml;
        return out;
    }
    if (is_xml_root(skip_comments(start, head.end), head.end) && !has_html_root(head)) {
        out.syntax = Syntax::xml;
        return out;
    }
    const bool looks_html = has_markup(head);
    if (!looks_html && media == Media::not_language) out.nothing = Nothing::media;
    else if (many_controls) out.nothing = Nothing::controls;
    out.syntax = by_media(media, looks_html, head);
    return out;
}

}  // namespace webtongue
