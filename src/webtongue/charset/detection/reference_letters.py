"""Rescore encodings by letters that are written as character references beside raw bytes of the same word."""

from __future__ import annotations

import math
import re

from webtongue import _kernel
from webtongue.charset.codecs import decode, single_byte_table
from webtongue.charset.decoding import Decoding
from webtongue.charset.detection.detect import MAX_CONFIDENCE
from webtongue.records import replace

__all__ = ["PLACEHOLDER", "is_alphabetic", "reference_letters", "rescore_by_references"]

PLACEHOLDER = "\x1a"  # stands for a character reference that is held back
SAMPLE_BYTES = 1 << 12
MISFIT_NATS = 3.0  # penalty for each distinct byte that is no letter of the script beside it
MAX_MISFITS = 6  # misfits that are counted
VIETNAMESE = ("viscii", "tcvn", "vps", "vni")  # encodings of alphabets without a single-byte table
BYTE_BESIDE_REFERENCE = re.compile(rb"\x1a[\x80-\xff]|[\x80-\xff]\x1a")


def is_alphabetic(name: str) -> bool:
    """Return True if an encoding is one of an alphabet."""
    return single_byte_table(name) is not None or name in VIETNAMESE


def reference_letters(text: _kernel.Scan, raw: bytes) -> list[str]:
    """Return the characters of the references that are held back in ``raw``, the beginning of a page's text."""
    count = raw.count(PLACEHOLDER.encode())
    return text.references.decode("utf-8", "replace").split(PLACEHOLDER)[:count] if count else []


def rescore_by_references(decoding: Decoding, text: bytes | _kernel.Scan) -> Decoding:
    """Return the decoding after a penalty for encodings in which raw bytes are no letters of the script of adjacent references.

    In "&Sigma;\\xfd&nu;" the byte is a Greek letter. In East Asia, letters of any script stand beside each other.
    """
    if isinstance(text, bytes) or not text.references or not is_alphabetic(decoding.encoding):
        return decoding
    pairs = _pairs(text)
    if not pairs:
        return decoding
    ranked = [(decoding.encoding, decoding.confidence), *decoding.alternatives]
    weights = [p * math.exp(-MISFIT_NATS * min(MAX_MISFITS, _count_misfits(pairs, name))) for name, p in ranked]
    mass, total = sum(probability for _, probability in ranked), sum(weights)
    rescored = [
        (name, min(MAX_CONFIDENCE, mass * weight / total)) for (name, _), weight in zip(ranked, weights, strict=True)
    ]
    rescored.sort(key=lambda item: -item[1])
    encoding, confidence = rescored[0]
    reason = decoding.reason if encoding == decoding.encoding else "bytes, by the references beside them"
    return replace(decoding, encoding=encoding, confidence=confidence, reason=reason, alternatives=tuple(rescored[1:]))


def _pairs(text: _kernel.Scan) -> set[tuple[bytes, int]]:
    """Return bytes beyond ASCII, each with the script of an adjacent letter that is a reference."""
    raw = text.slice(0, SAMPLE_BYTES)
    pairs: set[tuple[bytes, int]] = set()
    if BYTE_BESIDE_REFERENCE.search(raw) is None:
        return pairs
    letters = reference_letters(text, raw)
    number, counted = 0, 0
    for match in BYTE_BESIDE_REFERENCE.finditer(raw):
        at = match.start() if raw[match.start()] == ord(PLACEHOLDER) else match.start() + 1
        number += raw.count(PLACEHOLDER.encode(), counted, at)
        counted = at
        letter = letters[number]
        if len(letter) == 1 and letter.isalpha():
            byte = raw[at + 1 : at + 2] if at == match.start() else raw[at - 1 : at]
            pairs.add((byte, _kernel.script_of(ord(letter))))
    return pairs


def _count_misfits(pairs: set[tuple[bytes, int]], name: str) -> int:
    """Return the number of bytes that are no letters of the script beside them."""
    return sum(not _fits(decode(byte, name), script) for byte, script in pairs)


def _fits(text: str, script: int) -> bool:
    return all(c.isalpha() and _kernel.script_of(ord(c)) == script for c in text)
