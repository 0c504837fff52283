"""The codings in the order in which they may be a text's: scores, what the bytes rule out, and a contest of the likeliest."""

from __future__ import annotations

import math

from tests.twins.coding.byte_context import windows
from tests.twins.coding.byte_model import Model
from tests.twins.coding.multibyte import validity

WINDOW, NEAR, FEW, BAD, MOST_BAD, ONE_IN, CHECKED = 16 * 1024, 8 * 1024, 10, 3 * 1024, 12, 50, 1 << 14
COMMON, HALFWAY, ENOUGH = 4, 717, 8
CONTEST, CONTENDERS, REST, MOST_REST = 12 * 1024, 24, 4, 2 * 1024
IMPOSSIBLE = -(1 << 28)
CLEAR = 4 * 1024
SINGLE, OTHER = 0, 8


def detect(model: Model, text: bytes, offsets: list[int], most: int) -> list[tuple[int, int]]:
    """Up to ``most`` answers: number and log-probability."""
    return Contest(model, text, offsets).groups(most)


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


class Contest:
    """Codings in the order in which they may be a text's."""

    def __init__(self, model: Model, text: bytes, offsets: list[int]) -> None:
        self.model, self.text, self.offsets = model, text, offsets
        self.counts = [text.count(bytes([c])) if c >= 0x80 else 0 for c in range(256)]
        self.present = [c for c in range(0x80, 256) if self.counts[c]]
        self.high = sum(self.counts)
        self.totals = [t + o for t, o in zip(model.score(text)[0], offsets, strict=True)]
        for k, kind in enumerate(model.kinds):
            self.totals[k] += self.holes(k) if kind == SINGLE else 0
        checked: set[int] = set()
        while self.check_sequences(checked):
            pass
        self.settle()

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
        return {c for c in self.present if one[c - 0x80] != other[c - 0x80]}

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
        by_grams = (
            self.model.lead(self.text, differ, a, b) + self.offsets[a] - self.offsets[b] + self.holes(a) - self.holes(b)
        )
        rest = clamp(int(lead / REST), MOST_REST)
        return rest + clamp(by_grams, CLEAR)

    def settle(self) -> None:
        rivals, contexts = self.contenders(), self.model.contexts
        if len(rivals) < 2:
            return
        seen = windows(self.text) if contexts.known else []

        def lead(a: int, b: int) -> int:
            differ = self.differing(a, b)
            told = [w for w in seen if w[2] in differ]
            total = sum(contexts.worth(w, a) - contexts.worth(w, b) for w in told)
            return self.first_lead(a, b) + (contexts.nats(total, len(told)) if told else 0)

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
