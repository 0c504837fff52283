"""A scanned page: blocks of text, declarations and links, packed in the kernel.

>>> page = Page("<title>Olá</title><p lang=pt>Bom <b>dia</b>!<p>x &lt; y".encode(), url="https://example.pt/")
>>> m = read(page)
>>> [(b.kind, b.lang, b.text) for b in m.blocks]
[('title', '', 'Olá'), ('paragraph', 'pt', 'Bom dia!'), ('paragraph', '', 'x < y')]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from webtongue import _kernel
from webtongue.charset.codecs import decode, single_byte_table
from webtongue.markup.alternates import Alternate, find_alternates
from webtongue.markup.blocks import Block, iter_blocks
from webtongue.markup.links import Link, iter_links
from webtongue.markup.read_declarations import Declaration, header_declarations, page_declarations
from webtongue.markup.sniff import (
    Sniffed,
    Syntax,
    blank_wrong_bom,
    detect_transcoding,
    has_many_controls,
    sniff,
    transcode,
)
from webtongue.page import Page
from webtongue.records import dataclass, replace
from webtongue.verdict import Reason

__all__ = ["Decoder", "Markup", "read", "read_text"]

Decoder = Callable[[bytes, str], str]  # decodes bytes in an encoding


@dataclass(frozen=True, slots=True)
class Markup:
    """A scanned page. Blocks, declarations and links become objects on demand.

    ``source`` is the scanned text: the page itself or, if ``transcoded`` names an encoding that cannot be scanned as bytes (UTF-16,
    UTF-32, stateful encodings, johab), the page in UTF-8; offsets are into ``source``. ``reason`` and ``why`` tell why a page
    without text has none. ``read_as`` is the encoding of a second scan, ``decoder`` decodes it if parts of it are UTF-8 or damaged,
    ``font`` is the legacy font of the text, and ``convert`` converts a line from that font or repairs its mojibake.
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
    decoder: Decoder | None = None
    font: str = ""
    convert: Callable[[str], str] | None = None

    @property
    def text(self) -> str:
        """The visible text, one line per block."""
        return str(self.scan.slice(0, self.scan.visible_size), "utf-8", "replace")

    @property
    def blocks(self) -> list[Block]:
        """All blocks of text, in order; text of ``alt`` and ``<meta>`` comes last."""
        return list(self.iter_blocks())

    def iter_blocks(self) -> Iterator[Block]:
        """Yield the blocks one by one; a huge page may have millions."""
        return iter_blocks(self.source, self.scan, self.page.raw, self.transcoded)

    @property
    def declarations(self) -> tuple[Declaration, ...]:
        """The declarations of server and page, the server's first."""
        headers = self.page.header("content-type") or "", self.page.header("content-language") or ""
        return (*header_declarations(*headers), *page_declarations(self.source, self.scan, self.bom))

    @property
    def links(self) -> list[Link]:
        """All ``<a>`` and ``<area>`` with a target, resolved against ``<base>`` and the page's URL."""
        return list(self.iter_links())

    def iter_links(self) -> Iterator[Link]:
        """Yield the links one by one; a huge page may have millions."""
        declarations = page_declarations(self.source, self.scan, self.bom)
        base = next((d.value for d in declarations if d.kind == "base"), "")
        source, scan, encoding = self._scan_with_anchors()
        for link in iter_links(source, scan, self.page.url or "", base, encoding):
            yield link if self.convert is None else replace(link, text=self.convert(link.text))

    def outlinks(self, host: bytes) -> list[tuple[str, str, str]]:
        """Return URL, anchor and hreflang of links to other hosts than ``host`` or with a language (native/markup/outlinks.hpp)."""
        if not self.scan.link_count:
            return []
        if self._is_multibyte:  # URLs and anchors are in the same encoding, so the page is decoded before the scan
            source, scan = self._decode(decode)
        else:
            source, scan, _ = self._scan_with_anchors()
        links = _kernel.outlinks(scan, source, host)
        convert = self.convert
        return links if convert is None else [(url, convert(anchor), tag) for url, anchor, tag in links]

    @property
    def _is_multibyte(self) -> bool:
        return bool(self.read_as) and self.decoder is None and single_byte_table(self.read_as) is None

    def _decode(self, decoder: Decoder) -> tuple[bytes, _kernel.Scan]:
        """Return the whole page in UTF-8, and a scan of it."""
        source = decoder(self.source, self.read_as).encode("utf-8", "replace")
        return source, _kernel.scan(source, self.syntax, False, True)

    def _scan_with_anchors(self) -> tuple[bytes, _kernel.Scan, str]:
        """Return the source, a scan with valid offsets of anchor texts, and the encoding of its text.

        Offsets of links are invalid after the text has been rewritten.
        """
        if self.decoder is not None:
            return *self._decode(self.decoder), "utf-8"
        if self._is_multibyte:
            return self.source, _kernel.scan(self.source, self.syntax, False, False), self.read_as
        if self.convert is not None:
            table = single_byte_table(self.read_as or "utf-8")
            return self.source, _kernel.scan(self.source, self.syntax, False, True, table), "utf-8"
        return self.source, self.scan, "utf-8"

    @property
    def alternates(self) -> list[Alternate]:
        """The versions of the page in other languages, and the page itself among them."""
        return find_alternates(self.declarations, self.page.url or "")


def read(page: Page) -> Markup:
    """Scan a page once, with references as UTF-8. Encoding detection scans pages in other encodings again."""
    encoding, bom = detect_transcoding(page.raw)
    source = transcode(page.raw, encoding) if encoding else blank_wrong_bom(page.raw, bom)
    sniffed = sniff(page, source, not encoding and has_many_controls(page.raw))
    if sniffed.syntax is Syntax.NONE:
        return without_text(page, sniffed, bom, encoding)
    return Markup(page, source, sniffed.syntax, _kernel.scan(source, sniffed.syntax, False, True), bom, encoding)


def without_text(page: Page, sniffed: Sniffed, bom: str = "", encoding: str = "") -> Markup:
    """Return the Markup of a page without text."""
    empty = _kernel.scan(b"", Syntax.TEXT, False, True)
    return Markup(page, b"", Syntax.NONE, empty, bom, encoding, sniffed.reason, sniffed.why)


def read_text(page: Page) -> Markup:
    """Scan a page of plain text that the caller has decoded to UTF-8, without markup, escapes and formats."""
    return Markup(page, page.raw, Syntax.TEXT, _kernel.scan(page.raw, Syntax.TEXT, False, True))
