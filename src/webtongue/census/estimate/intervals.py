"""95% intervals of weighted sums of events, exact (Fay and Feuer 1997) or mid-P (Lancaster 1961, Fay and Kim 2017), and of
differences of such sums (Zou and Donner 2008).

The census extra does not install SciPy, so quantiles of the gamma distribution are computed here, once, on a grid of shapes.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["TAILS", "combine", "event_limits", "gamma_quantile"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
TAILS = (0.025, 0.975)
Z = 1.959963984540054
MIN_SHAPE, MAX_SHAPE, GRID = 0.05, 400.0, 900  # larger shapes have Wilson and Hilferty's approximation, to 1 in 100,000
BISECTIONS = 70
TINY = 1e-300
MAX_SERIES_SHAPE, SERIES_TERMS = 30.0, 320  # larger shapes have an approximation
MAX_SERIES_VALUE = 100.0  # the probability of more is below 1e-16
MIDDLE_BISECTIONS = 12
PRECISION = 1e-9
TERMS = 900  # terms of the series of the incomplete gamma function, enough for MAX_SHAPE


def event_limits(total: Floats, variance: Floats, weight: Floats, is_rare: Bools) -> tuple[Floats, Floats]:
    """Return the limits of weighted numbers of events; ``weight`` is the weight of one more event.

    Events of equal weight have the exact limits of a Poisson count if ``is_rare`` is true, else its mid-P limits:

    >>> five = np.array([0.0, 50.0]), np.array([0.0, 500.0]), np.array([10.0, 10.0])
    >>> [limits.round(1).tolist() for limits in event_limits(*five, np.array([True, True]))]
    [[0.0, 16.2], [36.9, 116.7]]
    >>> [limits.round(1).tolist() for limits in event_limits(*five, np.array([False, False]))]
    [[0.0, 18.3], [30.0, 110.8]]
    """
    gammas = [_Gamma(total, variance), _Gamma(total + weight, variance + weight * weight)]
    low, high = gammas[0].quantile(0), gammas[1].quantile(1)
    mid_low, mid_high = (_middle(gammas, tail) for tail in (0, 1))
    return np.minimum(np.where(is_rare, low, mid_low), total), np.maximum(np.where(is_rare, high, mid_high), total)


class _Gamma:
    """Gamma distributions by mean and variance; all of the mass is at 0 for a mean of 0."""

    def __init__(self, mean: Floats, variance: Floats) -> None:
        self.scale = variance / np.maximum(mean, TINY)
        self.shape = mean**2 / np.maximum(variance, TINY)
        self._is_positive = (mean > 0) & (variance > 0)
        self._mean = mean

    def quantile(self, tail: int) -> Floats:
        """Return the quantile at the lower (0) or upper (1) end of TAILS."""
        return np.where(self._is_positive, self.scale * gamma_quantile(self.shape, tail), self._mean)

    def below(self, x: Floats) -> Floats:
        """Return the probability of a value of at most ``x``, for shapes up to MAX_SERIES_SHAPE."""
        shape = np.clip(self.shape, MIN_SHAPE, MAX_SERIES_SHAPE)
        x = np.where(self._is_positive, x / np.maximum(self.scale, TINY), 0.0).clip(max=MAX_SERIES_VALUE)
        term = np.ones_like(x)
        total = np.ones_like(x)
        for k in range(1, SERIES_TERMS):
            term = term * x / (shape + k)
            total += term
            if k % 16 == 0 and (term < PRECISION * total).all():
                break
        logs = np.array([math.lgamma(a + 1) for a in shape.tolist()])
        value = np.exp(shape * np.log(np.maximum(x, TINY)) - x - logs) * total
        return np.where(self._is_positive, np.clip(value, 0.0, 1.0), 1.0)


def _middle(gammas: list[_Gamma], tail: int) -> Floats:
    """Return mid-P limits: quantiles of the mean of two gamma distributions; halfway between theirs for large shapes."""
    low, high = gammas[0].quantile(tail), gammas[1].quantile(tail)
    halfway = (low + high) / 2
    few = np.flatnonzero(gammas[1].shape < MAX_SERIES_SHAPE)
    if not len(few):
        return halfway
    parts = [_select(gamma, few) for gamma in gammas]
    lower, upper = low[few], high[few]
    for _ in range(MIDDLE_BISECTIONS):
        middle = (lower + upper) / 2
        is_below = (parts[0].below(middle) + parts[1].below(middle)) / 2 < TAILS[tail]
        lower, upper = np.where(is_below, middle, lower), np.where(is_below, upper, middle)
    halfway[few] = (lower + upper) / 2
    return halfway


def _select(gamma: _Gamma, few: Any) -> _Gamma:
    return _Gamma(gamma._mean[few], gamma.scale[few] * gamma._mean[few])


def combine(known: Floats, false: tuple[Floats, Floats, Floats], missed: tuple[Floats, Floats, Floats]) -> Any:
    """Return estimates of ``known - false + missed`` with their limits; both are given as estimate, lower and upper limit."""
    total = known - false[0] + missed[0]
    low = total - np.sqrt((false[2] - false[0]) ** 2 + (missed[0] - missed[1]) ** 2)
    high = total + np.sqrt((false[0] - false[1]) ** 2 + (missed[2] - missed[0]) ** 2)
    return total, np.maximum(low, 0.0), high


def gamma_quantile(shape: Floats, tail: int) -> Floats:
    """Return the quantile of the gamma distribution with scale 1 at the lower (0) or upper (1) end of TAILS.

    >>> gamma_quantile(np.array([1.0, 5.0, 1e4]), 1).round(2).tolist()
    [3.69, 10.24, 10196.94]
    """
    shape = np.maximum(shape, MIN_SHAPE)
    logs, ratios = _grid()
    near = shape * np.exp(np.interp(np.log(shape), logs, ratios[tail]))
    return np.where(shape < MAX_SHAPE, near, _wilson_hilferty(shape, tail))


def _wilson_hilferty(shape: Floats, tail: int) -> Floats:
    z, shape = (-Z, Z)[tail], np.minimum(shape, 1e200)
    return np.asarray(shape * np.maximum(1 - 1 / (9 * shape) + z / (3 * np.sqrt(shape)), 0) ** 3)


@cache
def _grid() -> tuple[Floats, tuple[Floats, Floats]]:
    """Return logarithms of shapes, and of the ratios of both quantiles to the shape."""
    logs = np.linspace(np.log(MIN_SHAPE), np.log(MAX_SHAPE), GRID)
    shape = np.exp(logs)
    steps = np.cumsum(np.log(shape + np.arange(1, TERMS)[:, None]), axis=0)
    log_gamma = np.array([math.lgamma(a + 1) for a in shape.tolist()])
    ratios = []
    for tail in TAILS:
        low, high = np.full(GRID, -80.0), np.log(shape + 12 * np.sqrt(shape) + 12)
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            terms = np.arange(1, TERMS)[:, None] * middle - steps
            below = np.exp(shape * middle - np.exp(middle) - log_gamma) * (1 + np.exp(terms).sum(axis=0)) < tail
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        ratios.append(high - logs)
    return logs, (ratios[0], ratios[1])
