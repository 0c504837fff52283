"""The first stage: from a page's bytes to blocks of text, claims and links.

>>> page = Page("<title>Olá</title><p lang=pt>Bom <b>dia</b>!<p>x &lt; y".encode(), url="https://example.pt/")
>>> m = read(page)
>>> [(b.kind, b.lang, b.text) for b in m.blocks]
[('title', '', 'Olá'), ('paragraph', 'pt', 'Bom dia!'), ('paragraph', '', 'x < y')]
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from webtongue import _kernel
from webtongue.encodings import escapes
from webtongue.encodings.codecs import decode, decode_scan, single_byte_table
from webtongue.encodings.repair import repair
from webtongue.markup.alternates import Alternate, alternates_of
from webtongue.markup.blocks import Block, blocks_of
from webtongue.markup.claims import Claim, header_claims, page_claims
from webtongue.markup.links import Link, links_of
from webtongue.markup.sniff import HEAD, Syntax, sniff, wide_by_script, wide_encoding, wrong_mark
from webtongue.page import Page

__all__ = ["Alternate", "Block", "Claim", "Link", "Markup", "Syntax", "read"]

BOM_MOST = 4
CHUNK = 1 << 20  # bytes of text put right at a time: bounds memory on huge pages
NOT_SCANNED = ("johab",)  # has < and > among its trail bytes: decoded first
WIDE = ("utf-16le", "utf-16be", "utf-32le", "utf-32be")  # the kernel's numbers


@dataclass(frozen=True, slots=True)
class Markup:
    """A scanned page. Blocks, claims and links are packed in the kernel and become objects when asked for.

    ``source`` is what was scanned: the page itself or, where ``transcoded`` names an encoding that cannot be scanned as
    bytes (UTF-16, UTF-32, those that shift by escapes, johab), the page in UTF-8; offsets are into ``source``.
    ``reason`` says why there is nothing to scan, where there is nothing. ``read_as`` is the encoding of bytes that were scanned
    again, ``font`` the font that drew the text, which is converted then.
    """

    page: Page
    source: bytes
    syntax: Syntax
    scan: Any
    bom: str = ""
    transcoded: str = ""
    reason: str = ""
    read_as: str = ""
    font: str = ""

    @property
    def text(self) -> str:
        """The visible text, a line a block."""
        return str(self.scan.slice(0, self.scan.visible_size), "utf-8", "replace")

    @property
    def blocks(self) -> list[Block]:
        """Every block of text, in order; text of ``alt`` and ``<meta>`` comes last."""
        return blocks_of(self.source, self.scan)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What server and page declare, the server first."""
        return (*header_claims(self.page), *page_claims(self.source, self.scan, self.bom))

    @property
    def links(self) -> list[Link]:
        """Every ``<a>`` and ``<area>`` with an address, resolved against ``<base>`` and the page's URL."""
        if self.font:  # anchors are where the glyphs were
            return self._font_links()
        base = next((c.value for c in page_claims(self.source, self.scan, self.bom) if c.kind == "base"), "")
        if self.read_as and single_byte_table(self.read_as) is None:  # anchors are where the bytes were, not the text
            held = _kernel.scan(self.source, self.syntax, False, False)
            return links_of(self.source, held, self.page.url or "", base, self.read_as)
        return links_of(self.source, self.scan, self.page.url or "", base)

    def _font_links(self) -> list[Link]:
        from webtongue.fonts import convert_line  # which needs this module

        plain = replace(self, font="", scan=_kernel.scan(self.source, self.syntax, False, True))
        if self.read_as:
            plain = read_as(plain, self.read_as)
        return [replace(link, text=convert_line(link.text, self.font)) for link in plain.links]

    @property
    def alternates(self) -> list[Alternate]:
        """The page's versions in other languages, and which of them it is itself."""
        return alternates_of(self.claims, self.page.url or "")


def read(page: Page) -> Markup:
    """Scan a page once. References become UTF-8; a page in another encoding is scanned again by the coding stage."""
    raw = page.raw
    first = _kernel.probe(raw)
    bom = _kernel.find_bom(raw[:BOM_MOST])[0]
    wide = bom if bom in WIDE else "" if bom else wide_encoding(first)
    if wrong_mark(bom, raw[:HEAD], first):
        wide = ""
    shifting = not wide and (first.escape or first.tilde_brace or escapes.plus(raw)) and escapes.find(raw)
    if not wide and not shifting and not bom:
        wide = wide_by_script(raw[:HEAD], first)
    transcoded = wide or shifting or ""
    if wide:
        raw = _kernel.wide_to_utf8(raw, WIDE.index(wide))
    elif shifting:
        raw = escapes.decode(raw, shifting)
    kind = sniff(page, raw[:HEAD], 0.0 if transcoded else first.controls / max(first.head, 1))
    if kind.syntax is Syntax.NONE:
        return Markup(page, b"", kind.syntax, _kernel.scan(b"", Syntax.TEXT, False, True), bom, transcoded, kind.reason)
    return Markup(page, raw, kind.syntax, _kernel.scan(raw, kind.syntax, False, True), bom, transcoded)


def read_text(page: Page) -> Markup:
    """Take a page for text in UTF-8 that was decoded by the caller: nothing in it is markup, an escape or a format."""
    return Markup(page, page.raw, Syntax.TEXT, _kernel.scan(page.raw, Syntax.TEXT, False, True))


def hold_references(markup: Markup) -> Any:
    """The page scanned with its character references held back: its text is bytes of one encoding, whichever that is."""
    return _kernel.scan(markup.source, markup.syntax, False, False)


def read_as(markup: Markup, encoding: str, held: Any = None) -> Markup:
    """Scan again in an encoding that is not valid UTF-8; ``held`` is the page with its references held back."""
    if encoding in NOT_SCANNED:
        source = decode(markup.source, encoding).encode("utf-8", "replace")
        return replace(
            markup, source=source, scan=_kernel.scan(source, markup.syntax, False, True), transcoded=encoding
        )
    return replace(markup, scan=decode_scan(markup.source, markup.syntax, encoding, held), read_as=encoding)


def repaired(markup: Markup) -> Markup:
    """The page with text put right that was read in a wrong encoding before it came here; blocks stay as they are."""
    rewrite = _kernel.Rewrite(markup.scan)
    for start in range(0, rewrite.raw_size, CHUNK):  # a cut may leave one sequence as it is
        rewrite.append(repair(rewrite.raw(start, start + CHUNK).decode("utf-8", "ignore")).encode())
    return replace(markup, scan=rewrite.finish())
