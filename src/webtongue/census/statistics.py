"""Student's t distribution, exact binomial limits and a test of many hypotheses: the census extra does not install SciPy."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["beyond_chance", "binomial_limits", "student_factor", "student_tails"]

MIN_DIVISOR = 1e-300
PRECISION = 1e-14
MAX_TERMS = 500  # terms of the continued fraction
MAX_FACTOR = 1e6
BISECTIONS = 60


def student_tails(t: float, degrees: float) -> float:
    """Return the two-sided p-value of ``t`` under Student's distribution.

    >>> round(student_tails(2.776, 4), 4), student_tails(0.0, 4)
    (0.05, 1.0)
    """
    if math.isinf(t):
        return 0.0
    return _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t))


def student_factor(degrees: float, tails: float = 0.05) -> float:
    """Return the half-width of an interval in standard errors: 1.96 for 95% and very many degrees of freedom.

    >>> round(student_factor(4), 3), round(student_factor(1e6), 2)
    (2.776, 1.96)
    """
    low, high = 0.0, 1.0
    while student_tails(high, degrees) > tails and high < MAX_FACTOR:
        high *= 2
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if student_tails(middle, degrees) > tails else (low, middle)
    return high


def beyond_chance(p_values: Sequence[float], rate: float = 0.05) -> list[bool]:
    """Return which results are significant at a false discovery rate of ``rate`` (Benjamini and Hochberg 1995).

    >>> beyond_chance([0.001, 0.04, 0.02, 0.9])
    [True, False, True, False]
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    accepted = 0
    for rank, i in enumerate(order, 1):
        if p_values[i] <= rate * rank / len(order):
            accepted = rank
    significant = set(order[:accepted])
    return [i in significant for i in range(len(p_values))]


def binomial_limits(successes: float, trials: float, tails: float = 0.05) -> tuple[float, float]:
    """Return the exact limits of a proportion (Clopper and Pearson 1934); the numbers need not be integers.

    >>> [round(limit, 4) for limit in binomial_limits(8, 10)], [round(limit, 4) for limit in binomial_limits(0, 10)]
    ([0.4439, 0.9748], [0.0, 0.3085])
    """
    low = _beta_quantile(tails / 2, successes, trials - successes + 1) if successes > PRECISION else 0.0
    high = _beta_quantile(1 - tails / 2, successes + 1, trials - successes) if trials - successes > PRECISION else 1.0
    return low, high


def _beta_quantile(probability: float, a: float, b: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if _incomplete_beta(a, b, middle) < probability else (low, middle)
    return (low + high) / 2


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    c, d = 1.0, 1 / _avoid_zero(1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, MAX_TERMS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _avoid_zero(1 + term * d)
            c = _avoid_zero(1 + term / c)
            fraction *= c * d
        if abs(c * d - 1) < PRECISION:
            break
    return front * fraction


def _avoid_zero(value: float) -> float:
    return value if abs(value) > MIN_DIVISOR else MIN_DIVISOR
