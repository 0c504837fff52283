"""The second stage: which encoding, and the page's text in UTF-8.

The order: what the scanner had to transcode (UTF-16, UTF-32, escapes), valid UTF-8, damaged UTF-8, what is declared, and
windows-1252 for want of better. Declarations are believed only where the bytes allow them.
"""

from __future__ import annotations

from dataclasses import dataclass

from webtongue.coding.labels import resolve
from webtongue.coding.legacy import lost

__all__ = ["Decoded", "Decoding", "choose", "resolve"]

FALLBACK = "windows-1252"  # the standard's default for most of the world
DAMAGE = 0.1  # ill-formed sequences for each well-formed one that a page in UTF-8 may have: truncation, pasted bytes
SAMPLE = 1 << 16  # bytes of a page that a declared encoding is tried on
MOST_LOST = 0.05  # of the bytes beyond ASCII that a declared encoding may fail to read before it is a lie


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page's whole source as text."""

    text: str
    encoding: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Decoding:
    """Which encoding a page is in, how sure that is, and what said so."""

    encoding: str
    confidence: float
    how: str


def choose(sample: bytes, errors: int, multibyte: int, declared: tuple[str, ...], transcoded: str = "") -> Decoding:
    """Choose an encoding for a page in whose text UTF-8 reads ``multibyte`` characters and misses ``errors``.

    >>> choose("Žížala".encode("cp1250"), 2, 0, ("windows-1250",)).encoding
    'windows-1250'
    """
    if transcoded:
        return Decoding(transcoded, 1.0, "bytes")
    if not errors:
        if multibyte:
            return Decoding("utf-8", 1.0, "valid UTF-8")
        return Decoding("utf-8", 1.0, "ASCII only")
    if errors <= DAMAGE * multibyte:
        return Decoding("utf-8", 0.95, "UTF-8 with errors")
    for name in declared:
        if name in ("", "utf-8", "replacement"):
            continue
        if lost(sample, name) <= MOST_LOST:
            return Decoding(name, 0.9, "declared, and the bytes allow it")
    return Decoding(FALLBACK, 0.3, "not UTF-8 and not declared")
