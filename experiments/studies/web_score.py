"""Precision and recall on a simulated web, from a sample that is drawn label by label: every page counts as many as it stands for.

>>> scored = Sample(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([0.5, 0.5, 0.001]), np.ones(3), np.ones(3, bool))
>>> round(pooled(scored, {1}).precision, 3)
0.002
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 200
WANTED = 0.9  # precision
RULE_OF_THREE = 3.0


@dataclass(frozen=True, slots=True)
class Sample:
    """Gold and answered labels as numbers (-1 for none), what each page stands for, its confidence, and whether it is reliable."""

    gold: NDArray[np.int64]
    said: NDArray[np.int64]
    weight: NDArray[np.float64]
    confidence: NDArray[np.float64]
    reliable: NDArray[np.bool_]

    def some(self, which: NDArray[np.bool_]) -> Sample:
        return Sample(
            *(column[which] for column in (self.gold, self.said, self.weight, self.confidence, self.reliable))
        )

    def only(self, which: NDArray[np.bool_]) -> Sample:
        """The same pages, the other ones answered by nothing."""
        return Sample(self.gold, np.where(which, self.said, -1), self.weight, self.confidence, self.reliable)


@dataclass(frozen=True, slots=True)
class Score:
    """Pooled over labels: pages count by their weight; then the mean over labels, and the 95% interval of the pooled precision."""

    precision: float
    recall: float
    low: float
    high: float
    macro_precision: float
    macro_recall: float
    answered: int  # labels that were answered at all
    false: int  # pages that were wrongly called one of the labels
    effective: float  # so many equally heavy ones they are worth


def pooled(sample: Sample, labels: Collection[int]) -> Score:
    """How well these labels are found among all pages."""
    among = np.zeros(int(max(sample.gold.max(), sample.said.max(), max(labels))) + 2, bool)
    among[list(labels)] = True
    said, gold = among[sample.said], among[sample.gold]
    right = said & (sample.said == sample.gold)
    wrong = said & ~right
    hits, false = sample.weight[right], sample.weight[wrong]
    precision = _share(hits.sum(), false.sum())
    low, high = _interval(hits, false)
    size = len(among)
    true = np.bincount(sample.gold[right], hits, size)
    alarms = np.bincount(sample.said[wrong], false, size)
    there = np.bincount(sample.gold[gold], sample.weight[gold], size)
    answered = (true + alarms) > 0
    real = there > 0
    return Score(
        precision, _share(hits.sum(), sample.weight[gold & ~right].sum()), low, high,
        float(np.mean(true[answered] / (true + alarms)[answered])) if answered.any() else 0.0,
        float(np.mean(true[real] / there[real])) if real.any() else 0.0,
        int(answered.sum()), int(wrong.sum()), float(false.sum() ** 2 / (false**2).sum()) if len(false) else 0.0,
    )  # fmt: skip


def _share(part: float, rest: float) -> float:
    return float(part / (part + rest)) if part + rest else 0.0


def _interval(hits: NDArray[np.float64], false: NDArray[np.float64]) -> tuple[float, float]:
    """Pages drawn anew; where no false one was seen this says nothing, and ``bound`` says what may still be."""
    rnd = np.random.default_rng(5)
    found = [
        _share((hits * rnd.poisson(1, len(hits))).sum(), (false * rnd.poisson(1, len(false))).sum())
        for _ in range(RESAMPLES)
    ]
    return float(np.quantile(found, 0.025)), float(np.quantile(found, 0.975))


def threshold(sample: Sample, labels: Collection[int], wanted: float = WANTED) -> float:
    """The lowest confidence from which answers in these labels are as precise as wanted; above 1 where none is."""
    for least in (*np.arange(0.0, 0.9, 0.1), 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9999):
        if pooled(sample.only(sample.confidence >= least), labels).precision >= wanted:
            return float(least)
    return 2.0


def bound(shares: NDArray[np.float64], pages: NDArray[np.int64]) -> float:
    """The share of the web that may be wrongly called one label, at 95%, where not one page of the sample was.

    By the rule of three for the stratum that allows most: what is not seen in a language that makes up half of the web and has
    half of the sample.
    """
    return float(np.max(RULE_OF_THREE * shares / np.maximum(pages, 1)))
