"""The difference estimator of label counts: predicted pages, less those predicted falsely, plus those missed.

The numbers of predicted pages are known from the index; false and missed pages are estimated from the sample, by Horvitz and
Thompson. Hosts are the clusters of the variance: small ones are drawn with a probability proportional to their size, and the
largest are strata of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.census.estimate.intervals import combine, event_limits
from webtongue.census.estimate.strata import Design

__all__ = ["Estimates", "Events", "Frame", "Sample", "estimate", "make_frame", "with_limits"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NO_PREDICTION = -1  # the number of a missing prediction
MIN_COMMON = 10  # fetched pages with an answer, below which the label is rare and has exact limits
MIN_LARGE = 2.0  # expected fetches of a host that is a stratum of its own: a variance needs two
MIN_UNSAMPLED = 0.5  # least 1 - E of a small host (docs/estimate.md), because the variance within it is not known


@dataclass(frozen=True, slots=True)
class Frame:
    """What the index says about the labels of an estimate."""

    labels: tuple[str, ...]
    predicted: Floats  # pages with each label as their used prediction
    expected_false: Floats  # by stratum and label: expected false predictions
    expected_missed: Floats  # by stratum: expected pages with another answer than the prediction


@dataclass(frozen=True, slots=True)
class Sample:
    """Fetched pages, those of a host in a stratum side by side: numbers of strata, hosts and labels."""

    stratum: Ints
    host: Ints  # number of the host, which differs from those of its neighbours
    host_pages: Ints  # pages of the host in the stratum
    answer: Ints
    model: Ints  # the used prediction, -1 for none


@dataclass(frozen=True, slots=True)
class Events:
    """Weighted numbers of events by label: false or missed pages."""

    total: Floats
    variance: Floats
    count: Ints  # in the sample
    by_stratum: Floats  # variance by stratum and label, for the effect of other budgets


@dataclass(frozen=True, slots=True)
class Estimates:
    """Numbers of pages by label, with the limits of their 95% intervals."""

    total: Floats
    low: Floats
    high: Floats
    variance: Floats
    false: Events
    missed: Events


def make_frame(design: Design, labels: tuple[str, ...]) -> Frame:
    """Return the frame of these labels, which may include labels without predictions."""
    numbers = {label: number for number, label in enumerate(labels)}
    predicted, false = np.zeros(len(labels)), np.zeros((len(design.pages), len(labels)))
    missed = np.zeros(len(design.pages))
    for cell, stratum in zip(design.cells, design.stratum.tolist(), strict=True):
        wrong = cell.pages * (1 - cell.probability)
        missed[stratum] += wrong
        if cell.model:
            predicted[numbers[cell.model]] += cell.pages
            false[stratum, numbers[cell.model]] += wrong
    return Frame(labels, predicted, false, missed)


def estimate(sample: Sample, design: Design, frame: Frame) -> Estimates:
    """Return the numbers of pages by label with their intervals."""
    is_wrong = sample.answer != sample.model
    clusters = _Clusters(sample, design)
    missed = clusters.sum_events(np.where(is_wrong, sample.answer, NO_PREDICTION), len(frame.labels))
    false = clusters.sum_events(np.where(is_wrong, sample.model, NO_PREDICTION), len(frame.labels))
    counts = np.bincount(sample.answer, minlength=len(frame.labels))
    return with_limits(false, missed, design.weights, frame, counts)


def with_limits(false: Events, missed: Events, weights: Floats, frame: Frame, counts: Ints) -> Estimates:
    """Return estimates with their intervals, for events, the weights of strata, and numbers of fetched pages by answer."""
    is_rare, unseen = counts < MIN_COMMON, next_weight(weights)
    next_missed = np.full(len(frame.labels), _mean_weight(frame.expected_missed[:, None], unseen)[0])
    next_false = np.where(frame.predicted > 0, _mean_weight(frame.expected_false, unseen), 0.0)
    total, low, high = combine(
        frame.predicted,
        (false.total, *event_limits(false.total, false.variance, next_false, is_rare)),
        (missed.total, *event_limits(missed.total, missed.variance, next_missed, is_rare)),
    )
    return Estimates(total, low, high, false.variance + missed.variance, false, missed)


def next_weight(weights: Floats) -> Floats:
    """Return the weight of one more event among the pages that were not fetched, by the weights of strata.

    If ``K`` pages of a stratum are events, none of them is fetched with the probability ``(1 - 1 / weight) ** K``.

    >>> next_weight(np.array([0.0, 1.0, 1.1, 2.0, 100.0])).round(2).tolist()
    [0.0, 0.0, 0.42, 1.44, 99.5]
    """
    partial = weights > 1
    return np.where(partial, -1 / np.log1p(-1 / np.where(partial, weights, 2.0)), 0.0)


def _mean_weight(expected: Floats, weights: Floats) -> Any:
    """Return the mean weight of expected events by label; that of all strata if none are expected."""
    sums = expected.sum(axis=0)
    return np.where(sums > 0, weights @ expected / np.maximum(sums, 1e-300), weights.mean())


class _Clusters:
    """The hosts of a sample by stratum, and the variance of events over them."""

    def __init__(self, sample: Sample, design: Design) -> None:
        self._design, self._stratum = design, sample.stratum
        is_first = np.ones(len(sample.stratum), bool)
        is_first[1:] = (np.diff(sample.stratum) != 0) | (np.diff(sample.host) != 0)
        self._cluster = np.cumsum(is_first) - 1  # number of the cluster of each fetched page
        self._cluster_stratum = sample.stratum[is_first]
        pages = sample.host_pages[is_first]
        self._fetches = np.bincount(self._cluster)
        expected = pages / design.weights[self._cluster_stratum]
        self._is_large = expected >= MIN_LARGE
        self._unsampled = np.where(self._is_large, 1 - self._fetches / pages, np.maximum(1 - expected, MIN_UNSAMPLED))
        rest = expected % 1
        self._lost = (1 - design.fetches / np.maximum(design.drawn, 1))[:, None]  # unreachable part of each stratum
        uneven = rest * (1 - rest) / np.maximum(expected, 1) ** 2
        uneven += self._lost[self._cluster_stratum, 0] / np.maximum(expected, 1)
        self._uneven = np.where(self._is_large, uneven, 0.0)
        small = np.where(self._is_large, 0.0, self._unsampled)
        self._small_sums = np.bincount(self._cluster_stratum, small, len(design.pages))
        self._small_counts = np.bincount(self._cluster_stratum, ~self._is_large, len(design.pages))

    def sum_events(self, labels: Ints, count: int) -> Events:
        """Return the weighted number of events of each label, and its variance; ``labels`` is -1 for pages without an event."""
        weights = self._design.weights
        happened = labels >= 0
        total = np.bincount(labels[happened], weights[self._stratum[happened]], count).astype(float)
        counts = np.bincount(labels[happened], minlength=count)
        keys, events = np.unique(self._cluster[happened] * count + labels[happened], return_counts=True)
        cluster, label = np.divmod(keys, count)
        stratum, is_large = self._cluster_stratum[cluster], self._is_large[cluster]
        size = (len(self._design.pages), count)
        # Large hosts: the variance within the host, and that of the rounded number of its fetches.
        fetches, unsampled = self._fetches[cluster], self._unsampled[cluster]
        within = (
            unsampled * events * (fetches - events) / np.maximum(fetches - 1, 1) + self._uneven[cluster] * events**2
        )
        # Small hosts: Hajek's variance of clusters drawn with probabilities proportional to size.
        squares = np.where(is_large, within, unsampled * events**2)
        sums = _sum_cells(stratum, label, np.where(is_large, 0.0, unsampled * events), size)
        variance = _sum_cells(stratum, label, np.where(is_large, 0.0, squares), size)
        variance -= sums**2 / np.maximum(self._small_sums, MIN_UNSAMPLED)[:, None]
        variance *= (self._small_counts / np.maximum(self._small_counts - 1, 1))[:, None]
        variance += _sum_cells(stratum, label, np.where(is_large, squares, 0.0), size)
        # The numbers of unreachable records of hosts have a fixed sum, so those of two hosts are negatively correlated.
        shared = _sum_cells(stratum, label, np.where(is_large, events, 0.0), size)
        variance -= self._lost * shared**2 / np.maximum(self._design.fetches, 1)[:, None]
        variance = np.maximum(variance, 0.0) * weights[:, None] ** 2
        variance[self._design.fetches == self._design.pages] = 0.0
        return Events(total, variance.sum(axis=0), counts, variance)


def _sum_cells(stratum: Ints, label: Ints, values: Floats, size: tuple[int, int]) -> Floats:
    return np.bincount(stratum * size[1] + label, values, size[0] * size[1]).reshape(size).astype(float)
