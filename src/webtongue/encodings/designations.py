"""What escapes of ISO 2022 designate: the sets of characters that East Asia used, and tables of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from webtongue.encodings import tables

__all__ = ["ESCAPES", "SETS", "Escape", "Set", "letters", "one_byte", "pairs", "upper_half"]

REPLACEMENT = "\ufffd"
NONE = -1  # a pair that a set has not; what an escape leaves as it is
COMBINED = 16  # bits by which the second of two characters that are one pair is shifted: a letter and its mark
GRAPHIC = range(0x21, 0x7F)
HANGUL = 0xAC00
FILLER = 0x24 << 7 | 0x54  # the pair of KS X 1001 after which a syllable comes in letters, a pair each


@dataclass(frozen=True, slots=True)
class Set:
    """A set of characters. Those of pairs are read by a codec that has them with the high bits set, after a prefix."""

    codec: str = ""
    prefix: bytes = b""


# By number. Those without a codec have a byte a character; the first is ASCII.
SETS = (
    Set(), Set(), Set(),
    Set("euc_jp"), Set("euc_jp", b"\x8f"), Set("euc_jisx0213"), Set("euc_jis_2004"), Set("euc_jis_2004", b"\x8f"),
    Set("gb2312"), Set("euc_kr"), Set("euc-tw"), Set("euc-tw", b"\x8e\xa2"),
)  # fmt: skip
PLAIN, ROMAN, KATAKANA, JIS, JIS_2, JIS_3, JIS_2004, JIS_4, GB, KS, CNS, CNS_2 = range(len(SETS))
FIRST_OF_PAIRS = JIS
UPPER = ("latin-1", "iso8859-7")  # what the bytes beyond ASCII may be, and what may be at G2
LATIN, GREEK = range(len(UPPER))


@dataclass(frozen=True, slots=True)
class Escape:
    """A sequence that changes what the bytes after it are, and the name by which a page that has it is told."""

    sequence: bytes
    name: str = ""
    g0: int = NONE
    g1: int = NONE
    shifted: int = NONE
    upper: int = NONE
    g2: int = NONE


TWO_BYTES = {"@": JIS, "A": GB, "B": JIS, "C": KS, "D": JIS_2, "G": CNS, "O": JIS_3, "P": JIS_4, "Q": JIS_2004}
ONE_BYTE = {"I": KATAKANA, "J": ROMAN}
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ESCAPES = (
    Escape(b"\x1bN"),  # the next character is one of G2
    Escape(b"\x0e", shifted=1),
    Escape(b"\x0f", shifted=0),
    Escape(b"\x1b&@"),
    Escape(b"\x1b$*H", "*H"),
    *(Escape(b"\x1b$" + name.encode(), name, g0=TWO_BYTES[name]) for name in "@AB"),
    *(Escape(b"\x1b$(" + name.encode(), name, g0=number) for name, number in TWO_BYTES.items()),
    *(Escape(b"\x1b$)" + name.encode(), ")" + name, g1=TWO_BYTES.get(name, GB)) for name in "ACEG"),
    *(Escape(b"\x1b(" + name.encode(), "(" + name, g0=number) for name, number in ONE_BYTE.items()),
    *(Escape(b"\x1b(" + name.encode(), g0=PLAIN) for name in LETTERS if name not in ONE_BYTE),
    *(Escape(b"\x1b)" + name.encode()) for name in LETTERS),
    Escape(b"\x1b-A", "latin", upper=LATIN),
    Escape(b"\x1b-F", "greek", upper=GREEK),
    Escape(b"\x1b.A", "latin", upper=LATIN, g2=LATIN),
    Escape(b"\x1b.F", "greek", upper=GREEK, g2=GREEK),
)
SINGLE_SHIFT, SHIFT_OUT, SHIFT_IN = range(3)


@cache
def pairs(number: int) -> NDArray[np.int32]:
    """What each pair of bytes stands for in a set, by ``first << 7 | second``; NONE or, after a prefix, U+FFFD for no pair.

    >>> chr(pairs(JIS)[0x30 << 7 | 0x21]), int(pairs(JIS)[0x7E << 7 | 0x7E])
    ('亜', -1)
    """
    of = SETS[number]
    out = np.full(1 << 14, NONE, np.int32)
    for first in GRAPHIC:
        row = [of.prefix + bytes((first | 0x80, second | 0x80)) for second in GRAPHIC]
        for second, text in zip(GRAPHIC, _each(row, of.codec), strict=True):
            if len(text) == 1:
                out[first << 7 | second] = ord(text)
            elif len(text) == 2 and REPLACEMENT not in text:
                out[first << 7 | second] = ord(text[1]) << COMBINED | ord(text[0])
    if number == KS:
        out[FILLER] = NONE
    if of.prefix:
        out[out == NONE] = ord(REPLACEMENT)
    return out


@cache
def upper_half() -> NDArray[np.int32]:
    """What the bytes from 0x80 on stand for in each of UPPER."""
    return np.array([list(map(ord, bytes(range(0x80, 0x100)).decode(codec, "replace"))) for codec in UPPER], np.int32)


@cache
def one_byte() -> NDArray[np.int32]:
    """What bytes of seven bits stand for in each set of one byte a character."""
    roman = {0x5C: 0xA5, 0x7E: 0x203E}
    half = [0xFF61 + byte - 0x21 if byte < 0x60 else ord(REPLACEMENT) for byte in range(0x80)]
    return np.array([list(range(0x80)), [roman.get(byte, byte) for byte in range(0x80)], half], np.int32)


@cache
def letters() -> NDArray[np.int32]:
    """What letters of KS X 1001 add to the first syllable of Hangul, by their place in one and their byte; NONE if none.

    Three rows: letters that begin a syllable, vowels, letters that end it.
    """
    out = np.full((3, 0x80), NONE, np.int32)
    for byte in GRAPHIC:
        for place in range(3):
            spelt = [b"\xa4\xa1", b"\xa4\xbf", b"\xa4\xd4"]  # the first of each, and nothing
            spelt[place] = bytes((0xA4, byte | 0x80))
            text = b"\xa4\xd4" + b"".join(spelt)
            if len(syllable := text.decode("euc_kr", "replace")) == 1:
                out[place, byte] = ord(syllable) - HANGUL
    return out


def _each(sequences: list[bytes], codec: str) -> list[str]:
    """Each sequence read by itself."""
    if codec == "euc-tw":
        units = tables.load(codec).units
        return [units.get(sequence.decode("latin-1"), "") for sequence in sequences]
    return [sequence.decode(codec, "replace") for sequence in sequences]
