"""Separate look-alikes by decisive features: the readable twin of native/text/decisive.cpp."""

from __future__ import annotations

import numpy as np

from tests.twins.text.features import MAX_WORD, features, last, mix, words
from tests.twins.text.logs import log_of
from webtongue.lab.train.corpus.pack import script_group
from webtongue.lab.train.text.file import LOOK_ALIKES, ModelFile

PAIR = 0x3C6EF372FE94F82B
MAX_LOG_PROB_GAP, MAX_SHIFT = 8 * 1024, 24 * 1024
Guess = tuple[str, int, int]  # label, score, log-probability


def keys_of(text: str) -> set[int]:
    """Return all decisive features of a text: those of the scorer, and pairs of neighbouring words."""
    out = {key for key, _ in features(text)}
    cjk, before = script_group("zho_Hans"), ""
    for word, group in words(text):
        now = "" if group == cjk or len(word) > MAX_WORD else word
        if before and now:
            state = PAIR
            for char in f"{before} {now}":
                state = mix(state, ord(char))
            out.add(last(state))
        before = now
    return out


class Decisive:
    """The groups of a model file, one dictionary each."""

    def __init__(self, model: ModelFile) -> None:
        s = model.sections
        starts, tags = np.frombuffer(s["decisive_starts"], "<u4"), np.frombuffer(s["decisive_tags"], "<u4")
        weights = np.frombuffer(s["decisive_weights"], np.int8)
        self.exps, self.logs = np.frombuffer(s["exps"], "<u4"), np.frombuffer(s["logs"], "<u4")
        self.groups = []
        start = tag = weight = 0
        for head in np.frombuffer(s["look_alikes"], LOOK_ALIKES):
            count, bits, size = int(head["count"]), int(head["bits"]), int(head["size"])
            members = starts[start : start + (1 << bits) + 1]
            table = {
                (bucket, int(tags[tag + i])): weights[weight + i * size : weight + (i + 1) * size].tolist()
                for bucket in range(1 << bits)
                for i in range(int(members[bucket]), int(members[bucket + 1]))
            }
            labels = [model.labels[n] for n in head["labels"][:size]]
            self.groups.append((labels, bits, int(head["trust"]), table))
            start, tag, weight = start + (1 << bits) + 1, tag + count, weight + count * size

    def log_mass(self, logs: list[int]) -> int:
        top = max(logs)
        mass = sum(int(self.exps[min((top - p) >> 2, 4095)]) for p in logs)
        return top + log_of(mass, self.logs)

    def rerank(self, text: str, guesses: list[Guess], order: list[str]) -> list[Guess]:
        """Return the guesses with probability moved among look-alikes; `order` are the labels of the model."""
        group = next((g for g in self.groups if guesses and guesses[0][0] in g[0]), None)
        if group is None:
            return guesses
        labels, bits, trust, table = group
        members = [guess for guess in guesses if guess[0] in labels]
        if not any(guess[2] >= guesses[0][2] - MAX_LOG_PROB_GAP for guess in members[1:]):
            return guesses
        sums = [0] * len(labels)
        for key in keys_of(text):
            for lane, weight in enumerate(table.get((key >> (64 - bits), key & 0xFFFFFFFF), ())):
                sums[lane] += weight
        moved = {
            guess[0]: guess[2] - min((max(sums) - sums[labels.index(guess[0])]) * trust, MAX_SHIFT) for guess in members
        }
        shift = self.log_mass([guess[2] for guess in members]) - self.log_mass(list(moved.values()))
        out = [(a, b, min(moved[a] + shift, 0) if a in moved else p) for a, b, p in guesses]
        return sorted(out, key=lambda guess: (-guess[2], order.index(guess[0])))
