"""The whole source of a page as text, and an encoding detector's answer: what callers ask of this stage alone."""

from __future__ import annotations

from webtongue import _kernel, fonts, markup
from webtongue.coding.decode import decide, drawn, font_of
from webtongue.encodings.codecs import decode as decode_bytes
from webtongue.encodings.decoding import ASCII, VALID, Decoded, Decoding
from webtongue.encodings.repair import repair
from webtongue.markup import Syntax
from webtongue.page import Page
from webtongue.text import TextReader

__all__ = ["decode_source", "detect_source"]

BOM = "\ufeff"
FIRST = 256  # bytes of a text that detect_source() takes the language of


def decode_source(page: Page, reader: TextReader) -> Decoded:
    """The whole source of a page as text, markup and all.

    Each step lets go of what the one before it held: a page, its text and one more of either is all that is there at a time.
    """
    scanned = markup.read(page)
    if scanned.syntax is Syntax.NONE:
        return Decoded("", "", 0.0)
    decoding = decide(scanned, reader)[0]
    if found := font_of(scanned, decoding, reader):
        decoding, source = found.decoding(scanned), scanned.source
        del scanned
        text = "".join(fonts.convert_source(source, found.font.font.name, found.over or "utf-8"))
        return Decoded(text, decoding.encoding, decoding.confidence)
    if scanned.transcoded:
        source = scanned.source
        del scanned
        return Decoded(source.decode("utf-8", "replace").removeprefix(BOM), decoding.encoding, decoding.confidence)
    misread = decoding.encoding == "utf-8" and _kernel.looks_misread(scanned.scan)
    del scanned
    text = decode_bytes(page.raw, decoding.encoding).removeprefix(BOM)
    return Decoded(text, decoding.encoding, decoding.confidence, repair(text) if misread else "")


def detect_source(page: Page, flow: _kernel.Flow, reader: TextReader) -> tuple[Decoding, str]:
    """The encoding of a page and the label of some of its text, by the shortest way.

    Of a page whose bytes are UTF-8 only the beginning is read: a font that begins to draw after a thousand bytes of ordinary
    text is left to :func:`decode_source`.
    """
    _, multibyte, label = flow.read_beginning(page.raw)
    if label is not None:
        return VALID if multibyte else ASCII, label
    scanned = markup.read(page)
    if scanned.syntax is Syntax.NONE:
        return Decoding("", 0.0, ""), "zxx"
    decoding, held = decide(scanned, reader)
    if found := drawn(scanned, decoding, reader):
        return found[1], reader.kernel.classify(found[0].scan.slice(0, FIRST).decode("utf-8", "ignore"))
    some = (held or scanned.scan).slice(0, FIRST)
    return decoding, reader.kernel.classify(
        decode_bytes(some, decoding.encoding) if held else some.decode("utf-8", "ignore")
    )
