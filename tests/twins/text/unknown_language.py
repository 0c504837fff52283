"""How well a label knows a text, and whether it is too unknown for it: native/text/coverage.cpp and unknown_language.cpp, readably."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.twins.text.logs import log_of

TABLE = (Path(__file__).parents[3] / "native" / "tables" / "unknown_language.inc").read_text("ascii")
ONE = 1024
WELL = 20
Gram = tuple[int, int]  # weight for the label, order (5: a whole word)


def weights(name: str) -> list[list[int]]:
    """The rows of a table, the bias first."""
    rows = TABLE.split(f"{name}_WEIGHTS[")[1].split("= {")[1].split("};")[0]
    return [[int(value) for value in re.findall(r"-?\d+", row)] for row in rows.split("}") if "{" in row]


def bucket(features: int) -> int:
    if features < 4:
        return features
    top = features.bit_length() - 1
    return min(63, (top - 1) * 4 + (features >> (top - 2) & 3))


def halvings(features: int) -> int:
    """How often the features are halved until few enough are left to look up."""
    return 0 if features <= 1280 else 1 + halvings(features // 2)


def clamp(value: float, low: int, high: int) -> int:
    return max(low, min(high, int(value)))


def first_look(
    logs: list[int], score: int, elsewhere: int, features: int, unseen: int, low: int, high: int
) -> list[int]:
    """Of the log-probabilities of the guesses, what the text came to, and what is normal for the best label."""
    lead = logs[0] - logs[1] if len(logs) > 1 else 12 * ONE
    return [
        clamp(score * 16 * ONE / (features * max(low, 512)), 0, 2 * ONE),
        min(unseen * 65535 * ONE // (features * (high + 1311)), 6 * ONE),
        min(lead, 12 * ONE),
        min(-logs[0], 4 * ONE),
        bucket(features) * ONE // 4,
        clamp(score * ONE / (features * 32), 0, 4 * ONE),
        clamp((elsewhere - score) * ONE / (features * 32), 0, 2 * ONE),
    ]


def share(grams: Iterable[int], holds: Callable[[int], bool], otherwise: int) -> int:
    found = [holds(weight) for weight in grams]
    return sum(found) * ONE // len(found) if found else otherwise


def second_look(grams: list[Gram], longest: int) -> list[int]:
    """Of the label's weights for the text's n-grams."""
    long = [weight for weight, order in grams if order == longest]
    well = share(long, lambda weight: weight > WELL, ONE)
    return [
        well,
        share((weight for weight in long if weight > 0), lambda weight: weight > WELL, 0),
        share((weight for weight, order in grams if order == 5), lambda weight: weight > 0, well),
        share((weight for weight, _ in grams), lambda weight: weight < 0, 0),
    ]


def weigh(row: list[int], values: list[int]) -> int:
    total = row[0] + sum(int(weight * value / ONE) for weight, value in zip(row[1:], values, strict=True))
    return int(total / 1024)


def unknown_score(first: list[int], second: list[int], features: int, tier: int) -> int | None:
    """Hundredths of a nat; None where the first look leaves no doubt."""
    row = 2 * ((features >= 192) + (features >= 576)) + (tier > 1)
    if weigh(weights("FIRST")[row], first) <= 0:
        return None
    return weigh(weights("UNKNOWN")[row], first + second)


def log_known(unknown: int, exps: list[int], logs: list[int]) -> int:
    """ln(1 / (1 + e^x)) by the model's tables, 1/1024 nats."""
    nats = int(unknown * ONE / 100)
    return -max(nats, 0) - log_of((1 << 30) + exps[min(abs(nats) >> 2, 4095)], logs)
