// What the head of a page says of itself: meta, link and JSON-LD, and where each claim stands in the page.
#pragma once

#include "markup/attributes.hpp"
#include "markup/scan.hpp"
#include "markup/tags.hpp"

namespace webtongue {

// The attributes that some element needs; the first of each name counts, as in browsers.
struct Wanted {
    Span lang, xml_lang, href, hreflang, rel, alt, name, property, content, charset, http_equiv, type, itemprop;
    void take(const Attribute& a);
};

// Records claims into a Scan, up to a bound.
class Claims {
public:
    Claims(Span page, Scan& out) : page_(page), out_(out) {}

    void add(Claim claim, Span value, Span extra = {});
    void bom();
    void xml_declaration();
    void html(const Wanted& w);
    void body(const Wanted& w);
    // Any element of an XML document; `content` is where its content begins.
    void element(Span name, const Wanted& w, const Byte* content);
    void meta(const Wanted& w);
    void link(const Wanted& w);
    void json_ld(Span script);

    // The description and keywords of a page are text too.
    static bool is_text(const Wanted& w);

private:
    Span page_;
    Scan& out_;
    void feed_language(const Byte* content);
    bool html_lang_ = false, html_xml_lang_ = false;
    bool page_lang_ = false;   // <html> or <body> say a language
    bool below_root_ = false;  // of an XML document
    bool feed_ = false, feed_language_ = false;
};

// The charset inside a Content-Type value: the algorithm of the HTML standard.
Span charset_in(Span content);

}  // namespace webtongue
