"""Character sets of ISO 2022 that were used in East Asia, the escape sequences that designate them, and their tables."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from webtongue.charset import tables
from webtongue.records import dataclass

__all__ = ["ESCAPES", "SETS", "CharacterSet", "Escape", "byte_tables", "high_half_tables", "jamo_offsets", "pair_table"]

REPLACEMENT = "\ufffd"
NONE = -1  # an unassigned pair; a register that an escape leaves unchanged
SECOND_SHIFT = 16  # bits by which the second character of a pair is shifted if a pair is a letter and its mark
GRAPHIC = range(0x21, 0x7F)
FIRST_SYLLABLE = 0xAC00
FILLER_PAIR = 0x24 << 7 | 0x54  # the pair of KS X 1001 before a syllable that is spelled in letters, a pair each


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """A character set. Two-byte sets have a codec that decodes their pairs with the high bits set, after a prefix."""

    codec: str = ""
    prefix: bytes = b""


# Sets without a codec have one byte per character; the first is ASCII.
SETS = (
    CharacterSet(), CharacterSet(), CharacterSet(),
    CharacterSet("euc_jp"), CharacterSet("euc_jp", b"\x8f"),
    CharacterSet("euc_jisx0213"), CharacterSet("euc_jis_2004"), CharacterSet("euc_jis_2004", b"\x8f"),
    CharacterSet("gb2312"), CharacterSet("euc_kr"), CharacterSet("euc-tw"), CharacterSet("euc-tw", b"\x8e\xa2"),
)  # fmt: skip
ASCII, ROMAN, KATAKANA, JIS, JIS_2, JIS_3, JIS_2004, JIS_4, GB, KS, CNS, CNS_2 = range(len(SETS))
FIRST_TWO_BYTE = JIS
HIGH_HALF_CODECS = ("latin-1", "iso8859-7")  # codecs of the bytes beyond ASCII, and of G2
LATIN, GREEK = range(len(HIGH_HALF_CODECS))


@dataclass(frozen=True, slots=True)
class Escape:
    """An escape sequence, its name in lists of designated sets, and the registers that it changes."""

    sequence: bytes
    name: str = ""
    g0: int = NONE
    g1: int = NONE
    shifted: int = NONE
    high_half: int = NONE
    g2: int = NONE


TWO_BYTE_FINALS = {"@": JIS, "A": GB, "B": JIS, "C": KS, "D": JIS_2, "G": CNS, "O": JIS_3, "P": JIS_4, "Q": JIS_2004}
ONE_BYTE_FINALS = {"I": KATAKANA, "J": ROMAN}
FINALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ESCAPES = (
    Escape(b"\x1bN"),  # single shift: the next character is in G2
    Escape(b"\x0e", shifted=1),
    Escape(b"\x0f", shifted=0),
    Escape(b"\x1b&@"),
    Escape(b"\x1b$*H", "*H"),
    *(Escape(b"\x1b$" + name.encode(), name, g0=TWO_BYTE_FINALS[name]) for name in "@AB"),
    *(Escape(b"\x1b$(" + name.encode(), name, g0=number) for name, number in TWO_BYTE_FINALS.items()),
    *(Escape(b"\x1b$)" + name.encode(), ")" + name, g1=TWO_BYTE_FINALS.get(name, GB)) for name in "ACEG"),
    *(Escape(b"\x1b(" + name.encode(), "(" + name, g0=number) for name, number in ONE_BYTE_FINALS.items()),
    *(Escape(b"\x1b(" + name.encode(), g0=ASCII) for name in FINALS if name not in ONE_BYTE_FINALS),
    *(Escape(b"\x1b)" + name.encode()) for name in FINALS),
    Escape(b"\x1b-A", "latin", high_half=LATIN),
    Escape(b"\x1b-F", "greek", high_half=GREEK),
    Escape(b"\x1b.A", "latin", high_half=LATIN, g2=LATIN),
    Escape(b"\x1b.F", "greek", high_half=GREEK, g2=GREEK),
)
SINGLE_SHIFT, SHIFT_OUT, SHIFT_IN = range(3)


@cache
def pair_table(number: int) -> NDArray[np.int32]:
    """Return the code point of each pair of a set, by ``first << 7 | second``.

    Unassigned pairs are NONE, or U+FFFD in a set with a prefix.

    >>> chr(pair_table(JIS)[0x30 << 7 | 0x21]), int(pair_table(JIS)[0x7E << 7 | 0x7E])
    ('亜', -1)
    """
    character_set = SETS[number]
    table = np.full(1 << 14, NONE, np.int32)
    for first in GRAPHIC:
        pairs = [character_set.prefix + bytes((first | 0x80, second | 0x80)) for second in GRAPHIC]
        for second, text in zip(GRAPHIC, _decode_each(pairs, character_set.codec), strict=True):
            if len(text) == 1:
                table[first << 7 | second] = ord(text)
            elif len(text) == 2 and REPLACEMENT not in text:
                table[first << 7 | second] = ord(text[1]) << SECOND_SHIFT | ord(text[0])
    if number == KS:
        table[FILLER_PAIR] = NONE
    if character_set.prefix:
        table[table == NONE] = ord(REPLACEMENT)
    return table


@cache
def high_half_tables() -> NDArray[np.int32]:
    """Return the code points of the bytes from 0x80 in each of HIGH_HALF_CODECS."""
    return np.array(
        [list(map(ord, bytes(range(0x80, 0x100)).decode(codec, "replace"))) for codec in HIGH_HALF_CODECS], np.int32
    )


@cache
def byte_tables() -> NDArray[np.int32]:
    """Return the code points of 7-bit bytes in each one-byte set."""
    roman = {0x5C: 0xA5, 0x7E: 0x203E}
    half = [0xFF61 + byte - 0x21 if byte < 0x60 else ord(REPLACEMENT) for byte in range(0x80)]
    return np.array([list(range(0x80)), [roman.get(byte, byte) for byte in range(0x80)], half], np.int32)


@cache
def jamo_offsets() -> NDArray[np.int32]:
    """Return the offset that each letter of KS X 1001 adds to the first Hangul syllable, or NONE, by second byte.

    The rows are initial consonants, vowels and final consonants.
    """
    table = np.full((3, 0x80), NONE, np.int32)
    for byte in GRAPHIC:
        for row in range(3):
            jamo = [b"\xa4\xa1", b"\xa4\xbf", b"\xa4\xd4"]  # the first initial, the first vowel, and no final
            jamo[row] = bytes((0xA4, byte | 0x80))
            text = b"\xa4\xd4" + b"".join(jamo)
            if len(syllable := text.decode("euc_kr", "replace")) == 1:
                table[row, byte] = ord(syllable) - FIRST_SYLLABLE
    return table


def _decode_each(sequences: list[bytes], codec: str) -> list[str]:
    """Decode each sequence separately."""
    if codec == "euc-tw":
        units = tables.load(codec).decode_map
        return [units.get(sequence.decode("latin-1"), "") for sequence in sequences]
    return [sequence.decode(codec, "replace") for sequence in sequences]
