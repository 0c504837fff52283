"""Where bytes leave doubt which encoding a text is in: the decoding that reads most like a language."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from webtongue import _kernel
from webtongue.coding.detect import SURE
from webtongue.coding.neighbours import HELD, alphabetic, held_letters
from webtongue.encodings.codecs import decode
from webtongue.encodings.decoding import Decoding

__all__ = ["DOUBT", "arbitrate"]

DOUBT = 0.995  # chance of an encoding below which the language model is asked
READ = 800  # bytes of a text that it reads
UNITS = 48  # of its scores to a nat (docs/encoding.md)
ALIKE = 0.12  # by which numbers of features may differ
LEAST = 0.0003  # chance below which a decoding is not tried
LOOKED = 1 << 14  # bytes of a text in which what tells is looked for
AROUND = 60  # bytes on either side of one that tells
EACH = 3  # stretches with the same byte, while there are others
CEDILLAS = str.maketrans("șțȘȚ", "şţŞŢ")


def arbitrate(decoding: Decoding, text: bytes | _kernel.Scan, read: Callable[[str], _kernel.Reading]) -> Decoding:
    """Let the language model say which of the likeliest decodings reads most like a language.

    ``read`` gives the ``score`` and the number of ``features`` of a text. Only decodings with about as many features are
    compared, and only of alphabets: other scripts are made of other n-grams.
    """
    if not alphabetic(decoding.encoding):
        return decoding
    rivals = [(name, chance) for name, chance in decoding.others if chance > LEAST and alphabetic(name)]
    sample = _telling(text, [decoding.encoding, *(name for name, _ in rivals)])
    first = read(_old(sample.read_as(decoding.encoding)))
    weighed = [(decoding.encoding, math.log(decoding.confidence) + first.score / UNITS)]
    mass = decoding.confidence
    for name, chance in rivals if first.score else ():
        found = read(_old(sample.read_as(name)))
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


@dataclass(frozen=True, slots=True)
class _Sample:
    """Stretches of a text, and what the references in them stand for: a word may have letters of both kinds."""

    raw: bytes
    referred: tuple[str, ...]

    def read_as(self, name: str) -> str:
        """The stretches as an encoding reads them."""
        text = decode(self.raw, name)
        if not self.referred:
            return text
        parts = text.split(HELD)
        return "".join([part for pair in zip(parts, (*self.referred, ""), strict=False) for part in pair])


def _telling(text: bytes | _kernel.Scan, names: list[str]) -> _Sample:
    """Of a long text, stretches with the bytes that encodings read differently, the rare bytes first."""
    raw: bytes = text[:LOOKED] if isinstance(text, bytes) else text.slice(0, LOOKED)
    referred = [] if isinstance(text, bytes) else held_letters(text, raw)
    if len(raw) <= READ:
        return _Sample(raw, tuple(referred))
    kept = _stretches(raw, names) or [(0, READ)]
    held = [raw.count(HELD.encode(), 0, mark) for stretch in kept for mark in stretch] if referred else []
    said = [one for i in range(0, len(held), 2) for one in referred[held[i] : held[i + 1]]]
    return _Sample(b" ".join([raw[start:end] for start, end in kept]), tuple(said))


def _stretches(raw: bytes, names: list[str]) -> list[tuple[int, int]]:
    """Where they lie."""
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
    return sorted(kept)


@lru_cache(1024)
def _differing(names: tuple[str, ...]) -> bytes:
    """Bytes that are not the same in all of these encodings."""
    readings = [_readings(name) for name in names]
    return bytes(byte for byte in range(0x80, 0x100) if len({reading[byte - 0x80] for reading in readings}) > 1)


@cache
def _readings(name: str) -> tuple[str, ...]:
    return tuple(decode(bytes([byte]), name) for byte in range(0x80, 0x100))
