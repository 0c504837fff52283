"""Decide claims on small samples: exact probabilities, and three outcomes: holds, does not hold, cannot be decided."""

from __future__ import annotations

import math
from collections.abc import Sequence

from webtongue.lab.evaluate.measures import mcnemar_probability

__all__ = ["ALPHA", "compare_paired", "compare_shares", "decide", "fisher_probability", "format_probability"]

ALPHA = 0.05  # a difference with a larger probability may be chance


def fisher_probability(right_a: int, total_a: int, right_b: int, total_b: int) -> float:
    """Return Fisher's exact two-sided probability that two equal shares differ so much.

    >>> round(fisher_probability(500, 500, 499, 500), 3), round(fisher_probability(10, 10, 0, 10), 6)
    (1.0, 1.1e-05)
    """
    total, right = total_a + total_b, right_a + right_b
    if not total_a or not total_b:
        return 1.0

    def log_choose(n: int, k: int) -> float:
        return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)

    def log_probability(k: int) -> float:
        return log_choose(total_a, k) + log_choose(total_b, right - k) - log_choose(total, right)

    observed = log_probability(right_a)
    counts = range(max(0, right - total_b), min(total_a, right) + 1)
    return min(1.0, sum(math.exp(log) for k in counts if (log := log_probability(k)) <= observed + 1e-9))


def decide(is_in_direction: bool, probability: float) -> bool | None:
    """Return whether a difference has the claimed direction, None if chance explains it.

    >>> decide(True, 0.01), decide(False, 0.01), decide(True, 0.7)
    (True, False, None)
    """
    return None if probability >= ALPHA else is_in_direction


def compare_shares(larger: tuple[int, int], smaller: tuple[int, int]) -> tuple[bool | None, float]:
    """Return whether the first share of (right, total) is larger, and Fisher's probability."""
    probability = fisher_probability(*larger, *smaller)
    return decide(larger[0] * smaller[1] > smaller[0] * larger[1], probability), probability


def compare_paired(better: Sequence[bool], worse: Sequence[bool]) -> tuple[bool | None, float, int, int]:
    """Return whether the first of two systems is right more often on the same items, McNemar's probability, and the numbers of
    items that only the first and only the second has right."""
    only_first = sum(a and not b for a, b in zip(better, worse, strict=True))
    only_second = sum(b and not a for a, b in zip(better, worse, strict=True))
    probability = mcnemar_probability(only_first, only_second)
    return decide(only_first > only_second, probability), probability, only_first, only_second


def format_probability(probability: float) -> str:
    """Return a p-value as text.

    >>> format_probability(0.0312), format_probability(1e-9), format_probability(1.0)
    ('p = 0.03', 'p < 0.001', 'p = 1.00')
    """
    return (
        "p < 0.001"
        if probability < 0.001
        else f"p = {probability:.3f}"
        if probability < 0.01
        else f"p = {probability:.2f}"
    )
