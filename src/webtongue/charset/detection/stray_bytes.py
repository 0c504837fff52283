"""Decode text in a multi-byte encoding that has stray bytes.

A byte too many shifts the boundaries of all characters after it, up to the next one of ASCII. The kernel finds the likeliest
division into characters (native/charset/text_odds.hpp), and the bytes that it leaves out become U+FFFD.
"""

from __future__ import annotations

from webtongue import _kernel
from webtongue.charset.codecs import REPLACEMENT, decode
from webtongue.charset.detection import byte_model

__all__ = ["decode_around_strays", "has_strays"]

SAMPLE_BYTES = 1 << 14  # bytes of a text that are checked for stray bytes
MIN_BYTES_PER_GAP = 20  # more gaps of stray bytes are no damage, as in native/charset/encoding_ranking.cpp


def has_strays(text: bytes | _kernel.Scan, encoding: str) -> bool:
    """Return True if a few bytes of a text belong to no character of its multi-byte encoding."""
    raw = text[:SAMPLE_BYTES] if isinstance(text, bytes) else text.slice(0, SAMPLE_BYTES)
    return bool(_find_strays(raw, encoding))


def decode_around_strays(raw: bytes, encoding: str) -> str:
    """Return bytes as text, with U+FFFD for undecodable and for stray bytes.

    >>> raw = "图书馆每天早上九点开门".encode("gbk")
    >>> decode_around_strays(raw[:4] + bytes([0xFF]) + raw[4:], "gbk")
    '图书�馆每天早上九点开门'
    """
    parts, start = [], 0
    for stray in _find_strays(raw, encoding):
        parts.append(decode(raw[start:stray], encoding))
        start = stray + 1
    return REPLACEMENT.join([*parts, decode(raw[start:], encoding)])


def _find_strays(raw: bytes, encoding: str) -> list[int]:
    """Return the offsets of a few stray bytes; none if they are too many for damage."""
    model = byte_model.load()
    number = model.numbers.get(byte_model.SAME_DECODER.get(encoding, encoding))
    strays = model.kernel.find_strays(raw, number) if number is not None else []
    gaps = sum(stray - 1 not in strays[max(0, i - 1) : i] for i, stray in enumerate(strays))
    return strays if gaps <= max(1, len(raw) // MIN_BYTES_PER_GAP) else []
