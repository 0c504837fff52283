"""What the code points of a script are to a syllable, for scripts that fonts draw in another order than they are written."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

__all__ = ["Script", "script"]

# By the kernel's numbers (native/fonts/convert.hpp).
CONSONANT, NUKTA, JOINER, MEDIAL, MARK = range(1, 6)
RANK = 8

# The blocks that follow ISCII have the same layout.
ISCII = {
    "Deva": 0x0900,
    "Beng": 0x0980,
    "Guru": 0x0A00,
    "Gujr": 0x0A80,
    "Orya": 0x0B00,
    "Taml": 0x0B80,
    "Telu": 0x0C00,
    "Knda": 0x0C80,
    "Mlym": 0x0D00,
}
BLOCK = 0x80


@dataclass(frozen=True, slots=True)
class Script:
    """A block's first code point, and a byte for each of its code points: its place in the syllable + 8 x its rank.

    Marks of one syllable are put in the order of their ranks; rank 0 stays where it is.
    """

    base: int
    places: bytes
    low: bool = False  # subscripts are drawn after the vowel sign, or after a virama that ends the conjunct

    def place(self, char: str) -> int:
        """The place of a character; the zero-width joiner joins."""
        if char == "\u200d":
            return JOINER
        at = ord(char) - self.base
        return self.places[at] & 7 if 0 <= at < len(self.places) else 0


@cache
def script(name: str) -> Script:
    """A script by its ISO 15924 code; one that is written as it is drawn has no places.

    >>> hex(script("Deva").base), script("Deva").place("क"), script("Laoo").places
    ('0x900', 1, b'')
    """
    if name in ISCII:
        return Script(ISCII[name], _iscii(name), low=name == "Knda")
    if name == "Sinh":
        return Script(0x0D80, _places({CONSONANT: "9A-C6", MARK: "82-83,CA-DF,F2-F3"}, 0x80, {}))
    if name == "Mymr":
        order = ("3B", "3C", "3D", "3E", "31", "2D,2E,32", "2F,30", "2B,2C", "36", "37")
        places = {CONSONANT: "00-2A,3F-49", JOINER: "39", MEDIAL: "3B-3E", MARK: "2B-38,3A"}
        return Script(0x1000, _places(places, 0, dict(enumerate(order, 1))))
    if name == "Khmr":
        signs = ("C9,CA", "BB", "B6-BA,BC-C5", "C6,CB-D1", "C7,C8")
        places = {CONSONANT: "80-B3", JOINER: "D2", MARK: "B6-D1,DD"}
        return Script(0x1780, _places(places, 0x80, dict(enumerate(signs, 1))))
    return Script(0, b"")


def _iscii(name: str) -> bytes:
    places = {CONSONANT: "15-39,58-5F", NUKTA: "3C", JOINER: "4D", MARK: "00-03,3E-4C,51-57,62,63"}
    ranks = {1: "3C", 2: "3E-4C,55-57,62,63", 3: "00-03"}
    if name == "Beng":
        places[CONSONANT] += ",70,71"
    if name == "Guru":
        places[CONSONANT] += ",72,73"
        places[MARK] += ",70,71,75"
        ranks[3] += ",70,71"
    if name == "Orya":
        places[CONSONANT] += ",71"
    return _places(places, 0, ranks)


def _places(places: dict[int, str], first: int, ranks: dict[int, str]) -> bytes:
    out = bytearray(BLOCK)
    for place, spans in places.items():
        for at in _points(spans):
            out[at - first] |= place
    for rank, spans in ranks.items():
        for at in _points(spans):
            out[at - first] |= rank * RANK
    return bytes(out)


def _points(spans: str) -> list[int]:
    """
    >>> [hex(p) for p in _points("0A-0C,3F")]
    ['0xa', '0xb', '0xc', '0x3f']
    """
    out: list[int] = []
    for span in spans.split(","):
        low, _, high = span.partition("-")
        out += range(int(low, 16), int(high or low, 16) + 1)
    return out
