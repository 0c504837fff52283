"""The byte model in plain Python: its n-grams and their weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.twins.charset.byte_context import ByteContext
from tests.twins.charset.character_costs import CharacterCosts

SPACE, ORDERS, MAX_PREFIX_BYTES, SPAN_BYTES, MAX_DUEL_BYTES = 0x20, 4, 12, 64, 64
MASK = (1 << 64) - 1


@dataclass
class Rule:
    map: bytes
    high: int
    plain: int
    everywhere: bool
    max_ngrams: int


def span_ngrams(text: bytes, start: int, begin: int, end: int, rule: Rule) -> list[int]:
    keys, window, run, since = [], [SPACE], 1, 8
    for at in range(start, end):
        c = rule.map[text[at]]
        if c == SPACE and run == 1:
            continue
        window.append(c)
        run = min(run + 1, ORDERS)
        since = 0 if c >= 0x80 else since + 1
        if at >= begin:
            for n in range(1, run + 1):
                if (rule.high if since < n else rule.plain) >> (n - 1) & 1:
                    keys.append(int.from_bytes(bytes(window[-n:]), "big"))
        if c == SPACE:
            window, run, since = [SPACE], 1, 8
    return keys


def ngrams(text: bytes, rule: Rule) -> list[int]:
    high = sum(c >= 0x80 for c in text)
    orders = (rule.plain | rule.high if rule.everywhere else rule.high).bit_count()
    expected = (len(text) if rule.everywhere else high) * max(orders, 1)
    step = max(1, -(-expected // rule.max_ngrams))
    keys: list[int] = []
    number = done = at = 0
    while at < len(text):
        if not rule.everywhere:
            at = next((i for i in range(at, len(text)) if text[i] >= 0x80), len(text))
            if at == len(text):
                break
        begin = at
        while begin > done and at - begin < MAX_PREFIX_BYTES and rule.map[text[begin - 1]] != SPACE:
            begin -= 1
        stop = end = min(len(text), begin + SPAN_BYTES)
        if not rule.everywhere:
            last = max(i for i in range(at, stop) if text[i] >= 0x80)
            end = last + 1
            while end < stop and rule.map[text[end]] != SPACE:
                end += 1
            end += end < len(text)
        if number % step == 0:
            keys += span_ngrams(text, max(0, begin - 3), begin, end, rule)
            if len(keys) >= 2 * rule.max_ngrams:
                break
        done = at = end
        number += 1
    return keys


def mix_key(key: int) -> int:
    h = (key + 0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9 & MASK
    h = (h ^ h >> 29) * 0x94D049BB133111EB & MASK
    return h ^ h >> 32


class Model:
    """The sections of a model file as NumPy arrays."""

    def __init__(self, parts: dict[str, bytes]) -> None:
        self.classes = parts["names"].decode().split("\n")
        raw = parts["rule"]
        self.rule = Rule(raw[:256], raw[256], raw[257], bool(raw[258]), int.from_bytes(raw[260:264], "little"))
        self.bias = np.frombuffer(parts["bias"], "<i4").tolist()
        self.tags = np.frombuffer(parts["tags"], "<u2")
        self.rows = np.frombuffer(parts["rows"], np.int8).reshape(len(self.tags), -1)
        self.scales = np.frombuffer(parts["scales"], "<u4").tolist()
        self.kinds = list(parts["kinds"])
        self.tables = np.frombuffer(parts["tables"], "<u2").reshape(-1, 128).tolist()
        self.contexts = ByteContext(parts)
        self.costs = CharacterCosts(parts, self.kinds)

    def row(self, key: int) -> int | None:
        h = mix_key(key)
        at = (h >> 32) * len(self.tags) >> 32
        return at if self.tags[at] == (h & 0xFFFF or 1) else None

    def scale(self, count: int) -> int:
        return self.scales[min(count, len(self.scales) - 1)]

    def score(self, text: bytes) -> tuple[list[int], int]:
        rows = [row for key in ngrams(text, self.rule) if (row := self.row(key)) is not None]
        sums = self.rows[rows].astype(np.int64).sum(axis=0) if rows else np.zeros(self.rows.shape[1], np.int64)
        scale = self.scale(len(rows))
        return [bias + (int(s) * scale >> 16) for bias, s in zip(self.bias, sums, strict=False)], len(rows)

    def lead(self, text: bytes, differ: set[int], a: int, b: int) -> int:
        """Return the lead of a class over another by the n-grams with one of these bytes."""
        places = [i for i, c in enumerate(text) if c in differ][:MAX_DUEL_BYTES]
        keys = {key for i in places for key in self.around(text, i)}
        rows = [row for key in keys if (row := self.row(key)) is not None]
        total = sum(int(self.rows[row, a]) - int(self.rows[row, b]) for row in rows)
        return total * self.scale(len(rows)) >> 16

    def around(self, text: bytes, at: int) -> list[int]:
        """Return n-grams with the byte at a position; a space can only be the first or last byte."""
        mapped = [SPACE] * ORDERS + [self.rule.map[c] for c in text]
        keys = []
        for last in range(at, min(at + ORDERS, len(text))):
            for n in range(1, ORDERS + 1):
                gram = mapped[last - n + 1 + ORDERS : last + 1 + ORDERS]
                if last - n + 1 < -1 or SPACE in gram[1:-1] or (SPACE in gram[:-1] and gram[0] != SPACE):
                    break
                if last - n + 1 <= at and self.rule.high >> (n - 1) & 1:
                    keys.append(int.from_bytes(bytes(gram), "big"))
                if gram[0] == SPACE and n > 1:
                    break
            if last > at and mapped[last + ORDERS] == SPACE:
                break
        return keys
