"""Which old encoding a text is in, by its bytes, with what is declared as one more piece of evidence."""

from __future__ import annotations

import math

from webtongue import _kernel
from webtongue.coding import model as byte_model
from webtongue.encodings.codecs import lost
from webtongue.encodings.decoding import ASCII, VALID, Decoding
from webtongue.encodings.names import resolve

__all__ = ["FALLBACK", "SURE", "choose", "detect"]

FALLBACK = "windows-1252"  # the standard's default for most of the world
# Ill-formed sequences for each well-formed one that a page in UTF-8 may have: old encodings give two or more. A page that declares
# UTF-8 may have as many, one that declares another encoding half as many: it may quote a few words of UTF-8.
DAMAGE = 0.5
DECLARED_DAMAGE, DENIED_DAMAGE = 1.0, 0.25
CHANCE = 2  # well-formed sequences that may be chance, where UTF-8 is not declared
SAMPLE = 1 << 16  # bytes of a page that a declared encoding is tried on
MOST_LOST = 0.05  # of the bytes beyond ASCII that a declared encoding may fail to read before it is a lie
CANDIDATES = 8  # encodings that are told by name; those that read a text alike are one
SURE = 0.999  # no bytes make an old encoding certain


def choose(errors: int, multibyte: int, declared: str = "") -> Decoding | None:
    """The encoding of a page of whose own bytes UTF-8 reads ``multibyte`` characters and misses ``errors``; None: not Unicode.

    >>> choose(0, 12).how, choose(12, 0), choose(2, 2, "utf-8").encoding
    ('valid UTF-8', None, 'utf-8')
    """
    if not errors:
        return VALID if multibyte else ASCII
    said = declared == "utf-8"
    damage = DECLARED_DAMAGE if said else DENIED_DAMAGE if declared else DAMAGE
    if multibyte > (0 if said else CHANCE) and errors <= damage * multibyte:
        return Decoding("utf-8", 0.95, "UTF-8 with errors")
    return None


def detect(text: bytes | _kernel.Scan, declared: tuple[str, ...] = (), language: str = "") -> Decoding:
    """The old encoding of a text: bytes, or a scanned page whose references are held back.

    ``language`` is that of the country the page is from, where its address says so.

    >>> detect("Příliš žluťoučký kůň úpěl ďábelské ódy".encode("cp1250")).encoding
    'windows-1250'
    """
    model = byte_model.load()
    found, ngrams, _, four_bytes = model.kernel.detect(text, byte_model.offsets_for(declared, language), CANDIDATES)
    unread = next((name for name in declared if name and not _is_class(name)), "")
    if unread and (not found or math.exp(found[0][1] / byte_model.NATS) < SURE) and _readable(text, unread):
        return Decoding(unread, 0.9, "declared, and the bytes allow it")
    if not found or not ngrams:
        return Decoding(FALLBACK, 0.3, "bytes of no encoding known here")
    ranked = [(model.classes[number], min(SURE, math.exp(log / byte_model.NATS))) for number, log in found]
    name, chance = ranked[0]
    name = _as_called(name, four_bytes, declared)
    said = "declared, and the bytes agree" if name in declared else "bytes"
    return Decoding(name, chance, said, tuple(ranked[1:]))


def _is_class(name: str) -> bool:
    """Whether the bytes are asked about an encoding; one that is not Unicode's must be taken at its word."""
    known = byte_model.load().numbers
    return name.startswith(("utf", "replacement")) or byte_model.SAME.get(name, name) in known


def _readable(text: bytes | _kernel.Scan, name: str) -> bool:
    raw = text[:SAMPLE] if isinstance(text, bytes) else text.slice(0, SAMPLE)
    return resolve(name) is not None and lost(raw, name) <= MOST_LOST


def _as_called(name: str, four_bytes: bool, declared: tuple[str, ...]) -> str:
    """An encoding that has several names by the one that is declared; GBK is GB 18030 without sequences of four bytes."""
    for other in declared:
        if byte_model.SAME.get(other) == name:
            return other
    return "gbk" if name == "gb18030" and name not in declared and not four_bytes else name
