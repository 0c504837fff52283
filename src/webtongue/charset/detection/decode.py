"""Detect the encoding of a scanned page and return its text in UTF-8.

The order: what was transcoded before the scan (UTF-16, UTF-32, stateful encodings), valid UTF-8, damaged UTF-8, and then legacy
encodings by their bytes. Text for a legacy font is converted here too.
"""

from __future__ import annotations

from webtongue import _kernel, fonts
from webtongue.charset.codecs import decode as decode_bytes
from webtongue.charset.codecs import single_byte_table
from webtongue.charset.decoding import ASCII, VALID_UTF8, Decoding
from webtongue.charset.detection.detect import FALLBACK, decide_utf8, detect_legacy, discount_random_bytes
from webtongue.charset.detection.reference_letters import rescore_by_references
from webtongue.charset.detection.rerank import RERANK_BELOW, rerank
from webtongue.charset.detection.stray_bytes import decode_around_strays, has_strays
from webtongue.charset.mixed import split_utf8
from webtongue.markup import Markup, Syntax
from webtongue.markup.declarations import DeclaredEncoding, declared_encoding
from webtongue.markup.rescan import hold_references, read_as
from webtongue.records import replace
from webtongue.reference.countries import tld_language
from webtongue.text import TextReader

__all__ = ["convert_font", "decode_page", "detect_encoding", "detect_font", "guess_legacy"]

MIXED_SAMPLE_BYTES = 1 << 18  # bytes of a text that are searched for parts in UTF-8
# Minimal ill-formed sequences beside parts in UTF-8; fewer are damage. The first is for pages that declare a legacy encoding.
MIN_ERRORS_IF_DECLARED, MIN_ERRORS = 3, 5
MIN_RUNNING_WORDS = 3  # words in a row from which bytes are text of an encoding
SURE_ENCODING = 0.9  # probability of a legacy encoding from which it is considered beside a font or UTF-8
SAMPLE_BYTES = 600  # bytes of a text that the language model reads


def decode_page(scanned: Markup, reader: TextReader | None = None) -> tuple[Markup, Decoding]:
    """Return the page with its text in UTF-8.

    A page that is not UTF-8 is scanned again, and its first scan is released. Without a reader, only the bytes decide. With one,
    text that looks like a legacy font's is converted if the result reads like a language, and among encodings that are
    similarly likely the one is chosen that reads like a language.
    """
    decoding, held = detect_encoding(scanned, reader)
    needs_rescan = held is not None
    if reader is not None and fonts.may_have_font(scanned):
        held = None  # saves memory on huge pages
        if converted := convert_font(scanned, decoding, reader):
            return converted
    if not needs_rescan:
        return scanned, decoding
    is_mixed = bool(decoding.legacy)
    encoding = decoding.legacy or decoding.encoding
    if single_byte_table(encoding) is not None and not is_mixed:
        held = None  # the second scan decodes by the table
    around_strays = decode_around_strays if held is not None and not is_mixed and has_strays(held, encoding) else None
    scanned.scan.release()
    return read_as(scanned, encoding, held, mixed=is_mixed, decoder=around_strays), decoding


def detect_encoding(scanned: Markup, reader: TextReader | None) -> tuple[Decoding, _kernel.Scan | None]:
    """Return the encoding, and the page with its references held back if it has to be scanned again.

    If the text is ASCII, the rest of the page decides: attributes, comments, scripts.
    """
    if scanned.syntax is Syntax.NONE:
        return Decoding("", 0.0, ""), None
    if scanned.transcoded:
        return Decoding(scanned.transcoded, 1.0, "bytes"), None
    errors, multibyte = scanned.scan.check_utf8()
    if not errors and not multibyte and not (source := _without_utf16_bom(scanned.source)).isascii():
        return _detect_by_source(source, scanned, reader), None
    if not errors:
        return VALID_UTF8 if multibyte else ASCII, None
    held = hold_references(scanned)
    declared = declared_encoding(scanned)
    decoding = _detect_mixed(held, scanned, declared, reader) or decide_utf8(errors, multibyte, declared.best)
    return decoding or _mark_mixed(guess_legacy(held, scanned, declared, reader), held), held


def _detect_mixed(
    held: _kernel.Scan, scanned: Markup, declared: DeclaredEncoding, reader: TextReader | None
) -> Decoding | None:
    """Return the decoding of a page with parts in UTF-8 and parts in a legacy encoding, or None if it has only one of them.

    In damaged UTF-8, the errors stand between sequences that outweigh them.
    """
    raw = held.slice(0, MIXED_SAMPLE_BYTES)
    declared_legacy = "" if declared.best == "utf-8" else declared.best
    parts = split_utf8(raw, declared_legacy)
    errors = _kernel.check_utf8(parts.legacy_bytes)[0]
    if not parts.utf8_spans or errors < (MIN_ERRORS_IF_DECLARED if declared_legacy else MIN_ERRORS):
        return None
    decoding = guess_legacy(parts.legacy_bytes, scanned, declared, reader)
    legacy = decoding.encoding
    if legacy != declared_legacy:
        parts = split_utf8(raw, legacy)
        if not parts.utf8_spans or decoding.confidence < SURE_ENCODING:
            return None
        if not _is_text(parts.legacy_bytes, legacy, reader):
            return None
    if legacy == declared_legacy or errors >= parts.utf8_characters:
        return _mark_mixed(decoding, held)
    return Decoding("utf-8", decoding.confidence, f"valid UTF-8 but for parts in {legacy}", legacy=legacy)


def _is_text(raw: bytes, encoding: str, reader: TextReader | None) -> bool:
    """Return True if bytes read like a language in an encoding, or if there is no reader."""
    if reader is None:
        return True
    reading = reader.read_text(decode_bytes(raw[:SAMPLE_BYTES], encoding))
    return reading.label >= 0 and reading.running_words >= MIN_RUNNING_WORDS


def _mark_mixed(decoding: Decoding, held: _kernel.Scan) -> Decoding:
    """Return the decoding of a page in a legacy encoding, marked if parts of the page are UTF-8."""
    if not split_utf8(held.slice(0, MIXED_SAMPLE_BYTES), decoding.encoding).utf8_spans:
        return decoding
    return replace(decoding, reason=f"{decoding.reason}; parts of it are UTF-8", legacy=decoding.encoding)


def _without_utf16_bom(source: bytes) -> bytes:
    """Return a page without a byte order mark of UTF-16, which is wrong on a page that is not in UTF-16."""
    return source[2:] if source.startswith((b"\xff\xfe", b"\xfe\xff")) else source


def _detect_by_source(source: bytes, scanned: Markup, reader: TextReader | None) -> Decoding:
    """Return the encoding of a page whose text is ASCII, by the rest of it."""
    declared = declared_encoding(scanned)
    decoding = decide_utf8(*_kernel.check_utf8(source), declared.best)
    decoding = decoding or guess_legacy(source, scanned, declared, reader)
    return replace(decoding, reason=f"{decoding.reason}, outside the text")


def convert_font(scanned: Markup, decoding: Decoding, reader: TextReader) -> tuple[Markup, Decoding] | None:
    """Return the page converted from its legacy font to Unicode, or None if its text is in no such font."""
    match = detect_font(scanned, decoding, reader)
    return fonts.convert_page(scanned, match) if match else None


def detect_font(scanned: Markup, decoding: Decoding, reader: TextReader) -> fonts.FontMatch | None:
    """Return the legacy font of a page; None if its bytes clearly read like a language in a legacy encoding."""
    if scanned.syntax is Syntax.NONE or not (match := fonts.detect_page_font(scanned, reader)):
        return None
    if scanned.transcoded or decoding.encoding in ("utf-8", FALLBACK) or decoding.confidence < SURE_ENCODING:
        return match
    sample = hold_references(scanned).slice(0, SAMPLE_BYTES)
    return None if reader.read_text(decode_bytes(sample, decoding.encoding)).reliable else match


def guess_legacy(
    text: bytes | _kernel.Scan, scanned: Markup, declared: DeclaredEncoding, reader: TextReader | None
) -> Decoding:
    """Return the legacy encoding by the bytes and, if these leave doubt, by what reads like a language; less likely if random."""
    names = (declared.whatwg, declared.late, declared.paper)
    language = tld_language(scanned.page.url) if scanned.page.url else ""
    return discount_random_bytes(_guess_legacy(text, scanned, names, language, reader), text, names, language)


def _guess_legacy(
    text: bytes | _kernel.Scan, scanned: Markup, names: tuple[str, ...], language: str, reader: TextReader | None
) -> Decoding:
    """Return the legacy encoding; ``names`` are declared ones, ``language`` is that of the country in the URL."""
    decoding = rescore_by_references(detect_legacy(text, names, language), text)
    if reader is None or decoding.confidence >= RERANK_BELOW:
        return decoding
    if not language and (language := _language_of_references(text, scanned, reader)):
        decoding = rescore_by_references(detect_legacy(text, names, language), text)
    return rerank(decoding, text, reader)


def _language_of_references(text: bytes | _kernel.Scan, scanned: Markup, reader: TextReader) -> str:
    """Return the language of a page's text without its raw bytes if letters are written as references."""
    if not isinstance(text, bytes) and not text.references:
        return ""
    reading = reader.read_text(scanned.scan.slice(0, SAMPLE_BYTES).decode("utf-8", "ignore"))
    label, _, _, reliable, *_ = reader.kernel.answer(reading)
    return label[:3] if reliable else ""
