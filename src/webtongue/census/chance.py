"""What chance can do: Student's t, and which of many results stand."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["beyond_chance", "student_factor", "student_tails"]

TINY = 1e-300
EXACT = 1e-14
MOST_TERMS = 500
WIDEST = 1e6  # of a factor
HALVINGS = 60


def student_tails(t: float, degrees: float) -> float:
    """The chance of a value so far from 0 on either side.

    >>> round(student_tails(2.776, 4), 4), student_tails(0.0, 4)
    (0.05, 1.0)
    """
    if math.isinf(t):
        return 0.0
    return _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t))


def student_factor(degrees: float, tails: float = 0.05) -> float:
    """How many standard errors an interval is wide on each side: 1.96 for 95% and very many degrees of freedom.

    >>> round(student_factor(4), 3), round(student_factor(1e6), 2)
    (2.776, 1.96)
    """
    low, high = 0.0, 1.0
    while student_tails(high, degrees) > tails and high < WIDEST:
        high *= 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if student_tails(middle, degrees) > tails else (low, middle)
    return high


def beyond_chance(chances: Sequence[float], rate: float = 0.05) -> list[bool]:
    """Which results to believe so that of those believed no more than ``rate`` are chance (Benjamini and Hochberg 1995).

    >>> beyond_chance([0.001, 0.04, 0.02, 0.9])
    [True, False, True, False]
    """
    order = sorted(range(len(chances)), key=chances.__getitem__)
    last = -1
    for place, i in enumerate(order):
        if chances[i] <= rate * (place + 1) / len(order):
            last = place
    believed = set(order[: last + 1])
    return [i in believed for i in range(len(chances))]


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    out = d
    for m in range(1, MOST_TERMS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _away(1 + term * d)
            c = _away(1 + term / c)
            out *= c * d
        if abs(c * d - 1) < EXACT:
            break
    return front * out


def _away(value: float) -> float:
    return value if abs(value) > TINY else TINY
