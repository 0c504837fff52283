"""The stage in one place: which encoding a scanned page is in, and its text in UTF-8.

The order: what had to be transcoded before scanning (UTF-16, UTF-32, escapes), valid UTF-8, damaged UTF-8; then the bytes
themselves say which of the old encodings they are in. Text that only a font makes readable is converted here too.
"""

from __future__ import annotations

from dataclasses import replace

from webtongue import _kernel, fonts
from webtongue.coding.arbitrate import DOUBT, arbitrate
from webtongue.coding.detect import FALLBACK, choose, detect
from webtongue.coding.neighbours import among_neighbours
from webtongue.encodings.codecs import decode as decode_bytes
from webtongue.encodings.codecs import single_byte_table
from webtongue.encodings.decoding import ASCII, VALID, Decoding
from webtongue.hints.country import language_of
from webtongue.hints.declared import DeclaredEncoding, declared_encoding
from webtongue.markup import Markup, Syntax
from webtongue.markup.rescan import hold_references, read_as
from webtongue.text import TextReader

__all__ = ["decide", "decode", "drawn", "font_of", "guess"]

NO_FONT = 0.9  # chance of an old encoding from which on a text that may be a font's is read in it too
SAMPLE = 600  # bytes of a text that are read to tell a font's from an old encoding's


def decode(scanned: Markup, reader: TextReader | None = None) -> tuple[Markup, Decoding]:
    """The page with its text in UTF-8. Only a page that is not valid UTF-8 pays for what this stage can do; it is scanned again,
    and its first scan is used up.

    Without a reader the bytes alone decide. With one, text that looks like a font's is converted if it reads like a language
    then, and where bytes leave doubt the encoding is the one that reads like a language.
    """
    decoding, held = decide(scanned, reader)
    again = held is not None
    if reader is not None and fonts.suspects(scanned):
        held = None  # a huge page is not held three times
        if found := drawn(scanned, decoding, reader):
            return found
    if not again:
        return scanned, decoding
    if single_byte_table(decoding.encoding) is not None:
        held = None  # read by its table while it is scanned once more
    scanned.scan.release()
    return read_as(scanned, decoding.encoding, held), decoding


def decide(scanned: Markup, reader: TextReader | None) -> tuple[Decoding, _kernel.Scan | None]:
    """The encoding, and the page with its references held back where it has to be scanned again.

    Where the text has no byte beyond ASCII, what is not shown speaks: attributes, comments, scripts.
    """
    if scanned.syntax is Syntax.NONE:
        return Decoding("", 0.0, ""), None
    if scanned.transcoded:
        return Decoding(scanned.transcoded, 1.0, "bytes"), None
    errors, multibyte = scanned.scan.check_utf8()
    if not errors and not multibyte and not (source := unmarked(scanned.source)).isascii():
        return _decide_by_source(source, scanned, reader), None
    if not errors:
        return VALID if multibyte else ASCII, None
    held = hold_references(scanned)
    claimed = declared_encoding(scanned)
    return choose(errors, multibyte, claimed.best) or guess(held, scanned, claimed, reader), held


def unmarked(source: bytes) -> bytes:
    """A page without a byte order mark of UTF-16, which is a lie where a page is read as bytes."""
    return source[2:] if source.startswith((b"\xff\xfe", b"\xfe\xff")) else source


def _decide_by_source(source: bytes, scanned: Markup, reader: TextReader | None) -> Decoding:
    """The encoding of a page whose text is ASCII, by the rest of it."""
    claimed = declared_encoding(scanned)
    found = choose(*_kernel.check_utf8(source), claimed.best)
    found = found or guess(source, scanned, claimed, reader)
    return replace(found, how=f"{found.how}, outside the text")


def drawn(scanned: Markup, decoding: Decoding, reader: TextReader) -> tuple[Markup, Decoding] | None:
    """The page as a font draws it, if one does."""
    found = font_of(scanned, decoding, reader)
    return (fonts.convert_page(scanned, found), found.decoding(scanned)) if found else None


def font_of(scanned: Markup, decoding: Decoding, reader: TextReader) -> fonts.Drawn | None:
    """The font of a page; bytes that surely read like a language in an old encoding are not a font's."""
    if scanned.syntax is Syntax.NONE or not (found := fonts.drawn_by(scanned, reader)):
        return None
    if scanned.transcoded or decoding.encoding in ("utf-8", FALLBACK) or decoding.confidence < NO_FONT:
        return found
    sample = hold_references(scanned).slice(0, SAMPLE)
    return None if reader.read_text(decode_bytes(sample, decoding.encoding)).reliable else found


def guess(
    text: bytes | _kernel.Scan, scanned: Markup, claimed: DeclaredEncoding, reader: TextReader | None
) -> Decoding:
    """An old encoding by its bytes and, where these leave doubt, by what reads like a language."""
    url = scanned.page.url
    said = (claimed.whatwg, claimed.late, claimed.paper)
    language = language_of(url) if url else ""
    found = among_neighbours(detect(text, said, language), text)
    if reader is None or found.confidence >= DOUBT:
        return found
    if not language and (language := _language_beside(text, scanned, reader)):
        found = among_neighbours(detect(text, said, language), text)
    return arbitrate(found, text, reader.read_text)


def _language_beside(text: bytes | _kernel.Scan, scanned: Markup, reader: TextReader) -> str:
    """The language that a page's text is in by all that is not raw bytes, where letters are written as references."""
    if not isinstance(text, bytes) and not text.references:
        return ""
    reading = reader.read_text(scanned.scan.slice(0, SAMPLE).decode("utf-8", "ignore"))
    label, _, _, reliable, *_ = reader.kernel.answer(reading)
    return label[:3] if reliable else ""
