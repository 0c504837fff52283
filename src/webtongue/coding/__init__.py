"""The second stage: which encoding, and the page's text in UTF-8.

The order: what the scanner had to transcode (UTF-16, UTF-32, escapes), valid UTF-8, damaged UTF-8; then the bytes
themselves say which of the old encodings they are in, with what is declared as one more piece of evidence.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from webtongue.coding import model as byte_model
from webtongue.encodings.codecs import decode, lost, single_byte_table
from webtongue.encodings.names import resolve

__all__ = ["Decoded", "Decoding", "arbitrate", "choose", "detect", "resolve"]

FALLBACK = "windows-1252"  # the standard's default for most of the world
DAMAGE = (
    0.5  # ill-formed sequences for each well-formed one that a page in UTF-8 may have: old encodings give two or more
)
CHANCE = 2  # well-formed ones that may be chance
SAMPLE = 1 << 16  # bytes of a page that a declared encoding is tried on
READ = 800  # bytes of a text that the language model reads to arbitrate
DOUBT = 0.995  # chance of an encoding below which it is asked
UNITS = 48  # of its scores to a nat (docs/encoding.md)
ALIKE = 0.12  # by which numbers of features may differ
LEAST = 0.0003  # chance below which a decoding is not tried
VIETNAMESE = ("viscii", "tcvn", "vps", "vni")  # alphabets without a plain table
MOST_LOST = 0.05  # of the bytes beyond ASCII that a declared encoding may fail to read before it is a lie
LOOKED = 1 << 14  # bytes of a text in which what tells is looked for
AROUND = 60  # bytes on either side of one that tells
EACH = 3  # stretches with the same byte, while there are others
CEDILLAS = str.maketrans("șțȘȚ", "şţŞŢ")
CANDIDATES = 8  # encodings that are told by name; those that read a text alike are one
SURE = 0.999  # no bytes make an old encoding certain


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page's whole source as text; ``repaired`` is the same put right, where it had been read in a wrong encoding before."""

    text: str
    encoding: str
    confidence: float
    repaired: str = ""


@dataclass(frozen=True, slots=True)
class Decoding:
    """Which encoding a page is in, how sure that is, and what said so; what else it may be, with probabilities."""

    encoding: str
    confidence: float
    how: str
    others: tuple[tuple[str, float], ...] = ()


VALID = Decoding("utf-8", 1.0, "valid UTF-8")
ASCII = Decoding("utf-8", 1.0, "ASCII only")


def choose(errors: int, multibyte: int, transcoded: str = "") -> Decoding | None:
    """The encoding of a page in whose text UTF-8 reads ``multibyte`` characters and misses ``errors``; None: not Unicode.

    >>> choose(0, 12).how, choose(12, 0)
    ('valid UTF-8', None)
    """
    if transcoded:
        return Decoding(transcoded, 1.0, "bytes")
    if not errors:
        return VALID if multibyte else ASCII
    if multibyte > CHANCE and errors <= DAMAGE * multibyte:
        return Decoding("utf-8", 0.95, "UTF-8 with errors")
    return None


def detect(text: Any, declared: tuple[str, ...] = (), language: str = "") -> Decoding:
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


def arbitrate(decoding: Decoding, text: Any, read: Callable[[str], Any]) -> Decoding:
    """Let the language model say which of the likeliest decodings reads most like a language.

    ``read`` gives the ``score`` and the number of ``features`` of a text. Only decodings with about as many features are
    compared, and only of alphabets: other scripts are made of other n-grams.
    """
    if not _alphabetic(decoding.encoding):
        return decoding
    rivals = [(name, chance) for name, chance in decoding.others if chance > LEAST and _alphabetic(name)]
    sample = _telling(text, [decoding.encoding, *(name for name, _ in rivals)])
    first = read(_old(decode(sample, decoding.encoding)))
    weighed = [(decoding.encoding, math.log(decoding.confidence) + first.score / UNITS)]
    mass = decoding.confidence
    for name, chance in rivals if first.score else ():
        found = read(_old(decode(sample, name)))
        if found.score and abs(found.features - first.features) <= ALIKE * first.features:
            weighed.append((name, math.log(chance) + found.score / UNITS))
            mass += chance
    top = max(weight for _, weight in weighed)
    shares = {name: math.exp(weight - top) for name, weight in weighed}
    chances = [(name, min(SURE, mass * share / sum(shares.values()))) for name, share in shares.items()]
    ranked = sorted(
        [*chances, *(other for other in decoding.others if other[0] not in shares)], key=lambda item: -item[1]
    )
    if ranked[0][0] == decoding.encoding:
        return replace(decoding, confidence=ranked[0][1], others=tuple(ranked[1:]))
    return Decoding(*ranked[0], "bytes, and it reads like a language", tuple(ranked[1:]))


def _old(text: str) -> str:
    """Romanian as old pages wrote it, with either sign: what text has today does not tell which."""
    return text.translate(CEDILLAS)


def _alphabetic(name: str) -> bool:
    return single_byte_table(name) is not None or name in VIETNAMESE


def _telling(text: Any, names: list[str]) -> bytes:
    """Of a long text, stretches with the bytes that encodings read differently, the rare bytes first."""
    raw: bytes = text[:LOOKED] if isinstance(text, bytes) else text.slice(0, LOOKED)
    if len(raw) <= READ:
        return raw
    there = sorted((raw.count(byte), byte) for byte in _differing(tuple(names)) if byte in raw)
    kept: list[tuple[int, int]] = []
    last = dict.fromkeys(range(0x100), -1)
    room = READ
    for _, byte in there * EACH:
        at = last[byte] = raw.find(byte, last[byte] + 1)
        if at < 0 or room < 0 or any(start <= at < end for start, end in kept):
            continue
        start = raw.find(b" ", max(0, at - AROUND), at) + 1 or max(0, at - AROUND)
        end = raw.rfind(b" ", at, at + AROUND)
        kept.append((start, end if end > at else at + AROUND))
        room -= kept[-1][1] - start
    return b" ".join(raw[start:end] for start, end in sorted(kept)) or raw[:READ]


@lru_cache(1024)
def _differing(names: tuple[str, ...]) -> bytes:
    """Bytes that are not the same in all of these encodings."""
    readings = [_readings(name) for name in names]
    return bytes(byte for byte in range(0x80, 0x100) if len({reading[byte - 0x80] for reading in readings}) > 1)


@cache
def _readings(name: str) -> tuple[str, ...]:
    return tuple(decode(bytes([byte]), name) for byte in range(0x80, 0x100))


def _is_class(name: str) -> bool:
    """Whether the bytes are asked about an encoding; one that is not Unicode's must be taken at its word."""
    known = byte_model.load().numbers
    return name.startswith(("utf", "replacement")) or byte_model.SAME.get(name, name) in known


def _readable(text: Any, name: str) -> bool:
    raw = text[:SAMPLE] if isinstance(text, bytes) else text.slice(0, SAMPLE)
    return resolve(name) is not None and lost(raw, name) <= MOST_LOST


def _as_called(name: str, four_bytes: bool, declared: tuple[str, ...]) -> str:
    """An encoding that has several names by the one that is declared; GBK is GB 18030 without sequences of four bytes."""
    for other in declared:
        if byte_model.SAME.get(other) == name:
            return other
    return "gbk" if name == "gb18030" and name not in declared and not four_bytes else name
