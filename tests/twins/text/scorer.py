"""The scorer over the sections of a model file: the readable twin of native/text/scorer.cpp."""

from __future__ import annotations

import numpy as np

from tests.twins.text.features import features, words
from tests.twins.text.logs import log_of
from webtongue.lab.train.corpus.pack import script_group
from webtongue.lab.train.text.file import (
    BLOCK,
    LANES,
    LAST_ROW,
    MAX_SLOTS,
    PAIR_ROWS,
    PAIR_SHARED,
    PAIR_ZERO,
    SCALE_BUCKETS,
    SHARED,
    SHARED_CLUSTERS,
    ModelFile,
    get_scale_bucket,
)


def drop_repeats(keys: list[int]) -> list[int]:
    """Return the keys without repeats, as far as a table of 2,048 marks goes back: native/text/repeats.hpp."""
    marks: dict[int, int] = {}
    out = []
    for key in keys:
        if marks.get(key >> 53) != key & 0xFFFFFFFFFFFF:
            marks[key >> 53] = key & 0xFFFFFFFFFFFF
            out.append(key)
    return out


class Scorer:
    """Scores and log-probabilities under uniform priors."""

    MIN_CLUSTERS, MAX_CLUSTERS, MAX_CLUSTER_GAP, MAX_SCORE_GAP, WINDOW = 3, 16, 6 * 1024, 16000, 10 * 1024

    def __init__(self, model: ModelFile) -> None:
        s = model.sections
        self.labels, self.slots = model.labels, model.infos["slot"].tolist()
        self.allowances = dict(zip(self.slots, model.infos["allowance"].tolist(), strict=True))
        self.tiers = model.infos["tier"].tolist()
        self.groups = [script_group(label) for label in self.labels]
        self.lines = np.frombuffer(s["lines"], "<u4").reshape(-1, 16)
        self.blocks = np.frombuffer(s["blocks"], "<u4").reshape(-1, 2)
        self.shared = np.frombuffer(s["shared"], SHARED)
        self.clusters = np.frombuffer(s["clusters"], np.uint8)
        self.rows = np.frombuffer(s["rows"], np.int8).reshape(-1, LANES)
        self.scales, self.exps = np.frombuffer(s["scales"], "<u4"), np.frombuffer(s["exps"], "<u4")
        self.logs = np.frombuffer(s["logs"], "<u4")

    def scale(self, features: int, tier: int) -> int:
        return int(self.scales[max(tier - 1, 0) * SCALE_BUCKETS + get_scale_bucket(features)]) >> 8

    def read(self, keys: list[int]) -> tuple[dict[int, int], list[int], int]:
        """Return scores without shared n-grams, the indices of these, and the number of unseen keys."""
        sums: dict[int, int] = {}
        shared, unseen = [], 0
        for key in keys:
            line = ((key >> 32) * len(self.lines)) >> 32
            pairs = [int(p) for p in self.lines[line] if int(p) >> 18 == key & 0x3FFF]
            unseen += not pairs
            for pair in pairs:
                slot, weight = pair >> 7 & (MAX_SLOTS - 1), pair & 0x7F
                if weight == PAIR_SHARED:
                    shared.append(int(self.blocks[line // BLOCK][1]) + slot)
                elif weight == PAIR_ROWS:
                    row = int(self.blocks[line // BLOCK][0]) + slot
                    while True:
                        self._add(sums, int(self.clusters[row]) & 127, row)
                        if self.clusters[row] & LAST_ROW:
                            break
                        row += 1
                else:
                    sums[slot] = sums.get(slot, 0) + weight - PAIR_ZERO
        return sums, shared, unseen

    def _add(self, sums: dict[int, int], cluster: int, row: int) -> None:
        for lane in range(LANES):
            slot = cluster * LANES + lane
            sums[slot] = sums.get(slot, 0) + int(self.rows[row][lane])

    def choose(self, sums: dict[int, int], shared: list[int], features: int, group: int) -> list[int]:
        """Return the clusters with the highest upper bounds."""
        own = sorted({slot // LANES for slot, of in zip(self.slots, self.groups, strict=True) if of == group})
        lifts = {}
        for cluster in range(own[0], own[-1] + 1):
            slots = [slot for slot in range(cluster * LANES, (cluster + 1) * LANES) if slot in self.allowances]
            if not slots:
                continue
            lifts[cluster] = max(sums.get(slot, 0) for slot in slots)
            if cluster < SHARED_CLUSTERS:
                half = SHARED_CLUSTERS // 2
                for number in shared:
                    lifts[cluster] += (
                        int(self.shared["lift"][number][cluster % half]) >> 4 * (cluster // half) & 15
                    ) * 8
        best, scale = max(lifts.values()), self.scale(features, 1)
        upper_bounds = {
            cluster: -((min(best - lift, self.MAX_SCORE_GAP) * scale) >> 8) for cluster, lift in lifts.items()
        }
        ranked = sorted(upper_bounds, key=lambda c: (-upper_bounds[c], c))[: self.MAX_CLUSTERS]
        return [
            c
            for i, c in enumerate(ranked)
            if i < self.MIN_CLUSTERS or upper_bounds[c] >= upper_bounds[ranked[0]] - self.MAX_CLUSTER_GAP
        ]

    def rank(self, text: str, most: int = 8) -> tuple[list[tuple[str, int, int]], int, int]:
        """Return (label, score, log-probability) best first; features; unseen."""
        keys = drop_repeats([key for key, _ in features(text)])
        sums, shared, unseen = self.read(keys)
        weight = {script_group("zho_Hans"): 6, script_group("kor_Hang"): 5}
        letters: dict[int, int] = {}
        for word, group in words(text):
            if group in self.groups:
                letters[group] = letters.get(group, 0) + len(word) * weight.get(group, 2)
        if not letters:
            return [], len(keys), unseen
        group = min(letters, key=lambda g: (-letters[g], g))
        chosen = self.choose(sums, shared, len(keys), group)
        for number in shared:
            record, row = self.shared[number], int(self.shared["row"][number])
            for cluster in range(SHARED_CLUSTERS):
                if int(record["has"][cluster // 32]) >> cluster % 32 & 1:
                    if cluster in chosen:
                        self._add(sums, cluster, row)
                    row += 1
        scores = {
            slot: sums.get(slot, 0) + (self.allowances[slot] * len(keys) >> 4)
            for slot in self.slots
            if slot // LANES in chosen
        }
        best = max(scores.values())
        first = next(s for c in chosen for s in range(c * LANES, (c + 1) * LANES) if scores.get(s) == best)
        scale = self.scale(len(keys), self.tiers[self.slots.index(first)])
        near = [
            (-((min(best - scores[slot], self.MAX_SCORE_GAP) * scale) >> 8), number)
            for number, slot in enumerate(self.slots)
            if slot in scores and self.groups[number] == group
        ]
        top = max(posterior for posterior, _ in near)
        near = sorted(((p, n) for p, n in near if p >= top - self.WINDOW), key=lambda pair: (-pair[0], pair[1]))
        mass = sum(int(self.exps[min((top - p) >> 2, 4095)]) for p, _ in near)
        norm = top + log_of(mass, self.logs)
        return [(self.labels[n], scores[self.slots[n]], p - norm) for p, n in near[:most]], len(keys), unseen
