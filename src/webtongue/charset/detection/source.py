"""Decode the whole source of a page, and detect its encoding alone: what callers need of this stage without the others."""

from __future__ import annotations

from webtongue import _kernel, fonts, markup
from webtongue.charset.codecs import decode as decode_bytes
from webtongue.charset.decoding import ASCII, VALID_UTF8, Decoded, Decoding
from webtongue.charset.detection.decode import convert_font, detect_encoding, detect_font
from webtongue.charset.detection.mojibake import find_repair, may_be_mojibake
from webtongue.charset.detection.stray_bytes import decode_around_strays, has_strays
from webtongue.charset.mixed import decode as decode_mixed
from webtongue.markup import Syntax
from webtongue.page import Page
from webtongue.text import TextReader

__all__ = ["decode_source", "detect_source"]

BOM = "\ufeff"
MOJIBAKE_SAMPLE_BYTES = 1 << 12
LANGUAGE_SAMPLE_BYTES = 256  # bytes of a text that detect_source() classifies


def decode_source(page: Page, reader: TextReader) -> Decoded:
    """Return the whole source of a page as text, with its markup.

    Each step frees the memory of the one before it, so that at most the page, its text and a copy of either exist at a time.
    """
    scanned = markup.read(page)
    if scanned.syntax is Syntax.NONE:
        return Decoded("", "", 0.0)
    decoding = detect_encoding(scanned, reader)[0]
    if match := detect_font(scanned, decoding, reader):
        decoding, source = fonts.font_decoding(match, scanned), scanned.source
        del scanned
        text = "".join(fonts.convert_source(source, match.font.name, match.byte_encoding or "utf-8"))
        return Decoded(text, decoding.encoding, decoding.confidence)
    if scanned.transcoded:
        source = scanned.source
        del scanned
        return Decoded(source.decode("utf-8", "replace").removeprefix(BOM), decoding.encoding, decoding.confidence)
    sample = scanned.scan.slice(0, MOJIBAKE_SAMPLE_BYTES).decode("utf-8", "ignore")
    is_utf8 = decoding.encoding == "utf-8" and not decoding.legacy and not sample.isascii()
    repair = find_repair(sample, reader) if is_utf8 and may_be_mojibake(reader.read_text(sample)) else None
    source = scanned.source
    del scanned
    text = _decode(source, decoding).removeprefix(BOM)
    return Decoded(text, decoding.encoding, decoding.confidence, repair(text) if repair else "")


def detect_source(page: Page, flow: _kernel.Flow, reader: TextReader) -> tuple[Decoding, str]:
    """Return the encoding of a page and the label of some of its text, at the least cost.

    Only the beginning of a page in UTF-8 is read: text for a legacy font after a thousand bytes of ordinary text is left to
    :func:`decode_source`.
    """
    _, multibyte, label = flow.read_beginning(page.raw)
    if label is not None:
        return VALID_UTF8 if multibyte else ASCII, label
    scanned = markup.read(page)
    if scanned.syntax is Syntax.NONE:
        return Decoding("", 0.0, ""), "zxx"
    decoding, held = detect_encoding(scanned, reader)
    if converted := convert_font(scanned, decoding, reader):
        sample = converted[0].scan.slice(0, LANGUAGE_SAMPLE_BYTES)
        return converted[1], reader.kernel.classify(sample.decode("utf-8", "ignore"))
    sample = (held or scanned.scan).slice(0, LANGUAGE_SAMPLE_BYTES)
    return decoding, reader.kernel.classify(_decode(sample, decoding) if held else sample.decode("utf-8", "ignore"))


def _decode(raw: bytes, decoding: Decoding) -> str:
    if decoding.legacy:
        return decode_mixed(raw, decoding.legacy)
    return (decode_around_strays if has_strays(raw, decoding.encoding) else decode_bytes)(raw, decoding.encoding)
