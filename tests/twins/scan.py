"""The scanner, byte by byte and with regular expressions where they read better. No caps: for small pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tests.twins import entities
from tests.twins.prescan import charset_in
from tests.twins.scope import BREAK, BREAKOUT, FOREIGN, MATH_WORDS, SHOW, SKIP, VOID, Scope

SPACE = b"\t\n\f\r "
HTML, XHTML, XML, TEXT = range(4)
PARAGRAPH, TITLE, HEADING, ITEM, LINK, NAVIGATION, ALT, META = range(8)
(BOM, XML_ENCODING, META_CHARSET, META_CONTENT_TYPE, META_CONTENT_LANGUAGE, HTML_LANG, HTML_XML_LANG, OG_LOCALE,
 OG_LOCALE_ALTERNATE, DC_LANGUAGE, META_LANGUAGE, IN_LANGUAGE, HREFLANG, CANONICAL, BASE) = range(15)  # fmt: skip
BOMS = (b"\xef\xbb\xbf", b"\xff\xfe\0\0", b"\0\0\xfe\xff", b"\xff\xfe", b"\xfe\xff")
META_NAMES = {
    b"og:locale": OG_LOCALE, b"og:locale:alternate": OG_LOCALE_ALTERNATE, b"dc.language": DC_LANGUAGE,
    b"dcterms.language": DC_LANGUAGE, b"dc:language": DC_LANGUAGE, b"language": META_LANGUAGE,
    b"content-language": META_LANGUAGE, b"inlanguage": IN_LANGUAGE,
}  # fmt: skip
NAME = re.compile(rb"[^\t\n\f\r />]*")
BETWEEN = re.compile(rb"[\t\n\f\r /]*")
ATTRIBUTE = re.compile(
    rb"([^\t\n\f\r />][^\t\n\f\r />=]*)[\t\n\f\r ]*(?:=[\t\n\f\r ]*(?:\"([^\"]*)(?:\"|\Z)|'([^']*)(?:'|\Z)|([^\t\n\f\r >]*)))?",
)
COMMENT = re.compile(rb"-?>|.*?--!?>", re.DOTALL)
SCRIPT_TOKEN = re.compile(rb"<!--|-->|</?script(?=[\t\n\f\r />])", re.IGNORECASE)
RECENT_LANGS = 32
JSON_VALUE = 400

Range = tuple[int, int]


@dataclass
class Tag:
    name: bytes
    attributes: dict[bytes, Range]  # the first of each name
    end: int
    closed: bool
    self_closing: bool

    def span(self, name: bytes) -> Range:
        return self.attributes.get(name, (0, 0))


def read_tag(page: bytes, at: int) -> Tag:
    """The tag whose name starts at ``at``."""
    stop = NAME.match(page, at).end()
    tag = Tag(page[at:stop].lower(), {}, stop, False, False)
    while True:
        between = BETWEEN.match(page, tag.end)
        tag.end = between.end()
        if tag.end == len(page):
            return tag
        if page[tag.end] == ord(">"):
            tag.closed, tag.self_closing = True, between.group().endswith(b"/")
            tag.end += 1
            return tag
        found = ATTRIBUTE.match(page, tag.end)
        group = next((g for g in (2, 3, 4) if found[g] is not None), 0)
        tag.attributes.setdefault(found[1].lower(), found.span(group) if group else (found.end(), found.end()))
        tag.end = found.end()


def find_end_tag(page: bytes, at: int, name: bytes) -> int:
    found = re.compile(rb"</" + re.escape(name) + rb"[\t\n\f\r />]", re.IGNORECASE).search(page, at)
    return found.start() if found else len(page)


def find_script_end(page: bytes, at: int) -> int:
    """The script data states of the standard: plain, escaped by ``<!--``, and doubly by a ``<script>`` inside."""
    escaped = double = False
    while found := SCRIPT_TOKEN.search(page, at):
        token = found.group().lower()
        at = found.end()
        if token == b"<!--":
            if not escaped:
                escaped = True
            at -= 2  # its dashes may be those of "-->"
        elif token == b"-->":
            escaped = double = False
        elif token == b"<script":
            double = double or escaped
        elif double:
            double = False
        else:
            return found.start()
    return len(page)


def past(page: bytes, literal: bytes, at: int) -> int:
    found = page.find(literal, at)
    return len(page) if found < 0 else found + len(literal)


def past_comment(page: bytes, at: int) -> int:
    found = COMMENT.match(page, at)
    return found.end() if found else len(page)


@dataclass
class Writer:
    """Text with its whitespace folded, cut into blocks."""

    utf8: bool
    text: bytearray = field(default_factory=bytearray)
    references: bytearray = field(default_factory=bytearray)
    blocks: list[tuple[int, int, int, int, int]] = field(default_factory=list)  # text end, begin, end, lang, kind
    start: int = 0
    begin: int = 0
    end: int = 0
    pending: bool = False
    plain: bool = False
    in_link: bool = False

    @property
    def empty(self) -> bool:
        return len(self.text) == self.start

    def put(self, piece: bytes, begin: int, end: int) -> None:
        if self.empty:
            self.begin = begin
        elif self.pending:
            self.text += b" "
        self.pending = False
        self.plain |= not self.in_link
        self.text += piece
        self.end = end

    def put_reference(self, piece: bytes, begin: int, end: int) -> None:
        if piece and piece in SPACE:
            self.pending = True
        elif piece and (self.utf8 or piece[0] < 0x80):
            self.put(piece, begin, end)
        elif piece:
            self.put(b"\x1a", begin, end)
            self.references += piece + b"\x1a"

    def copy(self, page: bytes, at: int, stop: int, *, references: bool = True, in_attribute: bool = False) -> None:
        while at < stop:
            c = page[at : at + 1]
            found = entities.resolve(page[at:stop], in_attribute) if references and c == b"&" else None
            if found:
                self.put_reference(found[0], at, at + found[1])
                at += found[1]
                continue
            if c in SPACE:
                self.pending = True
            elif c != b"\0" and (c != b"\x1a" or self.utf8):
                self.put(c, at, at + 1)
            at += 1

    def end_block(self, kind: int, lang: int) -> None:
        if not self.empty:
            self.blocks.append((len(self.text), self.begin, self.end, lang, kind))
            self.text += b"\n"
            self.start = len(self.text)
            self.plain = False
        self.pending = False


class Scanner:
    def __init__(self, page: bytes, syntax: int, utf8: bool) -> None:
        self.page, self.syntax = page, syntax
        self.out = Writer(utf8)
        self.scope = Scope()
        self.langs: list[Range] = [(0, 0)]
        self.links: list[list[int]] = []
        self.declarations: list[tuple[int, int, int, int, int]] = []
        self.attribute_texts: list[tuple[Range, int, int]] = []
        self.hidden = 0
        self.in_anchor = False
        self.on_html: set[bytes] = set()  # attributes of <html>: of a second one only those that are new count
        self.tag_count = 0
        self.skipped = 0
        bom = next((b for b in BOMS if page.startswith(b)), b"")
        if bom:
            self.claim(BOM, (0, len(bom)))
        if syntax == TEXT:
            self.plain_text(len(bom))
        else:
            self.xml_declaration(len(bom))
            self.markup_text(len(bom))
        self.end_anchor()
        self.end_block()
        self.visible_size = max(len(self.out.text) - 1, 0)
        for (begin, end), lang, kind in self.attribute_texts:
            self.out.copy(page, begin, end, in_attribute=True)
            self.out.end_block(kind, lang)
        self.text = bytes(self.out.text[:-1])

    # Text

    def plain_text(self, at: int) -> None:
        for line in re.compile(rb"[^\n]*\n?").finditer(self.page, at):
            if line.group().strip(SPACE):
                self.out.copy(self.page, *line.span(), references=False)
            else:
                self.out.end_block(PARAGRAPH, 0)

    def markup_text(self, at: int) -> None:
        while at < len(self.page):
            less = self.page.find(b"<", at)
            less = len(self.page) if less < 0 else less
            if not self.hidden:
                self.out.copy(self.page, at, less)
            at = self.markup(less) if less < len(self.page) else less

    def markup(self, at: int) -> int:
        """Read what starts with the ``<`` at ``at``; returns where text goes on."""
        page, following = self.page, self.page[at + 1 : at + 2]
        xml_name = self.syntax == XML and following and (following == b"_" or following >= b"\x80")
        if following.isalpha() or xml_name:
            return self.start_tag(at)
        if following == b"/" and at + 2 < len(page):
            return self.end_tag(at)
        if page.startswith(b"<!--", at):
            return past_comment(page, at + 4)
        if following == b"!":
            if self.syntax == XML and page[at : at + 9].lower() == b"<![cdata[":
                end = past(page, b"]]>", at + 9)
                stop = end - 3 if page[at + 9 : end].endswith(b"]]>") else end
                self.out.copy(page, at + 9, stop, references=False)
                return end
            return past(page, b">", at + 2)
        if following == b"?":
            return past(page, b">" if self.syntax == HTML else b"?>", at + 2)
        if not self.hidden:
            self.out.put(b"<", at, at + 1)
        return at + 1

    def kind(self) -> int:
        top = self.scope.top
        if top.navigation:
            return NAVIGATION
        if top.heading:
            return HEADING
        if not self.out.plain:
            return LINK
        return ITEM if top.item else PARAGRAPH

    def end_block(self) -> None:
        self.out.end_block(self.kind(), self.scope.top.lang)

    # Tags

    def start_tag(self, at: int) -> int:
        tag = read_tag(self.page, at + 1)
        self.tag_count += 1
        if not tag.closed:
            return tag.end
        if self.syntax == XML:
            self.end_block()
            if not tag.self_closing:
                self.scope.open(tag.name, self.lang_of(tag), xml=True)
            return tag.end
        foreign = tag.name in FOREIGN
        empty = tag.name in VOID or (tag.self_closing and (self.syntax == XHTML or foreign))
        if not self.hidden:
            if tag.name in BREAK:
                self.end_block()
            self.take(tag)
            if not empty and tag.name not in SKIP and not foreign:
                lang = self.lang_of(tag)
                if lang is not None and lang != self.scope.top.lang:
                    self.end_block()
                self.scope.open(tag.name, lang)
        return tag.end if empty else self.content(tag)

    def end_tag(self, at: int) -> int:
        page = self.page
        if page[at + 2 : at + 3] == b">":
            return at + 3
        if not page[at + 2 : at + 3].isalpha() and self.syntax != XML:
            return past(page, b">", at + 2)
        tag = read_tag(page, at + 2)
        if not tag.closed:
            return tag.end
        if tag.name == b"template" and self.hidden:
            self.hidden -= 1
            if self.hidden == 0:
                self.close(tag.name)
            return tag.end
        if not self.hidden:
            if tag.name in BREAK or self.syntax == XML:
                self.end_block()
            self.close(tag.name)
        return tag.end

    def close(self, name: bytes) -> None:
        if name == b"a":
            self.end_anchor()
        lang, kind = self.scope.top.lang, self.kind()
        self.scope.close(name, xml=self.syntax == XML)
        if self.scope.top.lang != lang:
            self.out.end_block(kind, lang)

    def content(self, tag: Tag) -> int:
        """What follows a start tag, where it is not more of the same."""
        page, name = self.page, tag.name
        if name in SKIP:
            close = find_script_end(page, tag.end) if name == b"script" else find_end_tag(page, tag.end, name)
            is_json = self.value(tag.span(b"type"))[:19].lower() == b"application/ld+json"
            if name == b"script" and is_json and not self.hidden:
                self.json_ld(tag.end, close)
            self.skipped += close - tag.end
            return read_tag(page, close + 2).end if close < len(page) else close
        if name in SHOW:
            close = len(page) if name == b"plaintext" else find_end_tag(page, tag.end, name)
            if not self.hidden:
                self.out.copy(page, tag.end, close, references=False)
            return close
        if name in FOREIGN:
            close = self.past_foreign(name, tag.end)
            self.skipped += close - tag.end
            return close
        if name == b"title":
            return self.title(tag.end)
        if name == b"template":
            self.hidden += 1
        return tag.end

    def title(self, at: int) -> int:
        close = find_end_tag(self.page, at, b"title")
        if not self.hidden:
            self.end_block()
            self.out.copy(self.page, at, close)
            self.out.end_block(TITLE, self.scope.top.lang)
            self.scope.close(b"title")
        return read_tag(self.page, close + 2).end if close < len(self.page) else close

    def past_foreign(self, outer: bytes, at: int) -> int:
        """Past the end of svg or math, or on the tag that breaks out of it."""
        page, depth, islands = self.page, 1, 0
        while depth:
            at = page.find(b"<", at)
            if at < 0 or at + 1 >= len(page):
                return len(page)
            if page.startswith(b"<!--", at):
                at = past_comment(page, at + 4)
            elif page[at : at + 9].lower() == b"<![cdata[":
                at = past(page, b"]]>", at + 9)
            elif page.startswith(b"<!", at):
                at = past(page, b">", at + 2)
            elif not (start := re.compile(rb"<(/?)(?=[A-Za-z])").match(page, at)):
                at += 1
            else:
                closing = bool(start[1])
                tag = read_tag(page, start.end())
                if not islands and (tag.name in BREAKOUT or (closing and tag.name in BREAK)):
                    return at
                at = tag.end
                step = -1 if closing else 0 if tag.self_closing else 1
                if tag.name == outer:
                    depth += step
                elif tag.name in (b"foreignobject", b"desc", b"title") or tag.name in MATH_WORDS:
                    islands = max(islands + step, 0)
        return at

    # What tags say

    def value(self, span: Range) -> bytes:
        return self.page[span[0] : span[1]]

    def trimmed(self, span: Range) -> Range:
        value = self.value(span)
        begin = span[0] + len(value) - len(value.lstrip(SPACE))
        return (begin, begin + len(value.strip(SPACE)))

    def claim(self, kind: int, span: Range, extra: Range = (0, 0)) -> None:
        if self.value(span).strip(SPACE):
            self.declarations.append((kind, *span, *extra))

    def lang_of(self, tag: Tag) -> int | None:
        name = b"lang" if b"lang" in tag.attributes else b"xml:lang"
        if name not in tag.attributes:
            return None
        span = tag.span(name)
        if not self.value(span).strip(SPACE):
            return 0
        for i in range(len(self.langs) - 1, max(len(self.langs) - RECENT_LANGS, 1) - 1, -1):
            if self.value(self.langs[i]) == self.value(span):
                return i
        self.langs.append(span)
        return len(self.langs) - 1

    def take(self, tag: Tag) -> None:
        has = tag.attributes
        if tag.name == b"html":
            for name, kind in ((b"lang", HTML_LANG), (b"xml:lang", HTML_XML_LANG)):
                if name in has and name not in self.on_html:
                    self.claim(kind, tag.span(name))
            self.on_html |= set(has)
        elif tag.name == b"meta":
            self.take_meta(tag)
        elif tag.name == b"link" and b"href" in has:
            rel = self.value(tag.span(b"rel")).lower().translate(bytes.maketrans(SPACE, b" " * 5)).split(b" ")
            if b"canonical" in rel:
                self.claim(CANONICAL, tag.span(b"href"))
            if b"hreflang" in has and b"alternate" in rel:
                self.claim(HREFLANG, tag.span(b"hreflang"), tag.span(b"href"))
        elif tag.name == b"base" and b"href" in has:
            self.claim(BASE, tag.span(b"href"))
        elif tag.name == b"a":
            self.end_anchor()
            if b"href" in has:
                self.link(tag)
                self.in_anchor = self.out.in_link = True
        elif tag.name in (b"area", b"img", b"image", b"input"):
            if tag.name == b"area" and b"href" in has:
                self.link(tag)
            if self.value(tag.span(b"alt")):
                self.keep(tag, b"alt", ALT)

    def take_meta(self, tag: Tag) -> None:
        if b"charset" in tag.attributes:
            self.claim(META_CHARSET, self.trimmed(tag.span(b"charset")))
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
            self.claim(META_CONTENT_TYPE, (match.end(), match.end() + len(charset)))
        if equiv == b"content-language":
            self.claim(META_CONTENT_LANGUAGE, content)
        for attribute in (b"name", b"property", b"itemprop"):
            key = self.value(tag.span(attribute)).strip(SPACE).lower()
            if key in META_NAMES:
                self.claim(META_NAMES[key], content)
        key = self.value(tag.span(b"name" if b"name" in tag.attributes else b"property")).strip(SPACE).lower()
        if key in (b"description", b"keywords", b"og:description"):
            self.keep(tag, b"content", META)

    def keep(self, tag: Tag, attribute: bytes, kind: int) -> None:
        lang = self.lang_of(tag)
        self.attribute_texts.append((tag.span(attribute), self.scope.top.lang if lang is None else lang, kind))

    def link(self, tag: Tag) -> None:
        at = len(self.out.text) + (self.out.pending and not self.out.empty)
        self.links.append([*tag.span(b"href"), at, at, *tag.span(b"hreflang")])

    def end_anchor(self) -> None:
        if self.in_anchor:
            self.links[-1][3] = max(len(self.out.text), self.links[-1][2])
        self.in_anchor = self.out.in_link = False

    def xml_declaration(self, at: int) -> None:
        if re.compile(rb"<\?xml[\t\n\f\r ]", re.IGNORECASE).match(self.page, at):
            head = self.page[: past(self.page, b">", at)].removesuffix(b">")
            span = read_tag(head, at + 5).attributes.get(b"encoding")
            if span:
                self.claim(XML_ENCODING, self.trimmed(span))

    def json_ld(self, begin: int, end: int) -> None:
        for found in re.compile(rb'"inLanguage"[\t\n\f\r :]*').finditer(self.page, begin, end):
            at, stop = found.end(), min(found.end() + JSON_VALUE, end)
            first = self.page[at : at + 1] if at < end else b""
            if first == b'"':
                span = (at + 1, past(self.page[:stop], b'"', at + 1))
                if span[1] > at + 1 and self.page[span[1] - 1 : span[1]] == b'"':
                    span = (at + 1, span[1] - 1)
                span = (span[0], max(span))
            elif first in (b"[", b"{") and first:
                span = (at, past(self.page[:stop], b"]" if first == b"[" else b"}", at))
            else:
                continue
            if span[0] < span[1]:
                self.claim(IN_LANGUAGE, span)
