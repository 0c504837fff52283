"""Precision and recall on a simulated web, from a stratified sample of pages with weights.

>>> scored = Sample(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([0.5, 0.5, 0.001]), np.ones(3), np.ones(3, bool))
>>> round(pooled_score(scored, {1}).precision, 3)
0.002
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 200
TARGET_PRECISION = 0.9
RULE_OF_THREE = 3.0


@dataclass(frozen=True, slots=True)
class Sample:
    """True and answered labels as numbers (-1 for none), with weight, confidence and reliability of each page."""

    gold: NDArray[np.int64]
    answered: NDArray[np.int64]
    weight: NDArray[np.float64]
    confidence: NDArray[np.float64]
    reliable: NDArray[np.bool_]

    def select(self, mask: NDArray[np.bool_]) -> Sample:
        return Sample(
            self.gold[mask], self.answered[mask], self.weight[mask], self.confidence[mask], self.reliable[mask]
        )

    def keep_answers(self, mask: NDArray[np.bool_]) -> Sample:
        """Return the sample without the answers outside the mask."""
        return Sample(self.gold, np.where(mask, self.answered, -1), self.weight, self.confidence, self.reliable)


@dataclass(frozen=True, slots=True)
class Score:
    """Scores pooled over labels with weights, the 95% interval of the pooled precision, and means over labels."""

    precision: float
    recall: float
    low: float
    high: float
    macro_precision: float
    macro_recall: float
    answered: int  # labels with an answer
    false: int  # pages with a wrong answer in one of the labels
    effective: float  # number of equally weighted wrong pages with the same variance


def pooled_score(sample: Sample, labels: Collection[int]) -> Score:
    """Return the scores of some labels among all pages."""
    is_target = np.zeros(int(max(sample.gold.max(), sample.answered.max(), max(labels))) + 2, bool)
    is_target[list(labels)] = True
    is_answered, gold = is_target[sample.answered], is_target[sample.gold]
    right = is_answered & (sample.answered == sample.gold)
    wrong = is_answered & ~right
    hits, false = sample.weight[right], sample.weight[wrong]
    precision = _share(hits.sum(), false.sum())
    low, high = _interval(hits, false)
    size = len(is_target)
    true = np.bincount(sample.gold[right], hits, size)
    false_weight = np.bincount(sample.answered[wrong], false, size)
    present = np.bincount(sample.gold[gold], sample.weight[gold], size)
    answered = (true + false_weight) > 0
    has_pages = present > 0
    return Score(
        precision, _share(hits.sum(), sample.weight[gold & ~right].sum()), low, high,
        float(np.mean(true[answered] / (true + false_weight)[answered])) if answered.any() else 0.0,
        float(np.mean(true[has_pages] / present[has_pages])) if has_pages.any() else 0.0,
        int(answered.sum()), int(wrong.sum()), float(false.sum() ** 2 / (false**2).sum()) if len(false) else 0.0,
    )  # fmt: skip


def _share(part: float, rest: float) -> float:
    return float(part / (part + rest)) if part + rest else 0.0


def _interval(hits: NDArray[np.float64], false: NDArray[np.float64]) -> tuple[float, float]:
    """Return a bootstrap interval; if there is no wrong answer, ``unobserved_bound`` gives the bound."""
    rng = np.random.default_rng(5)
    shares = [
        _share((hits * rng.poisson(1, len(hits))).sum(), (false * rng.poisson(1, len(false))).sum())
        for _ in range(RESAMPLES)
    ]
    return float(np.quantile(shares, 0.025)), float(np.quantile(shares, 0.975))


def threshold(sample: Sample, labels: Collection[int], precision: float = TARGET_PRECISION) -> float:
    """Return the lowest confidence from which answers in these labels reach a precision, or 2 if there is none."""
    for confidence in (*np.arange(0.0, 0.9, 0.1), 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9999):
        if pooled_score(sample.keep_answers(sample.confidence >= confidence), labels).precision >= precision:
            return float(confidence)
    return 2.0


def unobserved_bound(shares: NDArray[np.float64], pages: NDArray[np.int64]) -> float:
    """Return the 95% bound of the share of the web with a wrong answer in one label, if no page of the sample has one.

    This is the rule of three for the stratum that allows most: a language with half of the web and half of the sample.
    """
    return float(np.max(RULE_OF_THREE * shares / np.maximum(pages, 1)))
