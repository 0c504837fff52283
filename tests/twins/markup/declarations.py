"""Declarations of a page about itself: meta, link, XML declaration and JSON-LD, with their positions."""

from __future__ import annotations

import re

from tests.twins.markup.prescan import charset_in
from tests.twins.markup.tags import Range, Tag, read_tag, skip_past
from tests.twins.markup.text_writer import SPACE

(BOM, XML_ENCODING, META_CHARSET, META_CONTENT_TYPE, META_CONTENT_LANGUAGE, HTML_LANG, HTML_XML_LANG, OG_LOCALE,
 OG_LOCALE_ALTERNATE, DC_LANGUAGE, META_LANGUAGE, IN_LANGUAGE, HREFLANG, CANONICAL, BASE, BODY_LANG, FEED_LANGUAGE,
 HREFLANG_SELF) = range(18)  # fmt: skip
BOMS = (b"\xef\xbb\xbf", b"\xff\xfe\0\0", b"\0\0\xfe\xff", b"\xff\xfe", b"\xfe\xff")
META_NAMES = {
    b"og:locale": OG_LOCALE, b"og:locale:alternate": OG_LOCALE_ALTERNATE, b"dc.language": DC_LANGUAGE,
    b"dcterms.language": DC_LANGUAGE, b"dc:language": DC_LANGUAGE, b"dcterms:language": DC_LANGUAGE,
    b"citation_language": DC_LANGUAGE, b"language": META_LANGUAGE, b"content-language": META_LANGUAGE, b"lang": META_LANGUAGE,
    b"inlanguage": IN_LANGUAGE,
}  # fmt: skip
MAX_JSON_VALUE_BYTES = 400
MAX_FEED_LANGUAGE_BYTES = 64


class DeclarationRecorder:
    """Declarations in the order of the page: kind, position of the value, position of the related URL."""

    def __init__(self, page: bytes) -> None:
        self.page = page
        self.recorded: list[tuple[int, int, int, int, int]] = []
        self.on_html: set[bytes] = set()  # attributes of <html>; a second one adds only new ones
        self.page_lang = False
        self.below_root = self.in_feed = self.has_feed_language = False

    def add(self, kind: int, span: Range, extra: Range = (0, 0), *, may_be_empty: bool = False) -> None:
        if self.value(span).strip(SPACE) or may_be_empty:
            self.recorded.append((kind, *span, *extra))

    def value(self, span: Range) -> bytes:
        return self.page[span[0] : span[1]]

    def trimmed(self, span: Range) -> Range:
        value = self.value(span)
        begin = span[0] + len(value) - len(value.lstrip(SPACE))
        return (begin, begin + len(value.strip(SPACE)))

    def bom(self) -> int:
        """Return the size of the byte order mark, 0 if there is none."""
        bom = next((b for b in BOMS if self.page.startswith(b)), b"")
        if bom:
            self.add(BOM, (0, len(bom)))
        return len(bom)

    def xml_declaration(self, at: int) -> None:
        if re.compile(rb"<\?xml[\t\n\f\r ]", re.IGNORECASE).match(self.page, at):
            head = self.page[: skip_past(self.page, b">", at)].removesuffix(b">")
            span = read_tag(head, at + 5).attributes.get(b"encoding")
            if span:
                self.add(XML_ENCODING, self.trimmed(span))

    def html(self, tag: Tag) -> None:
        for name, kind in ((b"lang", HTML_LANG), (b"xml:lang", HTML_XML_LANG)):
            if name in tag.attributes and name not in self.on_html:
                self.add(kind, tag.span(name), may_be_empty=kind == HTML_LANG)
            self.page_lang |= bool(self.value(tag.span(name)).strip(SPACE))
        self.on_html |= set(tag.attributes)

    def body(self, tag: Tag) -> None:
        for name in (b"lang", b"xml:lang"):
            if not self.page_lang and self.value(tag.span(name)).strip(SPACE):
                self.add(BODY_LANG, tag.span(name))
                self.page_lang = True

    def element(self, tag: Tag) -> None:
        """Record the language of the root of an XML document, and <language> of a feed."""
        if not self.below_root:
            self.below_root = True
            self.add(FEED_LANGUAGE, tag.span(b"xml:lang"))
            self.in_feed = tag.name in (b"rss", b"rdf:rdf")
        if tag.name == b"item":
            self.in_feed = False
        if self.in_feed and tag.name == b"language" and not self.has_feed_language:
            close = self.page.find(b"</", tag.end, tag.end + MAX_FEED_LANGUAGE_BYTES)
            if close >= 0:
                self.has_feed_language = True
                self.add(FEED_LANGUAGE, (tag.end, close))

    def link(self, tag: Tag) -> None:
        rel = self.value(tag.span(b"rel")).lower().translate(bytes.maketrans(SPACE, b" " * 5)).split(b" ")
        if b"canonical" in rel:
            self.add(CANONICAL, tag.span(b"href"))
        if b"hreflang" in tag.attributes and b"alternate" in rel:
            self.add(HREFLANG, tag.span(b"hreflang"), tag.span(b"href"))

    def base(self, tag: Tag) -> None:
        self.add(BASE, tag.span(b"href"))

    def meta(self, tag: Tag) -> None:
        if b"charset" in tag.attributes:
            self.add(META_CHARSET, self.trimmed(tag.span(b"charset")))
        if b"content" not in tag.attributes:
            return
        content = tag.span(b"content")
        equiv = self.value(tag.span(b"http-equiv")).strip(SPACE).lower()
        if (
            equiv == b"content-type"
            and b"charset" not in tag.attributes
            and (charset := charset_in(self.value(content))) is not None
        ):
            match = re.compile(rb"charset[\t\n\f\r ]*=[\t\n\f\r ]*[\"']?", re.IGNORECASE).search(self.page, content[0])
            self.add(META_CONTENT_TYPE, (match.end(), match.end() + len(charset)))
        if equiv == b"content-language":
            self.add(META_CONTENT_LANGUAGE, content)
        for attribute in (b"name", b"property", b"itemprop"):
            key = self.value(tag.span(attribute)).strip(SPACE).lower()
            if key in META_NAMES:
                self.add(META_NAMES[key], content)

    def is_text(self, tag: Tag) -> bool:
        """Return True if a meta element is a description or keywords, which are text."""
        key = self.value(tag.span(b"name" if b"name" in tag.attributes else b"property")).strip(SPACE).lower()
        return b"content" in tag.attributes and key in (b"description", b"keywords", b"og:description")

    def json_ld(self, begin: int, end: int) -> None:
        for match in re.compile(rb'"inLanguage"[\t\n\f\r :]*').finditer(self.page, begin, end):
            at, stop = match.end(), min(match.end() + MAX_JSON_VALUE_BYTES, end)
            first = self.page[at : at + 1] if at < end else b""
            if first == b'"':
                span = (at + 1, skip_past(self.page[:stop], b'"', at + 1))
                if span[1] > at + 1 and self.page[span[1] - 1 : span[1]] == b'"':
                    span = (at + 1, span[1] - 1)
                span = (span[0], max(span))
            elif first in (b"[", b"{") and first:
                span = (at, skip_past(self.page[:stop], b"]" if first == b"[" else b"}", at))
            else:
                continue
            if span[0] < span[1]:
                self.add(IN_LANGUAGE, span)
