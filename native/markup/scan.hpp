// Scans the bytes of a page for blocks of visible text, declarations, links and language scopes, in one pass.
//
// The encoding need not be known: `<`, `>` and `&` are never trail bytes in an ASCII-compatible encoding of the WHATWG standard.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/utf.hpp"
#include "markup/places.hpp"

namespace webtongue {

enum class Kind : uint8_t { paragraph, title, heading, item, link, navigation, alt, meta };

// The syntax in which `<` is interpreted.
enum class Syntax : uint8_t { html, xhtml, xml, text };

enum class DeclarationKind : uint8_t {
    bom,
    xml_encoding,
    meta_charset,
    meta_content_type,
    meta_content_language,
    html_lang,
    html_xml_lang,
    og_locale,
    og_locale_alternate,
    dc_language,
    meta_language,
    jsonld_in_language,
    hreflang,
    canonical,
    base,
    body_lang,      // lang of <body>, if <html> has none
    feed_language,  // <language> of a feed, or xml:lang of the root of an XML document
    hreflang_self,  // an alternate that is the page itself; in packed declarations only
};
constexpr size_t kDeclarationKinds = static_cast<size_t>(DeclarationKind::hreflang_self) + 1;

struct ScanOptions {
    Syntax syntax = Syntax::html;
    bool text_only = false;  // no blocks, links, declarations and scopes
    // References become UTF-8 in the text; if false, they become placeholders, and their characters are in `references`, since the encoding
    // of the text is not known yet.
    bool utf8 = true;
    const uint16_t* high_half = nullptr;  // code points of the bytes from 0x80, by which the text is decoded to UTF-8
    size_t max_text_bytes = SIZE_MAX;  // the scan ends after so many bytes of text
    const ClassWords* class_words = nullptr;  // if given, the places of blocks are recorded
};

// The placeholder of a reference while the page's encoding is unknown (SUB), which is no lead or trail byte in any encoding.
constexpr Byte kPlaceholder = 0x1A;

// Blocks are consecutive in the text, separated by line feeds.
struct Block {
    uint32_t text_end;
    uint32_t page_begin, page_end;
    uint16_t lang;  // index into Scan::langs, 0 for none
    Kind kind;
    uint8_t flags;
};

struct Link {
    uint32_t href_begin, href_end;  // in the page, with unresolved references
    uint32_t text_begin, text_end;  // in the text
    uint32_t lang_begin, lang_end;  // hreflang, in the page
};

struct Declaration {
    uint32_t begin, end;  // value in the page
    uint32_t extra_begin, extra_end;  // URL of a hreflang alternate
    DeclarationKind kind;
};

struct Range {
    uint32_t begin = 0, end = 0;
};

struct Free {
    void operator()(Byte* p) const { std::free(p); }
};

struct Scan {
    std::unique_ptr<Byte, Free> text;
    size_t text_size = 0;
    size_t visible_size = 0;  // size of the text before the blocks of alt and meta text
    size_t referenced = 0;  // characters beyond ASCII that were references, if `utf8` is set
    std::string references;  // characters of the placeholders in UTF-8, each ended by SUB, if `utf8` is not set
    std::vector<Block> blocks;
    std::vector<Place> places;  // places of the blocks, if ScanOptions::class_words is given
    std::vector<Link> links;
    std::vector<Declaration> declarations;
    std::vector<Range> langs;  // values of lang attributes in the page; the first is empty
    size_t skipped_bytes = 0;  // bytes in script, style and other elements whose content is not shown
    uint32_t tag_count = 0;
    bool truncated = false;  // the maximum of blocks, links or declarations was reached
};

// Larger pages are cut, since offsets have 32 bits.
constexpr size_t kMaxPageBytes = 0xFFFFFF00u;

Scan scan(Span page, const ScanOptions& options);

// Checks the bytes of the text as UTF-8. Characters of references are no evidence for the encoding and are not counted.
Utf8Check check_utf8(const Scan& scan);

// The encoding of a byte order mark at the start of the page, or an empty string, and its length.
struct Bom {
    const char* encoding;
    int length;
};
Bom find_bom(Span page);

}  // namespace webtongue
