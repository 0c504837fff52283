"""Estimates with 95% intervals, and claims that intervals support, refute or leave open."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scipy import stats

from webtongue.lab.evaluate.measures import wilson_interval
from webtongue.lab.evaluate.tables import Claim

__all__ = [
    "Estimate", "claim_at_least", "claim_by_intervals", "decide", "estimate", "estimate_difference", "estimate_share",
]  # fmt: skip

UNDECIDED = "the intervals neither support nor refute it"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95% interval; without an interval for a single value."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        if math.isnan(self.mean):
            return ""
        return f"{self.mean:.1f}" if math.isinf(self.low) else f"{self.mean:.1f} ± {(self.high - self.low) / 2:.1f}"


def estimate(values: Iterable[float | None]) -> Estimate:
    """Return the mean of the values that are there, with its interval by Student's t.

    >>> str(estimate([90.0, 94.0, None, 92.0])), str(estimate([90.0])), str(estimate([]))
    ('92.0 ± 5.0', '90.0', '')
    """
    known = [value for value in values if value is not None]
    if not known:
        return Estimate(math.nan, -math.inf, math.inf)
    mean = sum(known) / len(known)
    if len(known) == 1:
        return Estimate(mean, -math.inf, math.inf)
    spread = math.sqrt(sum((value - mean) ** 2 for value in known) / (len(known) - 1))
    half = float(stats.t.ppf(0.975, len(known) - 1)) * spread / math.sqrt(len(known))
    return Estimate(mean, mean - half, mean + half)


def estimate_difference(first: Sequence[float], second: Sequence[float]) -> Estimate:
    """Return the mean difference of two systems on the same items, in points where the values are 0 and 1.

    >>> str(estimate_difference([True, True, True, True], [True, False, True, False]))
    '50.0 ± 91.9'
    """
    return estimate(100.0 * (a - b) for a, b in zip(first, second, strict=True))


def decide(
    estimates: Iterable[Estimate], supports: Callable[[Estimate], bool], refutes: Callable[[Estimate], bool]
) -> bool | None:
    """Return False if one estimate refutes, True if all support, None otherwise."""
    listed = list(estimates)
    if any(map(refutes, listed)):
        return False
    return True if listed and all(map(supports, listed)) else None


def claim_by_intervals(
    text: str, holds: bool | None, figures: Mapping[str, Estimate], refuted_by: str, why: str = ""
) -> Claim:
    """Return a claim with its estimates by name."""
    shown = ", ".join(f"{name} {value}" for name, value in figures.items())
    return Claim(text, holds, shown, why or (UNDECIDED if holds is None else "not explained"), refuted_by)


def claim_at_least(text: str, figures: Mapping[str, Estimate], bound: float, refuted_by: str, why: str = "") -> Claim:
    """Return the claim that all figures are at least a bound."""
    holds = decide(figures.values(), lambda value: value.low >= bound, lambda value: value.high < bound)
    return claim_by_intervals(text, holds, figures, refuted_by, why)


def estimate_share(count: int, total: int) -> Estimate:
    """Return a percentage with Wilson's interval."""
    if not total:
        return Estimate(math.nan, -math.inf, math.inf)
    low, high = wilson_interval(count, total)
    return Estimate(100 * count / total, 100 * low, 100 * high)
