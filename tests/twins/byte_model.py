"""The byte model as plain Python: which n-grams count, what they weigh, and how codings are ranked by them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tests.twins.byte_context import Readings, windows

SPACE, ORDERS, BACK, STRETCH, PLACES = 0x20, 4, 12, 64, 64
WINDOW, NEAR, FEW, BAD, MOST_BAD, ONE_IN, CHECKED = 16 * 1024, 8 * 1024, 10, 3 * 1024, 12, 50, 1 << 14
COMMON, HALFWAY, ENOUGH = 4, 717, 8
CONTEST, CONTENDERS, REST, MOST_REST = 12 * 1024, 24, 4, 2 * 1024
IMPOSSIBLE = -(1 << 28)
CLEAR = 4 * 1024
SINGLE, OTHER = 0, 8
MASK = (1 << 64) - 1


@dataclass
class Rule:
    map: bytes
    high: int
    plain: int
    everywhere: bool
    most: int


def stretch(text: bytes, start: int, begin: int, end: int, rule: Rule) -> list[int]:
    keys, window, run, since = [], [SPACE], 1, 8
    for place in range(start, end):
        c = rule.map[text[place]]
        if c == SPACE and run == 1:
            continue
        window.append(c)
        run = min(run + 1, ORDERS)
        since = 0 if c >= 0x80 else since + 1
        if place >= begin:
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
    step = max(1, -(-expected // rule.most))
    keys: list[int] = []
    number = done = place = 0
    while place < len(text):
        if not rule.everywhere:
            place = next((i for i in range(place, len(text)) if text[i] >= 0x80), len(text))
            if place == len(text):
                break
        begin = place
        while begin > done and place - begin < BACK and rule.map[text[begin - 1]] != SPACE:
            begin -= 1
        stop = end = min(len(text), begin + STRETCH)
        if not rule.everywhere:
            last = max(i for i in range(place, stop) if text[i] >= 0x80)
            end = last + 1
            while end < stop and rule.map[text[end]] != SPACE:
                end += 1
            end += end < len(text)
        if number % step == 0:
            keys += stretch(text, max(0, begin - 3), begin, end, rule)
            if len(keys) >= 2 * rule.most:
                break
        done = place = end
        number += 1
    return keys


def mixed(key: int) -> int:
    h = (key + 0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9 & MASK
    h = (h ^ h >> 29) * 0x94D049BB133111EB & MASK
    return h ^ h >> 32


# First bytes of the common characters and of signs, and the least second byte of common ones.
ROWS: dict[int, tuple[list[tuple[int, int]], list[tuple[int, int]], int, int]] = {
    1: ([(0xB0, 0xD7)], [(0xA1, 0xA9)], 0xA1, 0x81), 2: ([(0xA4, 0xC6)], [(0xA1, 0xA3)], 0x40, 0x87),
    3: ([(0xA4, 0xA5), (0xB0, 0xCF)], [(0xA1, 0xA8)], 0x40, 0x8F), 4: ([(0x82, 0x83), (0x88, 0x97)], [(0x81, 0x87)], 0x40, 0x81),
    5: ([(0xB0, 0xC8)], [(0xA1, 0xAF)], 0xA1, 0x81),
}  # fmt: skip


def validity(text: bytes, kind: int) -> tuple[int, int, int, int, int, int]:
    """Characters of several bytes, those of more than two, bytes that begin none, those right after another, common and rare ones."""
    good = long_ones = bad = place = joined = common = rare = 0
    last = -1
    while place < len(text):
        length = character(text, place, kind)
        if length is None:
            break
        if length > 1 and kind in ROWS:
            usual, signs, least, first = ROWS[kind]
            c = text[place]
            if inside(c, usual) and text[place + 1] >= least:
                common += 1
            elif c >= first and (inside(c, usual) or not inside(c, signs)):
                rare += 1
        if length > 1:
            joined += place == last
            last = place + length
        good += length > 1
        long_ones += length > 2
        bad += length == 0
        place += length or 1
    return good, long_ones, bad, joined, common, rare


def character(text: bytes, at: int, kind: int) -> int | None:
    """Length of the character at a place, 0 if there is none, None if the text ends inside it."""
    name = ("", "gb18030", "big5", "euc_jp", "shift_jis", "euc_kr", "johab", "euc_tw")[kind]
    c = text[at]
    if c < 0x80 or (name == "shift_jis" and 0xA1 <= c <= 0xDF):
        return 1
    leads = {
        "gb18030": [(0x81, 0xFE)], "big5": [(0x87, 0xFE)], "euc_jp": [(0x8E, 0x8F), (0xA1, 0xFE)],
        "shift_jis": [(0x81, 0x9F), (0xE0, 0xFC)], "euc_kr": [(0x81, 0xFE)],
        "johab": [(0x84, 0xD3), (0xD8, 0xDE), (0xE0, 0xF9)], "euc_tw": [(0x8E, 0x8E), (0xA1, 0xFD)],
    }  # fmt: skip
    if not inside(c, leads[name]):
        return 0
    rest = text[at + 1 : at + 4]
    if not rest:
        return None
    if name == "gb18030" and 0x30 <= rest[0] <= 0x39:
        if len(rest) < 3:
            return None
        return 4 * (0x81 <= rest[1] <= 0xFE and 0x30 <= rest[2] <= 0x39)
    euc = [(0xA1, 0xFE)]
    if name == "euc_jp" and c == 0x8F:
        return None if len(rest) < 2 else 3 * (inside(rest[0], euc) and inside(rest[1], euc))
    if name == "euc_tw" and c == 0x8E:
        ok = len(rest) == 3 and 0xA1 <= rest[0] <= 0xB0 and inside(rest[1], euc) and inside(rest[2], euc)
        return None if len(rest) < 3 else 4 * ok
    trails = {
        "gb18030": [(0x40, 0x7E), (0x80, 0xFE)], "big5": [(0x40, 0x7E), (0xA1, 0xFE)],
        "euc_jp": [(0xA1, 0xDF)] if c == 0x8E else euc, "shift_jis": [(0x40, 0x7E), (0x80, 0xFC)],
        "euc_kr": euc if c >= 0xC7 else [(0x41, 0x5A), (0x61, 0x7A), (0x81, 0xFE)],
        "johab": [(0x41, 0x7E), (0x81, 0xFE)] if c <= 0xD3 else [(0x31, 0x7E), (0x91, 0xFE)], "euc_tw": euc,
    }  # fmt: skip
    return 2 * inside(rest[0], trails[name])


def inside(c: int, ranges: list[tuple[int, int]]) -> bool:
    return any(low <= c <= high for low, high in ranges)


class Model:
    """A file's sections, read by NumPy."""

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
        self.readings = Readings(parts)

    def row(self, key: int) -> int | None:
        h = mixed(key)
        place = (h >> 32) * len(self.tags) >> 32
        return place if self.tags[place] == (h & 0xFFFF or 1) else None

    def scale(self, count: int) -> int:
        return self.scales[min(count, len(self.scales) - 1)]

    def score(self, text: bytes) -> tuple[list[int], int]:
        rows = [row for key in ngrams(text, self.rule) if (row := self.row(key)) is not None]
        sums = self.rows[rows].astype(np.int64).sum(axis=0) if rows else np.zeros(self.rows.shape[1], np.int64)
        scale = self.scale(len(rows))
        return [bias + (int(s) * scale >> 16) for bias, s in zip(self.bias, sums, strict=False)], len(rows)

    def duel(self, text: bytes, differ: set[int], a: int, b: int) -> int:
        places = [i for i, c in enumerate(text) if c in differ][:PLACES]
        keys = {key for i in places for key in self.around(text, i)}
        rows = [row for key in keys if (row := self.row(key)) is not None]
        total = sum(int(self.rows[row, a]) - int(self.rows[row, b]) for row in rows)
        return total * self.scale(len(rows)) >> 16

    def around(self, text: bytes, at: int) -> list[int]:
        """N-grams that hold the byte at a place; a space is the first or last byte of one, or in none."""
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

    def detect(self, text: bytes, offsets: list[int], most: int) -> list[tuple[int, int]]:
        return Ranking(self, text, offsets).groups(most)


def cost(bad: int, everything: int) -> int:
    return IMPOSSIBLE if bad * ONE_IN > everything and bad > 1 else -BAD * min(bad, MOST_BAD)


def commonness(common: int, rare: int, joined: bool) -> int:
    if not common + rare:
        return 0
    share = common * 1024 // (common + rare)
    return int(
        max(-1024, min(1024 if joined else 0, (share - HALFWAY) * 4)) * COMMON * min(common + rare, ENOUGH) / ENOUGH
    )


def clamp(value: int, most: int) -> int:
    return max(-most, min(most, value))


class Ranking:
    """Codings in the order in which they may be a text's."""

    def __init__(self, model: Model, text: bytes, offsets: list[int]) -> None:
        self.model, self.text, self.offsets = model, text, offsets
        self.counts = [text.count(bytes([c])) if c >= 0x80 else 0 for c in range(256)]
        self.high = sum(self.counts)
        self.totals = [t + o for t, o in zip(model.score(text)[0], offsets, strict=True)]
        for k, kind in enumerate(model.kinds):
            self.totals[k] += self.holes(k) if kind == SINGLE else 0
        checked: set[int] = set()
        while self.check_sequences(checked):
            pass
        self.contest()

    def holes(self, k: int) -> int:
        empty = [p == 0xFFFD or 0x80 <= p < 0xA0 for p in self.model.tables[k]]
        return cost(sum(self.counts[0x80 + i] for i in range(128) if empty[i]), self.high)

    def ranked(self) -> list[int]:
        return sorted(range(len(self.totals)), key=lambda k: (-self.totals[k], k))

    def check_sequences(self, checked: set[int]) -> bool:
        order = self.ranked()
        for k in order:
            if self.totals[order[0]] - self.totals[k] > NEAR:
                return False
            if self.model.kinds[k] in (SINGLE, OTHER) or k in checked:
                continue
            checked.add(k)
            good, _, bad, joined, common, rare = validity(self.text[:CHECKED], self.model.kinds[k])
            change = cost(bad, 2 * good + bad) + commonness(common, rare, 2 * joined >= good) if good else IMPOSSIBLE
            self.totals[k] += change
            if change:
                return True
        return False

    def alike(self, a: int, b: int) -> bool:
        single = self.model.kinds[a] == self.model.kinds[b] == SINGLE
        return single and not self.differing(a, b)

    def differing(self, a: int, b: int) -> set[int]:
        one, other = self.model.tables[a], self.model.tables[b]
        return {c for c in range(0x80, 256) if self.counts[c] and one[c - 0x80] != other[c - 0x80]}

    def contenders(self) -> list[int]:
        order = self.ranked()
        out: list[int] = []
        for k in order:
            if self.totals[order[0]] - self.totals[k] > CONTEST or len(out) == CONTENDERS:
                break
            tabled = self.model.kinds[k] == SINGLE or set(self.model.tables[k]) != {0xFFFD}
            if tabled and not any(self.alike(k, other) for other in out):
                out.append(k)
        return out

    def first_lead(self, a: int, b: int) -> int:
        differ = self.differing(a, b)
        times = sum(self.counts[c] for c in differ)
        lead = self.totals[a] - self.totals[b]
        if not self.model.kinds[a] == self.model.kinds[b] == SINGLE or not times or times * FEW > self.high:
            return lead
        duel = (
            self.model.duel(self.text, differ, a, b) + self.offsets[a] - self.offsets[b] + self.holes(a) - self.holes(b)
        )
        rest = clamp(int(lead / REST), MOST_REST)
        return rest + clamp(duel, CLEAR)

    def contest(self) -> None:
        rivals, readings = self.contenders(), self.model.readings
        if len(rivals) < 2:
            return
        seen = windows(self.text) if readings.known else []

        def lead(a: int, b: int) -> int:
            told = [w for w in seen if w[2] in self.differing(a, b)]
            total = sum(readings.worth(w, a) - readings.worth(w, b) for w in told)
            return self.first_lead(a, b) + (readings.nats(total, len(told)) if told else 0)

        best = rivals[0]
        for k in rivals[1:]:
            if lead(best, k) < 0:
                best = k
        top = self.totals[rivals[0]]
        changed = list(self.totals)
        for rival in rivals:
            total = top if rival == best else min(top, top - lead(best, rival))
            for k in range(len(changed)):
                if k == rival or self.alike(k, rival):
                    changed[k] = self.totals[k] + total - self.totals[rival]
        self.totals = changed

    def groups(self, most: int) -> list[tuple[int, int]]:
        order, totals = self.ranked(), self.totals
        if totals[order[0]] <= IMPOSSIBLE // 2:
            return []
        near = [k for k in order if totals[order[0]] - totals[k] < WINDOW]
        mass = {k: math.exp((totals[k] - totals[order[0]]) / 1024) for k in near}
        everything = sum(mass.values())
        out: list[tuple[int, int]] = []
        left = list(near)
        while left and len(out) < most:
            first = left.pop(0)
            alike = [k for k in left if self.alike(first, k)]
            left = [k for k in left if k not in alike]
            share = sum(mass[k] for k in (first, *alike)) / everything
            name = max((first, *alike), key=lambda k: (self.offsets[k], -near.index(k)))
            out.append((name, round(math.log(min(1.0, share)) * 1024)))
        return sorted(out, key=lambda found: -found[1])
