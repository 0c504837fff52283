#include "markup/sniff.hpp"

#include <algorithm>

namespace webtongue {
namespace {

constexpr ptrdiff_t kMaxRootTagBytes = 2048;  // bytes of a root element that are searched

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

// True if an HTML tag, a doctype or a comment starts at p, which is at a "<".
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

// Skips all leading blanks and NULs.
const Byte* skip_padding(const Byte* p, const Byte* end) {
    while (p < end && (is_blank(*p) || *p == 0)) ++p;
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

// True for an SVG document, which names its namespace; an svg element at the start of HTML need not.
bool is_svg_document(const Byte* p, const Byte* end) {
    static constexpr Byte kName[] = {'x', 'm', 'l', 'n', 's'};
    const Byte* close = std::find(p, p + std::min<ptrdiff_t>(end - p, kMaxRootTagBytes), '>');
    return end - p > 5 && starts_lower(p, end, "<svg") && is_blank(p[4]) &&
           std::search(p, close, std::begin(kName), std::end(kName)) != close;
}

// True for root elements of feeds, site maps, outlines and drawings, which often lack an XML declaration.
bool is_xml_root(const Byte* p, const Byte* end) {
    if (is_svg_document(p, end)) return true;
    for (const char* root : {"<rss", "<feed", "<rdf:rdf", "<urlset", "<sitemapindex", "<opml"}) {
        const size_t size = std::strlen(root);
        if (static_cast<size_t>(end - p) > size && starts_lower(p, end, root) && (is_blank(p[size]) || p[size] == '>')) return true;
    }
    return false;
}

bool is_xml_declaration(const Byte* p, const Byte* end) {
    return end - p > 5 && starts_lower(p, end, "<?xml") && (is_blank(p[5]) || p[5] == '?');
}

bool has_signature(Span page, const Signature& format) {
    return page.size() >= format.offset + format.bytes.size() &&
           std::memcmp(page.begin + format.offset, format.bytes.data(), format.bytes.size()) == 0;
}

Syntax choose_syntax(Media media, bool looks_html, Span head) {
    if (media == Media::xhtml) return Syntax::xhtml;
    if (media == Media::xml && !has_html_root(head)) return Syntax::xml;
    if (media == Media::html) return Syntax::html;
    if (media == Media::plain && !(looks_html && has_html_root(head))) return Syntax::text;
    return looks_html ? Syntax::html : Syntax::text;
}

}  // namespace

Sniffed sniff(Span page, Media media, bool many_controls, const std::vector<Signature>& formats) {
    Sniffed result;
    const Byte* start = skip_padding(page.begin + find_bom(page).length, page.end);
    const Span head{start, start + std::min<size_t>(static_cast<size_t>(page.end - start), kSniffBytes)};
    if (!many_controls && (media == Media::unknown || media == Media::html) && starts_lower(start, head.end, "<!doctype html")) {
        result.syntax = Syntax::html;  // most of the web
        return result;
    }
    for (size_t i = 0; i < formats.size(); ++i) {
        if (!has_signature(page, formats[i])) continue;
        result.no_text = NoTextReason::signature;
        result.signature = static_cast<uint32_t>(i);
        return result;
    }
    if (is_xml_declaration(start, head.end)) {
        result.syntax = has_html_root(head) ? Syntax::xhtml : Syntax::xml;
        return result;
    }
    if (is_xml_root(skip_comments(start, head.end), head.end) && !has_html_root(head)) {
        result.syntax = Syntax::xml;
        return result;
    }
    const bool looks_html = has_markup(head);
    if (!looks_html && media == Media::not_language) result.no_text = NoTextReason::media;
    else if (many_controls) result.no_text = NoTextReason::controls;
    result.syntax = choose_syntax(media, looks_html, head);
    return result;
}

}  // namespace webtongue
