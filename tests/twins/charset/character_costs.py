"""How unlikely the characters of a text are in an encoding, as plain Python."""

from __future__ import annotations

import numpy as np

from tests.twins.charset.multibyte import character

SENTENCE, OTHER, SMALL, HIGH = 0, 1, 2, 2  # a capital is one more than a small letter, beyond ASCII two more
MARK, LETTER = 3, 16
LETTERS, REST, SEVERAL = 0, 1, 2
ILLEGAL, CUT = 128, 32


class CharacterCosts:
    """The costs of a file, by class and by kind of encoding."""

    def __init__(self, parts: dict[str, bytes], kinds: list[int]) -> None:
        self.kinds = kinds
        self.bytes = np.frombuffer(parts["byte costs"], np.uint8).reshape(len(kinds), 6, 130)
        self.pairs = np.frombuffer(parts["pair costs"], np.uint8).reshape(7, 128, 256)
        self.steps = np.frombuffer(parts["step costs"], np.uint8).reshape(7, 3, 3)
        self.sorts = np.frombuffer(parts["sorts"], np.uint8).reshape(len(kinds), 256)

    def cost(self, text: bytes, k: int) -> int:
        return self.single(text, k) if self.kinds[k] in (0, 8) else self.several(text, self.kinds[k])

    def single(self, text: bytes, k: int) -> int:
        total = 0
        for at, c in enumerate(text):
            symbol = c - 0x80 if c >= 0x80 else 128 + (step(c) == REST)
            if c >= 0x80 or (at and text[at - 1] >= 0x80):
                total += int(self.bytes[k, self.context(text[:at], k), symbol])
        return total

    def context(self, before: bytes, k: int) -> int:
        if not before or before.endswith((b"\n", b". ", b"! ", b"? ")):
            return SENTENCE
        sort = int(self.sorts[k, before[-1]])
        if sort != MARK and sort < LETTER:
            return OTHER
        return SMALL + (sort >= LETTER and sort % 2 == 1) + HIGH * (before[-1] >= 0x80)

    def several(self, text: bytes, kind: int) -> int:
        total, at, before = 0, 0, REST
        while at < len(text):
            if text[at] < 0x80:
                after = step(text[at])
                total += int(self.steps[kind - 1, before, after]) if before == SEVERAL else 0
                at, before = at + 1, after
                continue
            length = character(text, at, kind)
            if length is None:
                return total + CUT
            total += int(self.steps[kind - 1, before, SEVERAL])
            second = text[at + 1] if length == 2 else 0
            total += int(self.pairs[kind - 1, text[at] - 0x80, second]) if length else ILLEGAL
            at, before = at + (length or 1), SEVERAL
        return total


def step(c: int) -> int:
    return LETTERS if chr(c).isalpha() else REST
