"""Convert text for legacy fonts, whose characters of one script show the glyphs of another, to Unicode.

The stage runs after encoding detection. If a few hundred characters look like those of a font, the font is detected and the text
converted block by block, so that all later stages read Unicode.

>>> from webtongue.identifier import Identifier
>>> text, decoding = convert_text("Hkkjr esa cgqr lh Hkk\\"kk,¡ cksyh tkrh gSaA", Identifier().reader)
>>> text, decoding.encoding
('भारत में बहुत सी भाषाएँ बोली जाती हैं।', 'x-font-krutidev')
"""

from __future__ import annotations

from functools import partial

from webtongue.charset.decoding import DECODED_BY_CALLER, Decoding
from webtongue.fonts.convert import convert_line, convert_lines, convert_scan, convert_source
from webtongue.fonts.detect import SAMPLE_BYTES, FontMatch, detect_font, load
from webtongue.markup import Markup, Syntax
from webtongue.markup.declarations import declared_language
from webtongue.markup.rescan import read_as
from webtongue.records import replace
from webtongue.text import TextReader

__all__ = [
    "FontMatch",
    "convert_line",
    "convert_page",
    "convert_source",
    "convert_text",
    "detect_page_font",
    "font_decoding",
    "load",
    "may_have_font",
]

HEAD_BYTES = 1 << 18  # bytes of a page that are searched for font names and for text that is not UTF-8
BYTE_ENCODING = "windows-1252"  # encoding of the bytes of a font if they are not UTF-8


def may_have_font(scanned: Markup) -> bool:
    """Return True if the text of a page may be for a legacy font, by a quick check."""
    return scanned.syntax is not Syntax.NONE and load().may_have_font_scan(scanned.scan)


def detect_page_font(scanned: Markup, reader: TextReader) -> FontMatch | None:
    """Return the legacy font of a page, or None."""
    if not may_have_font(scanned):
        return None
    is_bytes = not scanned.transcoded and scanned.scan.check_utf8()[0] > 0
    sampled = scanned
    if is_bytes:
        sampled = read_as(replace(scanned, source=scanned.source[:HEAD_BYTES]), BYTE_ENCODING)
    declared = declared_language(scanned.declarations)
    label = declared.labels[0] if declared and declared.labels else ""
    match = detect_font(sampled.scan.slice(0, SAMPLE_BYTES), reader, scanned.source[:HEAD_BYTES], label)
    return replace(match, byte_encoding=BYTE_ENCODING) if match and is_bytes else match


def font_decoding(match: FontMatch, scanned: Markup | None = None) -> Decoding:
    """Return a font as the encoding of a page, or of a text without a page."""
    over = f" over {scanned.transcoded or match.byte_encoding or 'utf-8'}" if scanned else ""
    reason = f"{'named by the page; ' if match.is_named else ''}text for a legacy font{over}, converted"
    return Decoding(match.font.encoding, match.confidence, reason, text_confidence=match.confidence)


def convert_page(scanned: Markup, match: FontMatch) -> tuple[Markup, Decoding]:
    """Return the page with its text converted, and its decoding; its scan is released, to save memory on huge pages."""
    font, decoding = match.font, font_decoding(match, scanned)
    if match.byte_encoding:
        scanned.scan.release()
        scanned = read_as(scanned, match.byte_encoding)
    converted = convert_scan(scanned.scan, font)
    return replace(scanned, scan=converted, font=font.name, convert=partial(convert_line, font=font.name)), decoding


def convert_text(text: str, reader: TextReader) -> tuple[str, Decoding]:
    """Return a text, converted if it is for a legacy font, and its decoding."""
    raw = text.encode("utf-8", "replace")
    match = detect_font(raw, reader) if load().may_have_font_text(text) else None
    if match is None:
        return text, DECODED_BY_CALLER
    return b"\n".join(convert_lines(raw, match.font)).decode(), font_decoding(match)
