"""The scanner in plain Python, without maximal numbers of blocks and links, for small pages."""

from __future__ import annotations

import re

from tests.twins.markup.declarations import DeclarationRecorder
from tests.twins.markup.scope import BREAK, BREAKOUT, FOREIGN, MATH_WORDS, SHOW, SKIP, VOID, Scope
from tests.twins.markup.tags import Range, Tag, find_end_tag, find_script_end, read_tag, skip_comment, skip_past
from tests.twins.markup.text_writer import SPACE, Writer

HTML, XHTML, XML, TEXT = range(4)
PARAGRAPH, TITLE, HEADING, ITEM, LINK, NAVIGATION, ALT, META = range(8)
RECENT_LANGS = 32


class Scanner:
    def __init__(self, page: bytes, syntax: int, utf8: bool) -> None:
        self.page, self.syntax = page, syntax
        self.out = Writer(utf8)
        self.scope = Scope()
        self.langs: list[Range] = [(0, 0)]
        self.links: list[list[int]] = []
        self.declarations = DeclarationRecorder(page)
        self.attribute_texts: list[tuple[Range, int, int]] = []
        self.hidden = 0
        self.in_anchor = False
        self.tag_count = 0
        self.skipped = 0
        bom = self.declarations.bom()
        if syntax == TEXT:
            self.plain_text(bom)
        else:
            self.declarations.xml_declaration(bom)
            self.markup_text(bom)
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
        """Read the markup whose ``<`` is at ``at``, and return the start of the text after it."""
        page, following = self.page, self.page[at + 1 : at + 2]
        xml_name = self.syntax == XML and following and (following == b"_" or following >= b"\x80")
        if following.isalpha() or xml_name:
            return self.start_tag(at)
        if following == b"/" and at + 2 < len(page):
            return self.end_tag(at)
        if page.startswith(b"<!--", at):
            return skip_comment(page, at + 4)
        if following == b"!":
            if self.syntax == XML and page[at : at + 9].lower() == b"<![cdata[":
                end = skip_past(page, b"]]>", at + 9)
                stop = end - 3 if page[at + 9 : end].endswith(b"]]>") else end
                self.out.copy(page, at + 9, stop, references=False)
                return end
            return skip_past(page, b">", at + 2)
        if following == b"?":
            return skip_past(page, b">" if self.syntax == HTML else b"?>", at + 2)
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
        if self.syntax == HTML:
            tag.attributes.pop(b"xml:lang", None)
        self.tag_count += 1
        if not tag.closed:
            return tag.end
        if self.syntax == XML:
            self.end_block()
            self.declarations.element(tag)
            if not tag.self_closing:
                self.scope.open(tag.name, self.lang_of(tag), xml=True)
            return tag.end
        foreign = tag.name in FOREIGN
        empty = tag.name in VOID or (tag.self_closing and (self.syntax == XHTML or foreign))
        if not self.hidden:
            if tag.name in BREAK:
                self.end_block()
            self.record(tag)
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
            return skip_past(page, b">", at + 2)
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
        """Handle content of a start tag that is not ordinary markup."""
        page, name = self.page, tag.name
        if name in SKIP:
            close = find_script_end(page, tag.end) if name == b"script" else find_end_tag(page, tag.end, name)
            is_json = self.value(tag.span(b"type"))[:19].lower() == b"application/ld+json"
            if name == b"script" and is_json and not self.hidden:
                self.declarations.json_ld(tag.end, close)
            self.skipped += close - tag.end
            return read_tag(page, close + 2).end if close < len(page) else close
        if name in SHOW:
            close = len(page) if name == b"plaintext" else find_end_tag(page, tag.end, name)
            if not self.hidden:
                self.out.copy(page, tag.end, close, references=False)
            return close
        if name in FOREIGN:
            close = self.skip_foreign(name, tag.end)
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

    def skip_foreign(self, outer: bytes, at: int) -> int:
        """Return the position after svg or math, or of the tag that ends it."""
        page, depth, islands = self.page, 1, 0
        while depth:
            at = page.find(b"<", at)
            if at < 0 or at + 1 >= len(page):
                return len(page)
            if page.startswith(b"<!--", at):
                at = skip_comment(page, at + 4)
            elif page[at : at + 9].lower() == b"<![cdata[":
                at = skip_past(page, b"]]>", at + 9)
            elif page.startswith(b"<!", at):
                at = skip_past(page, b">", at + 2)
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

    # Attributes

    def value(self, span: Range) -> bytes:
        return self.page[span[0] : span[1]]

    def lang_of(self, tag: Tag) -> int | None:
        name = b"xml:lang" if b"xml:lang" in tag.attributes else b"lang"
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

    def record(self, tag: Tag) -> None:
        has = tag.attributes
        if tag.name == b"html":
            self.declarations.html(tag)
        elif tag.name == b"body":
            self.declarations.body(tag)
        elif tag.name == b"meta":
            self.declarations.meta(tag)
            if self.declarations.is_text(tag):
                self.keep_text(tag, b"content", META)
        elif tag.name == b"link" and b"href" in has:
            self.declarations.link(tag)
        elif tag.name == b"base" and b"href" in has:
            self.declarations.base(tag)
        elif tag.name == b"a":
            self.end_anchor()
            if b"href" in has:
                self.link(tag)
                self.in_anchor = self.out.in_link = True
        elif tag.name in (b"area", b"img", b"image", b"input"):
            if tag.name == b"area" and b"href" in has:
                self.link(tag)
            if self.value(tag.span(b"alt")):
                self.keep_text(tag, b"alt", ALT)

    def keep_text(self, tag: Tag, attribute: bytes, kind: int) -> None:
        lang = self.lang_of(tag)
        self.attribute_texts.append((tag.span(attribute), self.scope.top.lang if lang is None else lang, kind))

    def link(self, tag: Tag) -> None:
        at = len(self.out.text) + (self.out.pending and not self.out.empty)
        self.links.append([*tag.span(b"href"), at, at, *tag.span(b"hreflang")])

    def end_anchor(self) -> None:
        if self.in_anchor:
            self.links[-1][3] = max(len(self.out.text), self.links[-1][2])
        self.in_anchor = self.out.in_link = False
