"""Detect unknown languages by coverage: the readable twin of native/text/coverage.cpp and unknown_language.cpp."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.twins.text.logs import log_of

TABLE = (Path(__file__).parents[3] / "native" / "tables" / "unknown_language.inc").read_text("ascii")
SCALE = 1024
DISTINCTIVE_WEIGHT = 20
Ngram = tuple[int, int]  # weight for the label, order (5: a whole word)


def weights(name: str) -> list[list[int]]:
    """Return the rows of a table, the bias first."""
    rows = TABLE.split(f"{name}_WEIGHTS[")[1].split("= {")[1].split("};")[0]
    return [[int(value) for value in re.findall(r"-?\d+", row)] for row in rows.split("}") if "{" in row]


def bucket(features: int) -> int:
    if features < 4:
        return features
    top = features.bit_length() - 1
    return min(63, (top - 1) * 4 + (features >> (top - 2) & 3))


def halvings(features: int) -> int:
    """Return how often the features are halved until few enough are left to look up."""
    return 0 if features <= 1280 else 1 + halvings(features // 2)


def clamp(value: float, low: int, high: int) -> int:
    return max(low, min(high, int(value)))


def score_features(
    logs: list[int], score: int, best_other_score: int, features: int, unseen: int, low: int, high: int
) -> list[int]:
    """Return the features from the guesses, the counts of the text, and the normal values of the best label."""
    lead = logs[0] - logs[1] if len(logs) > 1 else 12 * SCALE
    return [
        clamp(score * 16 * SCALE / (features * max(low, 512)), 0, 2 * SCALE),
        min(unseen * 65535 * SCALE // (features * (high + 1311)), 6 * SCALE),
        min(lead, 12 * SCALE),
        min(-logs[0], 4 * SCALE),
        bucket(features) * SCALE // 4,
        clamp(score * SCALE / (features * 32), 0, 4 * SCALE),
        clamp((best_other_score - score) * SCALE / (features * 32), 0, 2 * SCALE),
    ]


def share(ngrams: Iterable[int], condition: Callable[[int], bool], if_empty: int) -> int:
    matches = [condition(weight) for weight in ngrams]
    return sum(matches) * SCALE // len(matches) if matches else if_empty


def coverage_features(ngrams: list[Ngram], max_order: int) -> list[int]:
    """Return the features from the weights of the n-grams for the label."""
    long = [weight for weight, order in ngrams if order == max_order]
    distinctive = share(long, lambda weight: weight > DISTINCTIVE_WEIGHT, SCALE)
    return [
        distinctive,
        share((weight for weight in long if weight > 0), lambda weight: weight > DISTINCTIVE_WEIGHT, 0),
        share((weight for weight, order in ngrams if order == 5), lambda weight: weight > 0, distinctive),
        share((weight for weight, _ in ngrams), lambda weight: weight < 0, 0),
    ]


def weigh_features(row: list[int], values: list[int]) -> int:
    total = row[0] + sum(int(weight * value / SCALE) for weight, value in zip(row[1:], values, strict=True))
    return int(total / 1024)


def unknown_score(first: list[int], second: list[int], features: int, tier: int) -> int | None:
    """Return hundredths of a nat, or None if the scores exclude an unknown language."""
    row = 2 * ((features >= 192) + (features >= 576)) + (tier > 1)
    if weigh_features(weights("FIRST")[row], first) <= 0:
        return None
    return weigh_features(weights("UNKNOWN")[row], first + second)


def log_known(unknown: int, exps: list[int], logs: list[int]) -> int:
    """Return ln(1 / (1 + e^x)) by the tables of the model, in 1/1024 nats."""
    nats = int(unknown * SCALE / 100)
    return -max(nats, 0) - log_of((1 << 30) + exps[min(abs(nats) >> 2, 4095)], logs)
