"""A reading in a few bytes, readably: the twin of native/text/packed.cpp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

VERSION = 1
MOST_LISTED = 64
LOWEST = -(1 << 20)
MOST_WORDS = 8
MOST_LETTERS = 1 << 40
UINT8, UINT32, INT32 = (1 << 8) - 1, (1 << 32) - 1, (1 << 31) - 1
NO_DOUBT = -INT32 - 1  # unknown: the first look leaves none
Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Facts:
    """What is kept, in this order."""

    letters: int
    features: int
    group: int
    written: int
    poor_fit: bool
    filed_by_hints: bool
    boilerplate: bool
    misread: bool
    running_words: int
    tokens: int
    wordy: int
    junk_score: int
    preferred: int
    unasked: int
    unknown: int
    known: int
    guesses: Pairs  # label, log
    shares: Pairs  # label, letters


def pack(facts: Facts) -> bytes:
    flags = (facts.poor_fit, facts.filed_by_hints, facts.boilerplate, facts.misread)
    out = [VERSION, facts.letters, facts.features, facts.group, facts.written]
    out += [sum(1 << i for i, flag in enumerate(flags) if flag), facts.running_words, facts.tokens, facts.wordy]
    out += map(folded, (facts.junk_score, facts.preferred, facts.unasked))
    out += [0] if facts.unknown == NO_DOUBT else [1, folded(facts.unknown)]
    out += [folded(facts.known), len(facts.guesses)]
    out += [folded(value) for guess in facts.guesses for value in guess]
    out += [len(facts.shares)]
    out += [value for label, letters in facts.shares for value in (folded(label), letters - 1)]
    return b"".join(map(number, out))


def folded(value: int) -> int:
    """Signs folded in: 0, -1, 1, -2, 2 and so on."""
    return 2 * value if value >= 0 else -2 * value - 1


def number(value: int) -> bytes:
    """Seven bits a byte, the lowest first; all but the last have the eighth."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


class Unpacker:
    def __init__(self, packed: bytes) -> None:
        self.left = list(packed)

    def number(self, most: int) -> int:
        value = 0
        for place in range(9):
            if not self.left:
                break
            byte = self.left.pop(0)
            value |= (byte & 0x7F) << 7 * place
            if byte < 0x80:
                return within(value, 0, most)
        raise ValueError("no end of a number")

    def integer(self, least: int, most: int) -> int:
        value = self.number(1 << 63)
        return within(-(value + 1) // 2 if value % 2 else value // 2, least, most)


def within(value: int, least: int, most: int) -> int:
    if not least <= value <= most:
        raise ValueError(f"{value} is not between {least} and {most}")
    return value


def unpack(packed: bytes, labels: int, scripts: int) -> Facts:
    """ValueError where it is no reading by a model of so many labels."""
    at = Unpacker(packed)
    within(at.number(UINT8), VERSION, VERSION)
    letters, features, group, written = (at.number(most) for most in (UINT32, UINT32, scripts - 1, scripts - 1))
    flags = at.number(UINT8)
    words = [at.number(most) for most in (MOST_WORDS, UINT32, UINT32)]
    junk_score = at.integer(-INT32 - 1, INT32)
    preferred, unasked = (at.integer(-1, labels - 1) for _ in range(2))
    unknown = at.integer(LOWEST, -LOWEST) if at.number(1) else NO_DOUBT
    known = at.integer(LOWEST, 0)
    guesses = [(at.integer(0, labels - 1), at.integer(LOWEST, 0)) for _ in range(at.number(MOST_LISTED))]
    shares = [(at.integer(0, labels - 1), at.number(MOST_LETTERS) + 1) for _ in range(at.number(MOST_LISTED))]
    if at.left:
        raise ValueError("bytes are left over")
    return Facts(letters, features, group, written, *flags_of(flags), *words, junk_score, preferred, unasked, unknown, known,
                 tuple(guesses), tuple(shares))  # fmt: skip


def flags_of(flags: int) -> Sequence[bool]:
    return [bool(flags >> i & 1) for i in range(4)]
