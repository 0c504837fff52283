// From a page's bytes to blocks of visible text, declarations, links and language scopes, in one pass.
//
// The scanner works on bytes of unknown encoding: `<`, `>` and `&` are never trail bytes in an ASCII-compatible
// encoding of the WHATWG standard, so markup can be cut before any charset is known.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/utf.hpp"

namespace webtongue {

enum class Kind : uint8_t { paragraph, title, heading, item, link, navigation, alt, meta };

// How `<` is to be read.
enum class Syntax : uint8_t { html, xhtml, xml, text };

enum class Claim : uint8_t {
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
    body_lang,      // of <body>, where <html> has none
    feed_language,  // of a feed: <language>, or xml:lang of an XML document's root
    hreflang_self,  // packed only: an alternate that is the page itself
};

struct ScanOptions {
    Syntax syntax = Syntax::html;
    bool text_only = false;  // no blocks, links, declarations or scopes: just the text
    bool utf8 = true;        // references become UTF-8 in the text; otherwise a placeholder, and the
                             // characters go to `references` (the text's encoding is not known yet)
    const uint16_t* high = nullptr;  // code points of the bytes from 0x80 on: the text comes out as UTF-8
    size_t enough = SIZE_MAX;  // bytes of text after which the rest of the page is left out
};

// Text that a reference stands for while the page's encoding is unknown is held by this byte (SUB): it is a
// lead or trail byte in no encoding.
constexpr Byte kPlaceholder = 0x1A;

// Blocks lie in the text one after the other, a line feed between them.
struct Block {
    uint32_t text_end;
    uint32_t page_begin, page_end;
    uint16_t lang;  // index into Scan::langs, 0: none
    Kind kind;
    uint8_t flags;
};

struct Link {
    uint32_t href_begin, href_end;  // in the page, references not resolved
    uint32_t text_begin, text_end;  // in the text
    uint32_t lang_begin, lang_end;  // hreflang, in the page
};

struct Declaration {
    uint32_t begin, end;              // the value, in the page
    uint32_t extra_begin, extra_end;  // the address of a hreflang alternate
    Claim claim;
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
    size_t visible_size = 0;   // the text before the blocks of alt and meta text
    size_t referred = 0;       // when utf8: characters beyond ASCII that references stand for
    std::string references;    // when not utf8: what the placeholders stand for, as UTF-8, each ended by SUB
    std::vector<Block> blocks;
    std::vector<Link> links;
    std::vector<Declaration> declarations;
    std::vector<Range> langs;  // values of lang attributes, in the page; the first is empty
    size_t skipped_bytes = 0;  // in script, style and other elements whose content is not shown
    uint32_t tag_count = 0;
    bool truncated = false;    // a cap on blocks, links or declarations was reached
};

// Pages beyond this are cut: offsets are 32 bits wide.
constexpr size_t kMaxPage = 0xFFFFFF00u;

Scan scan(Span page, const ScanOptions& options);

// How the page's own bytes in its text read as UTF-8: what references stand for says nothing of the page's encoding.
Utf8Check check_utf8(const Scan& scan);

// The encoding label of a byte order mark at the start of the page, or an empty string, and its length.
struct Bom {
    const char* encoding;
    int length;
};
Bom find_bom(Span page);

}  // namespace webtongue
