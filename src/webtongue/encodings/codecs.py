"""Reading and writing text in encodings other than UTF-8: Python's codecs, and tables for the rest."""

from __future__ import annotations

import codecs
import re
import unicodedata
from array import array
from functools import cache, lru_cache

from webtongue.encodings import tables
from webtongue.encodings.arabic import plain, shaped
from webtongue.encodings.names import resolve

__all__ = ["by_table", "codec_of", "decode", "encode", "lost", "reading_table", "single_byte_table"]

REPLACEMENT = "\ufffd"
LONG = 4096  # bytes from which on a text by table is read in stretches: a regular expression is faster below
TWICE = ("mac-arabic", "mac-farsi")  # have ASCII's signs a second time, for text that runs to the left
ASCII_RUNS = re.compile(r"[\x00-\x7f]+|[^\x00-\x7f]+")
TONES = "\u0300\u0301\u0303\u0309\u0323"  # what windows-1258 writes after a vowel, as a byte of its own


def lost(sample: bytes, encoding: str) -> float:
    """Share of the bytes beyond ASCII that an encoding cannot read.

    >>> lost("ε".encode("cp1253"), "windows-1250"), lost("Ελλάδα.".encode("cp1253"), "shift_jis") > 0
    (0.0, True)
    """
    high = len(sample) - len(sample.decode("ascii", "ignore"))
    return decode(sample, encoding).count(REPLACEMENT) / max(high, 1)


def decode(raw: bytes, encoding: str) -> str:
    """A stretch of bytes as text; bytes that mean nothing become U+FFFD.

    >>> decode("Žluťoučký".encode("cp1250"), "windows-1250")
    'Žluťoučký'
    >>> decode(bytes.fromhex("56 69 AE 74"), "viscii")
    'Việt'
    """
    characters = _characters(encoding)
    if characters:
        return codecs.charmap_decode(raw, "replace", characters)[0]
    if encoding not in by_table():
        return raw.decode(codec_of(encoding), "replace")
    if len(raw) < LONG:
        return tables.load(encoding).decode(raw.decode("latin-1"))
    from webtongue.encodings import longest  # stands on NumPy, and few pages need it

    return "".join(longest.decode(raw, encoding))


def encode(text: str, encoding: str) -> bytes | None:
    """The text in an encoding, None if it cannot hold it.

    >>> encode("Việt", "viscii"), encode("Việt", "windows-1251")
    (b'Vi\\xaet', None)
    >>> encode("Việt", "windows-1258")
    b'Vi\\xea\\xf2t'
    """
    if mapping := _encoding_map(encoding):
        try:
            return codecs.charmap_encode(text, "strict", mapping)[0]
        except UnicodeEncodeError:
            return None
    if encoding in by_table():
        written = tables.load(encoding).encode(text)
        if written is None or any(ord(char) > 0xFF for char in written):
            return None
        raw = written.encode("latin-1")
        return raw if decode(raw, encoding) == text else None
    if encoding == "cp864":
        text = shaped(text, frozenset(map(chr, single_byte_table(encoding) or ())))
    if encoding == "windows-1258":
        text = "".join(_toned(char) for char in text)
    found = resolve(encoding)
    if found is None or found.codec is None:
        return None
    try:
        if encoding in TWICE:
            return b"".join(run.encode("ascii" if run.isascii() else found.codec) for run in ASCII_RUNS.findall(text))
        return text.encode(found.codec)
    except UnicodeEncodeError:
        return None


@cache
def single_byte_table(encoding: str) -> array[int] | None:
    """Code points of the bytes from 0x80 on, None if the encoding has more than one byte a character."""
    if encoding == "x-user-defined":
        return array("H", range(0xF780, 0xF800))
    if encoding in by_table():
        return _table_of(tables.load(encoding).units)
    codec = codec_of(encoding)
    if codec.startswith("utf") or len(bytes(range(0x80, 0x100)).decode(codec, "replace")) != 0x80:
        return None
    points = [ord(bytes([b]).decode(codec, "replace")[0]) for b in range(0x80, 0x100)]
    # The standard gives bytes that windows-125x leaves empty to the control codes of the same number.
    holes = [
        b if p == ord(REPLACEMENT) and codec.startswith("cp125") and b < 0xA0 else p for b, p in enumerate(points, 0x80)
    ]
    return array("H", holes)


@cache
def reading_table(encoding: str) -> array[int] | None:
    """The table by which a page is read for its language: Arabic letters whatever their forms."""
    table = single_byte_table(encoding)
    return None if table is None else array("H", [ord(plain(chr(point))[0]) for point in table])


def _table_of(units: dict[str, str]) -> array[int] | None:
    """The table of a coding by sequences, where every byte is a letter by itself and none below 0x80 is one."""
    if any(len(source) > 1 or ord(source) < 0x80 or len(target) > 1 for source, target in units.items()):
        return None
    return array("H", [ord(units.get(chr(b), REPLACEMENT)) for b in range(0x80, 0x100)])


@cache
def _characters(encoding: str) -> str | dict[int, str]:
    """What each byte stands for, in an encoding where each stands for something by itself; empty for others."""
    table = single_byte_table(encoding)
    if table is not None:
        return "".join(map(chr, (*range(0x80), *table)))
    if encoding not in by_table():
        return ""
    units = tables.load(encoding).units
    if any(len(source) > 1 for source in units):
        return ""
    plain = {code: chr(code) if code < 0x80 else REPLACEMENT for code in range(0x100)}
    return plain | {ord(source): target for source, target in units.items()}


@cache
def by_table() -> frozenset[str]:
    """Encodings that Python has no codec for: they are read by tables of ours."""
    return frozenset(tables.available())


@cache
def _encoding_map(encoding: str) -> dict[int, int]:
    """Bytes by code point, for codings by table that write every character with one byte; empty for others."""
    if encoding not in by_table():
        return {}
    table = tables.load(encoding)
    if any(len(source) > 1 or len(target) > 1 for source, target in table.units.items()):
        return {}
    plain = {code: code for code in range(0x80) if chr(code) not in table.units}
    return plain | {ord(target): ord(source) for target, source in table.writes.items()}


def _toned(char: str) -> str:
    """A letter as windows-1258 can write it: the tone apart unless letter and tone are one character there."""
    try:
        char.encode("cp1258")
        return char
    except UnicodeEncodeError:
        return tones_apart(char)


def tones_apart(char: str) -> str:
    """A letter of Vietnamese with its tone as a character of its own behind it.

    >>> [hex(ord(c)) for c in tones_apart("ấ")]
    ['0xe2', '0x301']
    """
    parts = unicodedata.normalize("NFD", char)
    tones = "".join(mark for mark in parts if mark in TONES)
    return unicodedata.normalize("NFC", "".join(mark for mark in parts if mark not in TONES)) + tones


@lru_cache(1024)
def codec_of(encoding: str) -> str:
    """Python's codec for a name; browsers' default where there is none."""
    found = resolve(encoding)
    return found.codec if found and found.codec else "cp1252"
