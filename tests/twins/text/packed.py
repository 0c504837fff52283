"""Serialise a reading into a few bytes: the readable twin of native/text/packed.cpp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

VERSION = 3
MAX_LIST_ITEMS = 64
MIN_LOG = -(1 << 20)
MAX_RUNNING_WORDS = 8
MAX_LETTERS = 1 << 40
FULL_WEIGHT = 1024  # of a prior that does not fade
UINT8, UINT32, INT32 = (1 << 8) - 1, (1 << 32) - 1, (1 << 31) - 1
NO_UNKNOWN_SCORE = -INT32 - 1  # the scores exclude an unknown language
Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Facts:
    """The packed fields, in this order."""

    letters: int
    features: int
    group: int
    written: int
    poor_fit: bool
    filed_by_hints: bool
    boilerplate: bool
    misread: bool
    running_words: int
    running_letters: int
    tokens: int
    word_like: int
    junk_score: int
    placeholder_score: int
    preferred: int
    outside_allowlist: int
    unknown_score: int
    log_known: int
    prior_weight: int
    guesses: Pairs  # label, log
    shares: Pairs  # label, letters


def pack(facts: Facts) -> bytes:
    flags = (facts.poor_fit, facts.filed_by_hints, facts.boilerplate, facts.misread)
    out = [VERSION, facts.letters, facts.features, facts.group, facts.written]
    out += [
        sum(1 << i for i, flag in enumerate(flags) if flag),
        facts.running_words,
        facts.running_letters,
        facts.tokens,
        facts.word_like,
    ]
    out += map(zigzag, (facts.junk_score, facts.placeholder_score, facts.preferred, facts.outside_allowlist))
    out += [0] if facts.unknown_score == NO_UNKNOWN_SCORE else [1, zigzag(facts.unknown_score)]
    out += [zigzag(facts.log_known), facts.prior_weight, len(facts.guesses)]
    out += [zigzag(value) for guess in facts.guesses for value in guess]
    out += [len(facts.shares)]
    out += [value for label, letters in facts.shares for value in (zigzag(label), letters - 1)]
    return b"".join(map(number, out))


def zigzag(value: int) -> int:
    """Return 0, 1, 2, 3, 4 for 0, -1, 1, -2, 2 and so on."""
    return 2 * value if value >= 0 else -2 * value - 1


def number(value: int) -> bytes:
    """Return seven bits per byte, the lowest first; all bytes but the last have the eighth bit."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


class Unpacker:
    def __init__(self, packed: bytes) -> None:
        self.rest = list(packed)

    def number(self, high: int) -> int:
        value = 0
        for place in range(9):
            if not self.rest:
                break
            byte = self.rest.pop(0)
            value |= (byte & 0x7F) << 7 * place
            if byte < 0x80:
                return check_range(value, 0, high)
        raise ValueError("no end of a number")

    def integer(self, low: int, high: int) -> int:
        value = self.number(1 << 63)
        return check_range(-(value + 1) // 2 if value % 2 else value // 2, low, high)


def check_range(value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise ValueError(f"{value} is not between {low} and {high}")
    return value


def unpack(packed: bytes, labels: int, scripts: int) -> Facts:
    """Raise ValueError unless the bytes are a reading by a model with this many labels."""
    unpacker = Unpacker(packed)
    check_range(unpacker.number(UINT8), VERSION, VERSION)
    letters, features, group, written = (unpacker.number(high) for high in (UINT32, UINT32, scripts - 1, scripts - 1))
    flags = unpacker.number(UINT8)
    words = [unpacker.number(high) for high in (MAX_RUNNING_WORDS, UINT32, UINT32, UINT32)]
    junk_score, placeholder_score = (unpacker.integer(-INT32 - 1, INT32) for _ in range(2))
    preferred, outside_allowlist = (unpacker.integer(-1, labels - 1) for _ in range(2))
    unknown = unpacker.integer(MIN_LOG, -MIN_LOG) if unpacker.number(1) else NO_UNKNOWN_SCORE
    known = unpacker.integer(MIN_LOG, 0)
    prior_weight = unpacker.number(FULL_WEIGHT)
    guesses = [
        (unpacker.integer(0, labels - 1), unpacker.integer(MIN_LOG, 0)) for _ in range(unpacker.number(MAX_LIST_ITEMS))
    ]
    shares = [
        (unpacker.integer(0, labels - 1), unpacker.number(MAX_LETTERS) + 1)
        for _ in range(unpacker.number(MAX_LIST_ITEMS))
    ]
    if unpacker.rest:
        raise ValueError("bytes are rest over")
    return Facts(letters, features, group, written, *split_flags(flags), *words, junk_score, placeholder_score, preferred, outside_allowlist,
                 unknown, known, prior_weight, tuple(guesses), tuple(shares))  # fmt: skip


def split_flags(flags: int) -> Sequence[bool]:
    return [bool(flags >> i & 1) for i in range(4)]
