"""Decode and encode text in encodings other than UTF-8, by Python's codecs or by tables."""

from __future__ import annotations

import codecs
import re
import unicodedata
from array import array
from functools import cache, lru_cache

from webtongue.charset import tables
from webtongue.charset.arabic_forms import to_forms, to_letters
from webtongue.charset.names import resolve

__all__ = [
    "REPLACEMENT",
    "decode",
    "encode",
    "python_codec",
    "single_byte_table",
    "split_tones",
    "table_encodings",
    "text_table",
    "undecodable_share",
]

REPLACEMENT = "\ufffd"
MIN_ARRAY_BYTES = 4096  # bytes from which arrays are faster than a regular expression
# Encodings that have ASCII's signs a second time, for text from right to left.
DOUBLE_ASCII = ("mac-arabic", "mac-farsi")
ASCII_RUNS = re.compile(r"[\x00-\x7f]+|[^\x00-\x7f]+")
TONES = "\u0300\u0301\u0303\u0309\u0323"  # combining marks that are bytes of their own in windows-1258


def undecodable_share(sample: bytes, encoding: str) -> float:
    """Return the share of the bytes beyond ASCII that an encoding cannot decode.

    >>> undecodable_share("ε".encode("cp1253"), "windows-1250"), undecodable_share("Ελλάδα.".encode("cp1253"), "shift_jis") > 0
    (0.0, True)
    """
    high = len(sample) - len(sample.decode("ascii", "ignore"))
    return decode(sample, encoding).count(REPLACEMENT) / max(high, 1)


def decode(raw: bytes, encoding: str) -> str:
    """Return bytes as text, with U+FFFD for undecodable bytes.

    >>> decode("Žluťoučký".encode("cp1250"), "windows-1250")
    'Žluťoučký'
    >>> decode(bytes.fromhex("56 69 AE 74"), "viscii")
    'Việt'
    """
    characters = _byte_characters(encoding)
    if characters:
        return codecs.charmap_decode(raw, "replace", characters)[0]
    if encoding not in table_encodings():
        return raw.decode(python_codec(encoding), "replace")
    if len(raw) < MIN_ARRAY_BYTES:
        return tables.load(encoding).decode(raw.decode("latin-1"))
    from webtongue.charset import longest_match  # imports NumPy, which few pages need

    return "".join(longest_match.decode(raw, encoding))


def encode(text: str, encoding: str) -> bytes | None:
    """Return a text in an encoding, or None if it has characters that the encoding lacks.

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
    if encoding in table_encodings():
        encoded = tables.load(encoding).encode(text)
        if encoded is None or any(ord(char) > 0xFF for char in encoded):
            return None
        raw = encoded.encode("latin-1")
        return raw if decode(raw, encoding) == text else None
    if encoding == "cp864":
        text = to_forms(text, frozenset(map(chr, single_byte_table(encoding) or ())))
    if encoding == "windows-1258":
        text = "".join(_split_missing_tones(char) for char in text)
    resolved = resolve(encoding)
    if resolved is None or (codec := resolved.codec) is None:
        return None
    try:
        if encoding in DOUBLE_ASCII:
            return b"".join(run.encode("ascii" if run.isascii() else codec) for run in ASCII_RUNS.findall(text))
        return text.encode(codec)
    except UnicodeEncodeError:
        return None


@cache
def single_byte_table(encoding: str) -> array[int] | None:
    """Return the code points of the bytes from 0x80, or None for an encoding with several bytes per character."""
    if encoding == "x-user-defined":
        return array("H", range(0xF780, 0xF800))
    if encoding in table_encodings():
        decode_map = tables.load(encoding).decode_map
        if any(len(key) > 1 or ord(key) < 0x80 or len(value) > 1 for key, value in decode_map.items()):
            return None
        return array("H", [ord(decode_map.get(chr(b), REPLACEMENT)) for b in range(0x80, 0x100)])
    codec = python_codec(encoding)
    if codec.startswith("utf") or len(bytes(range(0x80, 0x100)).decode(codec, "replace")) != 0x80:
        return None
    points = [ord(bytes([b]).decode(codec, "replace")[0]) for b in range(0x80, 0x100)]
    if codec.startswith("cp125"):  # the standard decodes unassigned bytes to control codes
        points = [b if p == ord(REPLACEMENT) and b < 0xA0 else p for b, p in enumerate(points, 0x80)]
    return array("H", points)


@cache
def text_table(encoding: str) -> array[int] | None:
    """Return the table of an encoding with Arabic letters in place of their presentation forms."""
    table = single_byte_table(encoding)
    return None if table is None else array("H", [ord(to_letters(chr(point))[0]) for point in table])


@cache
def _byte_characters(encoding: str) -> str | dict[int, str]:
    """Return the character of each byte; empty for an encoding with sequences of several bytes."""
    table = single_byte_table(encoding)
    if table is not None:
        return "".join(map(chr, (*range(0x80), *table)))
    if encoding not in table_encodings():
        return ""
    decode_map = tables.load(encoding).decode_map
    if any(len(key) > 1 for key in decode_map):
        return ""
    ascii_only = {code: chr(code) if code < 0x80 else REPLACEMENT for code in range(0x100)}
    return ascii_only | {ord(key): value for key, value in decode_map.items()}


@cache
def table_encodings() -> frozenset[str]:
    """Return the encodings that Python has no codec for."""
    return frozenset(tables.table_names())


@cache
def _encoding_map(encoding: str) -> dict[int, int]:
    """Return bytes by code point for table encodings with one byte per character; empty for others."""
    if encoding not in table_encodings():
        return {}
    table = tables.load(encoding)
    if any(len(key) > 1 or len(value) > 1 for key, value in table.decode_map.items()):
        return {}
    ascii_only = {code: code for code in range(0x80) if chr(code) not in table.decode_map}
    return ascii_only | {ord(char): ord(byte) for char, byte in table.encode_map.items()}


def _split_missing_tones(char: str) -> str:
    """Return a letter as windows-1258 can encode it: with its tone split off if the encoding lacks the whole letter."""
    try:
        char.encode("cp1258")
        return char
    except UnicodeEncodeError:
        return split_tones(char)


def split_tones(char: str) -> str:
    """Return a Vietnamese letter with its tone as a combining mark.

    >>> [hex(ord(c)) for c in split_tones("ấ")]
    ['0xe2', '0x301']
    """
    parts = unicodedata.normalize("NFD", char)
    tones = "".join(mark for mark in parts if mark in TONES)
    return unicodedata.normalize("NFC", "".join(mark for mark in parts if mark not in TONES)) + tones


@lru_cache(1024)
def python_codec(encoding: str) -> str:
    """Return Python's codec for an encoding, or that of the browsers' default if there is none."""
    resolved = resolve(encoding)
    return resolved.codec if resolved and resolved.codec else "cp1252"
