"""How unlikely the characters of a text are in an encoding, as plain Python."""

from __future__ import annotations

import numpy as np

from tests.twins.charset.multibyte import character

SENTENCE, OTHER, SMALL, HIGH = 0, 1, 2, 2  # a capital is one more than a small letter, beyond ASCII two more
MARK, LETTER = 3, 16
LETTERS, REST, SEVERAL = 0, 1, 2
ILLEGAL, CUT = 128, 32
# The constants of native/charset/text_odds.cpp.
RANDOM, RANDOM_LETTER, RANDOM_REST = 44, 13, 10
LETTER_ODDS, SIGN_ODDS, CONTROL_ODDS = 12, -4, -56
MAX_RUN, FIRST_TRAIL, MAX_ODDS_BYTES = 1 << 12, 0x30, 1 << 11

Way = tuple[int, int, int, list[int]]  # log-odds, cost, kind of the last character, stray bytes


class CharacterCosts:
    """The costs of a file, by class and by kind of encoding."""

    def __init__(self, parts: dict[str, bytes], kinds: list[int]) -> None:
        self.kinds = kinds
        self.bytes = np.frombuffer(parts["byte costs"], np.uint8).reshape(len(kinds), 6, 130)
        self.pairs = np.frombuffer(parts["pair costs"], np.uint8).reshape(7, 128, 256)
        self.steps = np.frombuffer(parts["step costs"], np.uint8).reshape(7, 3, 3)
        self.letters = np.frombuffer(parts["letters"], "<u2").reshape(len(kinds), 256)
        self.sorts = np.frombuffer(parts["sorts"], np.uint8).reshape(len(kinds), 256)

    def cost(self, text: bytes, k: int) -> int:
        return self.single(text, k) if self.kinds[k] in (0, 8) else self.several(text, self.kinds[k])

    def single(self, text: bytes, k: int) -> int:
        total = 0
        for at, c in enumerate(text):
            if c >= 0x80 or (at and text[at - 1] >= 0x80):
                total += int(self.bytes[k, self.context(text[:at], k), symbol(c)])
        return total

    def context(self, before: bytes, k: int) -> int:
        if not before or before.endswith((b"\n", b". ", b"! ", b"? ")):
            return SENTENCE
        sort = int(self.sorts[k, before[-1]])
        if sort != MARK and sort < LETTER:
            return OTHER
        return SMALL + (sort >= LETTER and sort % 2 == 1) + HIGH * (before[-1] >= 0x80)

    def several(self, text: bytes, kind: int) -> int:
        return self.divide(text, kind)[0]

    def divide(self, text: bytes, kind: int) -> tuple[int, int, list[int]]:
        """Return the cost, the log-odds and the stray bytes of the likeliest division into characters.

        Within a run of bytes, the way with the highest log-odds to each boundary is kept.
        """
        cost, odds, strays, before, at = 0, 0, [], REST, 0
        while at < len(text):
            if text[at] < 0x80:
                more, gain = self.plain(text[at], before, kind)
                cost, odds, before, at = cost + more, odds + gain, step(text[at]), at + 1
                continue
            stop = min(len(text), at + MAX_RUN)
            end = next((i for i in range(at, stop) if text[i] < FIRST_TRAIL), stop)
            last, (gain, more, before, lost) = self.divide_run(text, at, end, before, kind)
            cost, odds, strays, at = cost + more, odds + gain, strays + lost, last
        return cost, odds, strays

    def divide_run(self, text: bytes, begin: int, end: int, before: int, kind: int) -> tuple[int, Way]:
        ways: dict[int, Way] = {begin: (0, 0, before, [])}
        for at in range(begin, end):
            if at not in ways:
                continue
            odds, cost, before, lost = ways[at]
            if text[at] < 0x80:
                more, gain = self.plain(text[at], before, kind)
                reach(ways, at + 1, (odds + gain, cost + more, step(text[at]), lost))
                continue
            length = character(text, at, kind)
            size = len(text) - at if length is None else length
            second = text[at + 1] if size == 2 and length else 0
            own = CUT if length is None else int(self.pairs[kind - 1, text[at] - 0x80, second])
            steps = int(self.steps[kind - 1, before, SEVERAL])
            if size:
                reach(ways, at + size, (odds + RANDOM * size - own - steps, cost + own + steps, SEVERAL, lost))
            reach(ways, at + 1, (odds + RANDOM - ILLEGAL - steps, cost + ILLEGAL + steps, SEVERAL, [*lost, at]))
        return max(((at, ways[at]) for at in ways if at >= end), key=lambda item: (item[1][0], -item[0]))

    def plain(self, c: int, before: int, kind: int) -> tuple[int, int]:
        """Return the cost and the log-odds of a character of ASCII in an encoding of East Asia."""
        if before != SEVERAL:
            return 0, plain_odds(c)
        cost = int(self.steps[kind - 1, SEVERAL, step(c)])
        return cost, CONTROL_ODDS if is_control(c) else (RANDOM_LETTER if step(c) == LETTERS else RANDOM_REST) - cost

    def odds(self, text: bytes, k: int) -> int:
        """Return how much likelier a text is than random bytes, in units of costs."""
        text = text[:MAX_ODDS_BYTES]
        if self.kinds[k] not in (0, 8):
            return self.divide(text, self.kinds[k])[1]
        total = 0
        for at, c in enumerate(text):
            if is_control(c) and self.sorts[k, c] < LETTER:
                total += CONTROL_ODDS
            elif c < 0x80 and (not at or text[at - 1] < 0x80):
                total += plain_odds(c)
            else:
                context = self.context(text[:at], k)
                cost = int(self.bytes[k, context, symbol(c)])
                if context in (SMALL + 1, SMALL + 1 + HIGH):
                    cost = min(cost, int(self.bytes[k, context - 1, symbol(self.small(c, k))]))
                total += (RANDOM if c >= 0x80 else RANDOM_LETTER if step(c) == LETTERS else RANDOM_REST) - cost
        return total

    def small(self, c: int, k: int) -> int:
        """Return the byte of the small letter of a capital, or the byte itself."""
        is_capital = [sort >= LETTER and sort % 2 == 1 for sort in self.sorts[k]]
        if c < 0x80 or not is_capital[c]:
            return c
        others = (b for b in range(0x80, 0x100) if b != c and self.letters[k, b] == self.letters[k, c])
        return next((b for b in others if not is_capital[b]), c)


def reach(ways: dict[int, Way], at: int, way: Way) -> None:
    if at not in ways or way[0] > ways[at][0]:
        ways[at] = way


def symbol(c: int) -> int:
    return c - 0x80 if c >= 0x80 else 128 + (step(c) == REST)


def is_control(c: int) -> bool:
    return (c < 0x20 and c not in b"\t\n\f\r") or c == 0x7F


def plain_odds(c: int) -> int:
    if step(c) == LETTERS or c == ord(" "):
        return LETTER_ODDS
    return CONTROL_ODDS if is_control(c) else SIGN_ODDS if c > ord(" ") else 0


def step(c: int) -> int:
    return LETTERS if chr(c).isalpha() else REST
