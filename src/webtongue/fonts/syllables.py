"""Roles of code points in syllables, for scripts that fonts draw in another order than Unicode encodes."""

from __future__ import annotations

from functools import cache

from webtongue.records import dataclass

__all__ = ["SyllableRoles", "syllable_roles"]

# By the kernel's numbers (native/fonts/convert.hpp).
CONSONANT, NUKTA, JOINER, MEDIAL, MARK = range(1, 6)
RANK_FACTOR = 8

# Blocks with the layout of ISCII.
ISCII_BLOCKS = {
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
BLOCK_SIZE = 0x80


@dataclass(frozen=True, slots=True)
class SyllableRoles:
    """The first code point of a block, and a byte for each code point of it: its role + RANK_FACTOR x its rank.

    Marks of a syllable are sorted by rank; those of rank 0 keep their positions. ``has_low_subscripts`` is True if subscripts are
    drawn after the vowel sign, or after a virama that ends the conjunct.
    """

    base: int
    codes: bytes
    has_low_subscripts: bool = False

    def role(self, char: str) -> int:
        """Return the role of a character; the zero-width joiner is a joiner."""
        if char == "\u200d":
            return JOINER
        at = ord(char) - self.base
        return self.codes[at] & (RANK_FACTOR - 1) if 0 <= at < len(self.codes) else 0


@cache
def syllable_roles(script: str) -> SyllableRoles:
    """Return the roles of a script by its ISO 15924 code; a script that is drawn in the order of Unicode has none.

    >>> hex(syllable_roles("Deva").base), syllable_roles("Deva").role("क"), syllable_roles("Laoo").codes
    ('0x900', 1, b'')
    """
    if script in ISCII_BLOCKS:
        return SyllableRoles(ISCII_BLOCKS[script], _iscii_codes(script), has_low_subscripts=script == "Knda")
    if script == "Sinh":
        return SyllableRoles(0x0D80, _codes({CONSONANT: "9A-C6", MARK: "82-83,CA-DF,F2-F3"}, 0x80, {}))
    if script == "Mymr":
        order = ("3B", "3C", "3D", "3E", "31", "2D,2E,32", "2F,30", "2B,2C", "36", "37")
        roles = {CONSONANT: "00-2A,3F-49", JOINER: "39", MEDIAL: "3B-3E", MARK: "2B-38,3A"}
        return SyllableRoles(0x1000, _codes(roles, 0, dict(enumerate(order, 1))))
    if script == "Khmr":
        signs = ("C9,CA", "BB", "B6-BA,BC-C5", "C6,CB-D1", "C7,C8")
        roles = {CONSONANT: "80-B3", JOINER: "D2", MARK: "B6-D1,DD"}
        return SyllableRoles(0x1780, _codes(roles, 0x80, dict(enumerate(signs, 1))))
    return SyllableRoles(0, b"")


def _iscii_codes(script: str) -> bytes:
    roles = {CONSONANT: "15-39,58-5F", NUKTA: "3C", JOINER: "4D", MARK: "00-03,3E-4C,51-57,62,63"}
    ranks = {1: "3C", 2: "3E-4C,55-57,62,63", 3: "00-03"}
    if script == "Beng":
        roles[CONSONANT] += ",70,71"
    if script == "Guru":
        roles[CONSONANT] += ",72,73"
        roles[MARK] += ",70,71,75"
        ranks[3] += ",70,71"
    if script == "Orya":
        roles[CONSONANT] += ",71"
    return _codes(roles, 0, ranks)


def _codes(roles: dict[int, str], first: int, ranks: dict[int, str]) -> bytes:
    codes = bytearray(BLOCK_SIZE)
    values = {**roles, **{rank * RANK_FACTOR: spans for rank, spans in ranks.items()}}
    for value, spans in values.items():
        for point in _parse_spans(spans):
            codes[point - first] |= value
    return bytes(codes)


def _parse_spans(spans: str) -> list[int]:
    """Return the numbers of hexadecimal spans.

    >>> [hex(point) for point in _parse_spans("0A-0C,3F")]
    ['0xa', '0xb', '0xc', '0x3f']
    """
    points: list[int] = []
    for span in spans.split(","):
        low, _, high = span.partition("-")
        points += range(int(low, 16), int(high or low, 16) + 1)
    return points
