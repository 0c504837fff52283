"""Letters written as references beside raw bytes of the same word: what the bytes are must be of their script."""

from __future__ import annotations

import math
import re
from dataclasses import replace

from webtongue import _kernel
from webtongue.coding.detect import SURE
from webtongue.encodings.codecs import decode, single_byte_table
from webtongue.encodings.decoding import Decoding

__all__ = ["HELD", "alphabetic", "among_neighbours", "held_letters"]

HELD = "\x1a"  # stands for a reference in a text whose references are held back
LOOKED = 1 << 12  # bytes of a text that are looked at
NATS = 3.0  # what each kind of neighbours takes away from an encoding that reads no letter of the script beside one
MOST = 6  # kinds of neighbours that are counted
VIETNAMESE = ("viscii", "tcvn", "vps", "vni")  # alphabets without a plain table
BESIDE = re.compile(rb"\x1a[\x80-\xff]|[\x80-\xff]\x1a")


def alphabetic(name: str) -> bool:
    """Whether an encoding is one of an alphabet."""
    return single_byte_table(name) is not None or name in VIETNAMESE


def held_letters(text: _kernel.Scan, raw: bytes) -> list[str]:
    """What the references stand for that are held back in ``raw``, the beginning of a page's text."""
    count = raw.count(HELD.encode())
    return text.references.decode("utf-8", "replace").split(HELD)[:count] if count else []


def among_neighbours(decoding: Decoding, text: bytes | _kernel.Scan) -> Decoding:
    """The encodings weighed by whether raw bytes are letters of the script of the references that they stand beside.

    In "&Sigma;\\xfd&nu;" the byte is a Greek letter: nobody writes half a word of Greek and a sign.
    """
    if isinstance(text, bytes) or not text.references or not alphabetic(decoding.encoding):
        return decoding  # in East Asia letters of any script stand beside each other
    pairs = _pairs(text)
    if not pairs:
        return decoding
    ranked = [(decoding.encoding, decoding.confidence), *decoding.others]
    weights = [chance * math.exp(-NATS * min(MOST, _misfits(pairs, name))) for name, chance in ranked]
    known, total = sum(chance for _, chance in ranked), sum(weights)
    named = [(name, min(SURE, known * weight / total)) for (name, _), weight in zip(ranked, weights, strict=True)]
    named.sort(key=lambda item: -item[1])
    how = decoding.how if named[0][0] == decoding.encoding else "bytes, by the references beside them"
    return replace(decoding, encoding=named[0][0], confidence=named[0][1], how=how, others=tuple(named[1:]))


def _pairs(text: _kernel.Scan) -> set[tuple[bytes, int]]:
    """Bytes beyond ASCII and the scripts of letters beside them that are references; each kind once."""
    raw = text.slice(0, LOOKED)
    out: set[tuple[bytes, int]] = set()
    if BESIDE.search(raw) is None:
        return out
    letters = held_letters(text, raw)
    number, place = 0, 0
    for found in BESIDE.finditer(raw):
        at = found.start() if raw[found.start()] == ord(HELD) else found.start() + 1
        number += raw.count(HELD.encode(), place, at)
        place = at
        letter = letters[number]
        if len(letter) == 1 and letter.isalpha():
            byte = raw[at + 1 : at + 2] if at == found.start() else raw[at - 1 : at]
            out.add((byte, _kernel.script_of(ord(letter))))
    return out


def _misfits(pairs: set[tuple[bytes, int]], name: str) -> int:
    """How many of the bytes are no letters of the script beside them."""
    return sum(not _fits(decode(byte, name), script) for byte, script in pairs)


def _fits(read: str, script: int) -> bool:
    return all(c.isalpha() and _kernel.script_of(ord(c)) == script for c in read)
