"""A scanned page: blocks of text, claims and links, packed in the kernel.

>>> page = Page("<title>Olá</title><p lang=pt>Bom <b>dia</b>!<p>x &lt; y".encode(), url="https://example.pt/")
>>> m = read(page)
>>> [(b.kind, b.lang, b.text) for b in m.blocks]
[('title', '', 'Olá'), ('paragraph', 'pt', 'Bom dia!'), ('paragraph', '', 'x < y')]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from webtongue import _kernel
from webtongue.encodings.codecs import decode, single_byte_table
from webtongue.markup.alternates import Alternate, alternates_of
from webtongue.markup.blocks import Block, blocks_of
from webtongue.markup.claims import Claim, header_claims, page_claims
from webtongue.markup.links import Link, links_of
from webtongue.markup.sniff import Sniffed, Syntax, many_controls, sniff, transcoded, transcoding_of
from webtongue.page import Page
from webtongue.verdict import Reason

__all__ = ["Markup", "read", "read_text"]


@dataclass(frozen=True, slots=True)
class Markup:
    """A scanned page. Blocks, claims and links become objects when asked for.

    ``source`` is what was scanned: the page itself or, where ``transcoded`` names an encoding that cannot be scanned as
    bytes (UTF-16, UTF-32, those that shift by escapes, johab), the page in UTF-8; offsets are into ``source``.
    ``reason`` and ``why`` say why there is nothing to scan, where there is nothing. ``read_as`` is the encoding of bytes that were
    scanned again; ``font`` the font that drew the text; ``convert`` makes ordinary text of a line that was drawn by it or misread.
    """

    page: Page
    source: bytes
    syntax: Syntax
    scan: _kernel.Scan
    bom: str = ""
    transcoded: str = ""
    reason: Reason = Reason.NONE
    why: str = ""
    read_as: str = ""
    font: str = ""
    convert: Callable[[str], str] | None = None

    @property
    def text(self) -> str:
        """The visible text, a line a block."""
        return str(self.scan.slice(0, self.scan.visible_size), "utf-8", "replace")

    @property
    def blocks(self) -> list[Block]:
        """Every block of text, in order; text of ``alt`` and ``<meta>`` comes last."""
        return blocks_of(self.source, self.scan, self.page.raw, self.transcoded)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What server and page declare, the server first."""
        return (*header_claims(self.page), *page_claims(self.source, self.scan, self.bom))

    @property
    def links(self) -> list[Link]:
        """Every ``<a>`` and ``<area>`` with an address, resolved against ``<base>`` and the page's URL."""
        return list(self.each_link())

    def each_link(self) -> Iterator[Link]:
        """The same one by one: a huge page may have millions."""
        base = next((c.value for c in page_claims(self.source, self.scan, self.bom) if c.kind == "base"), "")
        scan, encoding = self._scan_with_anchors()
        for link in links_of(self.source, scan, self.page.url or "", base, encoding):
            yield link if self.convert is None else replace(link, text=self.convert(link.text))

    def outlinks(self, host: bytes) -> list[tuple[str, str, str]]:
        """Links to other hosts than ``host`` or with a language: address, anchor, hreflang (native/markup/outlinks.hpp)."""
        if not self.scan.link_count:
            return []
        if self._is_multibyte:  # addresses and anchors are decoded alike, so the page is, before it is scanned
            source = decode(self.source, self.read_as).encode("utf-8", "replace")
            found = _kernel.outlinks(_kernel.scan(source, self.syntax, False, True), source, host)
        else:
            found = _kernel.outlinks(self._scan_with_anchors()[0], self.source, host)
        convert = self.convert
        return found if convert is None else [(url, convert(anchor), tag) for url, anchor, tag in found]

    @property
    def _is_multibyte(self) -> bool:
        return bool(self.read_as) and single_byte_table(self.read_as) is None

    def _scan_with_anchors(self) -> tuple[_kernel.Scan, str]:
        """A scan whose links know where their anchor texts are, and the encoding of its text: rewritten text lies elsewhere."""
        if self._is_multibyte:
            return _kernel.scan(self.source, self.syntax, False, False), self.read_as
        if self.convert is not None:
            return _kernel.scan(
                self.source, self.syntax, False, True, single_byte_table(self.read_as or "utf-8")
            ), "utf-8"
        return self.scan, "utf-8"

    @property
    def alternates(self) -> list[Alternate]:
        """The page's versions in other languages, and which of them it is itself."""
        return alternates_of(self.claims, self.page.url or "")


def read(page: Page) -> Markup:
    """Scan a page once. References become UTF-8; a page in another encoding is scanned again by the coding stage."""
    encoding, bom = transcoding_of(page.raw)
    source = transcoded(page.raw, encoding) if encoding else page.raw
    kind = sniff(page, source, not encoding and many_controls(page.raw))
    if kind.syntax is Syntax.NONE:
        return nothing(page, kind, bom, encoding)
    return Markup(page, source, kind.syntax, _kernel.scan(source, kind.syntax, False, True), bom, encoding)


def nothing(page: Page, kind: Sniffed, bom: str = "", encoding: str = "") -> Markup:
    """A page that has no text to scan."""
    empty = _kernel.scan(b"", Syntax.TEXT, False, True)
    return Markup(page, b"", Syntax.NONE, empty, bom, encoding, kind.reason, kind.why)


def read_text(page: Page) -> Markup:
    """Take a page for text in UTF-8 that was decoded by the caller: nothing in it is markup, an escape or a format."""
    return Markup(page, page.raw, Syntax.TEXT, _kernel.scan(page.raw, Syntax.TEXT, False, True))
