"""The ranking of encodings: scores, invalid bytes, and a comparison of the likeliest."""

from __future__ import annotations

import math

from tests.twins.charset.byte_context import windows
from tests.twins.charset.byte_model import Model
from tests.twins.charset.multibyte import count_multibyte

# The constants of native/charset/encoding_ranking.cpp.
MAX_GAP, MAX_CHECKED_GAP, MAX_CANDIDATE_GAP = 16 * 1024, 8 * 1024, 12 * 1024
MIN_BYTES_PER_DIFFERENCE, BAD_BYTE_COST, MAX_BAD_BYTES = 10, 3 * 1024, 12
MIN_BYTES_PER_BAD, MIN_BYTES_PER_STRAY = 50, 20
CHECKED_BYTES = 1 << 14
MAX_COMMON_NATS, NEUTRAL_SHARE, FULL_CHARACTERS = 4, 717, 8
MAX_CANDIDATES, OTHER_LEAD_DIVISOR, MAX_OTHER_LEAD, MAX_DUEL_LEAD = 24, 4, 2 * 1024, 4 * 1024
MAX_UNLIKELY_CHARACTER = 6 * 1024
IMPOSSIBLE = -(1 << 28)
SINGLE, OTHER = 0, 8
SHORT, PERCENT, UNIT = 128, 45, 128


def detect(model: Model, text: bytes, offsets: list[int], max_guesses: int) -> list[tuple[int, int]]:
    """Return up to ``max_guesses`` pairs of number and log-probability."""
    return EncodingRanking(model, text, offsets).groups(max_guesses)


def bad_byte_cost(bad: int, total: int, min_bytes_per_bad: int) -> int:
    return IMPOSSIBLE if bad * min_bytes_per_bad > total and bad > 1 else -BAD_BYTE_COST * min(bad, MAX_BAD_BYTES)


def commonness(common: int, rare: int, joined: bool) -> int:
    if not common + rare:
        return 0
    share = common * 1024 // (common + rare)
    return int(
        max(-1024, min(1024 if joined else 0, (share - NEUTRAL_SHARE) * 4))
        * MAX_COMMON_NATS
        * min(common + rare, FULL_CHARACTERS)
        / FULL_CHARACTERS
    )


def clamp(value: int, limit: int) -> int:
    return max(-limit, min(limit, value))


class EncodingRanking:
    """Encodings ranked for a text."""

    def __init__(self, model: Model, text: bytes, offsets: list[int]) -> None:
        self.model, self.text, self.offsets = model, text, offsets
        self.counts = [text.count(bytes([c])) if c >= 0x80 else 0 for c in range(256)]
        self.present = [c for c in range(0x80, 256) if self.counts[c]]
        self.high = sum(self.counts)
        self.totals = [t + o for t, o in zip(model.score(text)[0], offsets, strict=True)]
        for k, kind in enumerate(model.kinds):
            self.totals[k] += (self.hole_cost(k) if kind == SINGLE else 0) - self.characters(k)
        checked: set[int] = set()
        while self.check_sequences(checked):
            pass
        self.compare()
        self.demote_unlike_text()

    def hole_cost(self, k: int) -> int:
        empty = [p == 0xFFFD or 0x80 <= p < 0xA0 for p in self.model.tables[k]]
        return bad_byte_cost(sum(self.counts[0x80 + i] for i in range(128) if empty[i]), self.high, MIN_BYTES_PER_BAD)

    def characters(self, k: int) -> int:
        left = max(0, SHORT - len(self.text))
        return self.model.costs.cost(self.text, k) * UNIT * PERCENT * left // (100 * SHORT)

    def ranked(self) -> list[int]:
        return sorted(range(len(self.totals)), key=lambda k: (-self.totals[k], k))

    def check_sequences(self, checked: set[int]) -> bool:
        order = self.ranked()
        for k in order:
            if self.totals[order[0]] - self.totals[k] > MAX_CHECKED_GAP:
                return False
            if self.model.kinds[k] in (SINGLE, OTHER) or k in checked:
                continue
            checked.add(k)
            good, bad, joined, common, rare = self.count_characters(self.model.kinds[k])
            change = (
                bad_byte_cost(bad, 2 * good + bad, MIN_BYTES_PER_STRAY) + commonness(common, rare, 2 * joined >= good)
                if good
                else IMPOSSIBLE
            )
            self.totals[k] += change
            if change:
                return True
        return False

    def count_characters(self, kind: int) -> tuple[int, int, int, int, int]:
        """Count good and bad characters, joined, common and rare ones, without stray bytes if there are few."""
        text = self.text[:CHECKED_BYTES]
        good, _, bad, joined, common, rare = count_multibyte(text, kind)
        if bad or common * 1024 < (common + rare) * NEUTRAL_SHARE:
            strays = self.model.costs.divide(text, kind)[2]
            gaps = sum(stray - 1 not in strays for stray in strays)
            if gaps and gaps * MIN_BYTES_PER_STRAY <= len(text):
                rest = bytes(c for at, c in enumerate(text) if at not in strays)
                good, _, bad, joined, common, rare = count_multibyte(rest, kind)
                bad += gaps
        return good, bad, joined, common, rare

    def demote_unlike_text(self) -> None:
        """Lower the best encodings in which random bytes are likelier than the text."""
        demoted: set[int] = set()
        while (best := self.ranked()[0]) not in demoted and self.totals[best] > IMPOSSIBLE // 2:
            odds = UNIT * self.model.costs.odds(self.text, best) + MAX_UNLIKELY_CHARACTER
            if odds >= 0:
                return
            demoted.add(best)
            self.totals[best] += max(odds, -MAX_GAP)

    def decode_alike(self, a: int, b: int) -> bool:
        single = self.model.kinds[a] == self.model.kinds[b] == SINGLE
        return single and not self.find_differing(a, b)

    def find_differing(self, a: int, b: int) -> set[int]:
        first, second = self.model.tables[a], self.model.tables[b]
        return {c for c in self.present if first[c - 0x80] != second[c - 0x80]}

    def candidates(self) -> list[int]:
        order = self.ranked()
        result: list[int] = []
        for k in order:
            if self.totals[order[0]] - self.totals[k] > MAX_CANDIDATE_GAP or len(result) == MAX_CANDIDATES:
                break
            has_table = self.model.kinds[k] == SINGLE or set(self.model.tables[k]) != {0xFFFD}
            if has_table and not any(self.decode_alike(k, other) for other in result):
                result.append(k)
        return result

    def ngram_lead(self, a: int, b: int) -> int:
        differ = self.find_differing(a, b)
        times = sum(self.counts[c] for c in differ)
        lead = self.totals[a] - self.totals[b]
        if (
            not self.model.kinds[a] == self.model.kinds[b] == SINGLE
            or not times
            or times * MIN_BYTES_PER_DIFFERENCE > self.high
        ):
            return lead
        by_grams = (
            self.model.lead(self.text, differ, a, b)
            + self.offsets[a]
            - self.offsets[b]
            + self.hole_cost(a)
            - self.hole_cost(b)
        )
        rest = clamp(int(lead / OTHER_LEAD_DIVISOR), MAX_OTHER_LEAD)
        return rest + clamp(by_grams, MAX_DUEL_LEAD) + self.characters(b) - self.characters(a)

    def compare(self) -> None:
        candidates, contexts = self.candidates(), self.model.contexts
        if len(candidates) < 2:
            return
        contexts_of_text = windows(self.text) if contexts.known else []

        def lead(a: int, b: int) -> int:
            differ = self.find_differing(a, b)
            deciding = [w for w in contexts_of_text if w[2] in differ]
            total = sum(contexts.weight(w, a) - contexts.weight(w, b) for w in deciding)
            return self.ngram_lead(a, b) + (contexts.nats(total, len(deciding)) if deciding else 0)

        best = candidates[0]
        for k in candidates[1:]:
            if lead(best, k) < 0:
                best = k
        top = self.totals[candidates[0]]
        changed = list(self.totals)
        for candidate in candidates:
            total = top if candidate == best else min(top, top - lead(best, candidate))
            for k in range(len(changed)):
                if k == candidate or self.decode_alike(k, candidate):
                    changed[k] = self.totals[k] + total - self.totals[candidate]
        self.totals = changed

    def groups(self, max_guesses: int) -> list[tuple[int, int]]:
        order, totals = self.ranked(), self.totals
        if totals[order[0]] <= IMPOSSIBLE // 2:
            return []
        near = [k for k in order if totals[order[0]] - totals[k] < MAX_GAP]
        mass = {k: math.exp((totals[k] - totals[order[0]]) / 1024) for k in near}
        total = sum(mass.values())
        result: list[tuple[int, int]] = []
        left = list(near)
        while left and len(result) < max_guesses:
            first = left.pop(0)
            decode_alike = [k for k in left if self.decode_alike(first, k)]
            left = [k for k in left if k not in decode_alike]
            share = sum(mass[k] for k in (first, *decode_alike)) / total
            name = max((first, *decode_alike), key=lambda k: (self.offsets[k], -near.index(k)))
            result.append((name, round(math.log(min(1.0, share)) * 1024)))
        return sorted(result, key=lambda guess: -guess[1])
