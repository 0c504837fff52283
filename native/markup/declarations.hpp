// Records the declarations of a page about itself, in meta, link and JSON-LD, with their positions.
#pragma once

#include "markup/attributes.hpp"
#include "markup/scan.hpp"
#include "markup/tags.hpp"

namespace webtongue {

// The attributes that the scanner uses; the first of each name counts, as in browsers.
struct TagAttributes {
    Span lang, xml_lang, href, hreflang, rel, alt, name, property, content, charset, http_equiv, type, itemprop;
    void set(const Attribute& a);
};

// Records declarations into a Scan, up to a maximal number.
class DeclarationRecorder {
public:
    DeclarationRecorder(Span page, Scan& scan) : page_(page), scan_(scan) {}

    void add(DeclarationKind kind, Span value, Span extra = {}, bool may_be_empty = false);
    void bom();
    void xml_declaration();
    void html(const TagAttributes& attributes);
    void body(const TagAttributes& attributes);
    // Handles any element of an XML document; `content` is the start of its content.
    void element(Span name, const TagAttributes& attributes, const Byte* content);
    void meta(const TagAttributes& attributes);
    void link(const TagAttributes& attributes);
    void json_ld(Span script);

    // True for descriptions and keywords of a page, which are text too.
    static bool is_text(const TagAttributes& attributes);

private:
    Span page_;
    Scan& scan_;
    void feed_language(const Byte* content);
    bool html_lang_ = false, html_xml_lang_ = false;
    bool page_lang_ = false;  // <html> or <body> have a language
    bool below_root_ = false;  // the root of an XML document has been passed
    bool feed_ = false, feed_language_ = false;
};

// Returns the charset in a Content-Type value, by the algorithm of the HTML standard.
Span charset_in(Span content);

}  // namespace webtongue
