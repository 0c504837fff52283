"""Text that is a language only through a font: valid characters of one script that a font shows as another.

The stage after coding: where a few hundred characters look like a font's, the font is found and the text converted, block by
block; everything after it reads Unicode.

>>> from webtongue.identifier import Identifier
>>> convert_text("Hkkjr esa cgqr lh Hkk\\"kk,¡ cksyh tkrh gSaA", Identifier().reader)
('भारत में बहुत सी भाषाएँ बोली जाती हैं।', 'x-font-krutidev')
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from webtongue.encodings.decoding import Decoding
from webtongue.fonts.convert import convert_line, convert_lines, convert_scan, convert_source
from webtongue.fonts.guess import SAMPLE, Found, find, load
from webtongue.hints.declared import declared_language
from webtongue.markup import Markup, Syntax
from webtongue.markup.rescan import read_as
from webtongue.text import TextReader

__all__ = [
    "Drawn",
    "convert_line",
    "convert_page",
    "convert_source",
    "convert_text",
    "drawn_by",
    "load",
    "read",
    "suspects",
]

HEAD = 1 << 18  # bytes of a page that are looked at: its fonts' names, and text that is not UTF-8
OVER = "windows-1252"  # what the bytes of a font are, where they are not UTF-8


@dataclass(frozen=True, slots=True)
class Drawn:
    """The font that drew a page, and the encoding of its bytes where they are not UTF-8."""

    font: Found
    over: str

    def decoding(self, scanned: Markup) -> Decoding:
        """The font as an encoding."""
        how = f"drawn by a font over {scanned.transcoded or self.over or 'utf-8'}, converted"
        found = self.font
        return Decoding(found.font.encoding, found.confidence, f"named by the page; {how}" if found.hinted else how)


def suspects(scanned: Markup) -> bool:
    """Whether a page's text may be drawn by a font: cheap, and right more often than not."""
    return scanned.syntax is not Syntax.NONE and load().suspects_scan(scanned.scan)


def read(scanned: Markup, reader: TextReader) -> tuple[Markup, Decoding] | None:
    """The page with the text of its font converted, and the font as its encoding; None where no font drew it.

    The scan of a page that is converted is used up.
    """
    found = drawn_by(scanned, reader)
    return (convert_page(scanned, found), found.decoding(scanned)) if found else None


def drawn_by(scanned: Markup, reader: TextReader) -> Drawn | None:
    """The font of a page, None where no font drew it."""
    if not suspects(scanned):
        return None
    raw = not scanned.transcoded and scanned.scan.check_utf8()[0] > 0
    looked_at = read_as(replace(scanned, source=scanned.source[:HEAD]), OVER) if raw else scanned
    said = declared_language(scanned.claims)
    label = said.labels[0] if said and said.labels else ""
    found = find(looked_at.scan.slice(0, SAMPLE), reader, scanned.source[:HEAD], label)
    return Drawn(found, OVER if raw else "") if found else None


def convert_page(scanned: Markup, drawn: Drawn) -> Markup:
    """The page with the text of its font converted; its scan is used up, since two of a huge page would be too much memory."""
    font = drawn.font.font
    if drawn.over:
        scanned.scan.release()
        scanned = read_as(scanned, drawn.over)
    converted = convert_scan(scanned.scan, font)
    return replace(scanned, scan=converted, font=font.name, convert=partial(convert_line, font=font.name))


def convert_text(text: str, reader: TextReader) -> tuple[str, str]:
    """A text and "", or the text converted and its font as an encoding."""
    if not load().suspects_text(text):
        return text, ""
    raw = text.encode("utf-8", "replace")
    found = find(raw, reader)
    if found is None:
        return text, ""
    return b"\n".join(convert_lines(raw, found.font)).decode(), found.font.encoding
