"""Calibrate the model on text held out of training: scales that turn scores into probabilities, and normal scores of a label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue.lab.train.text.file import SCALE_BUCKETS, UNITS, get_scale_bucket
from webtongue.policy import LOG_SCALE

SCALE_GRID = np.exp(np.linspace(np.log(0.005), np.log(3.0), 121))
# Factors on the scales, by tier of the best label. Held-out lines come from the sources of training; text of other sources is
# harder, and much harder where a label has few sources. Chosen with one source of each label left out
# (experiments/studies/left_out_sources.py). There the best factor falls with length, for the first tier from .8 at 20 characters to
# .4 at 200, since a few sources use another spelling than the rest of their label. On text without such sources a factor of .4
# makes answers too uncertain, so the factor for short text is used.
TIER_FACTORS = (0.8, 0.5, 0.5)
NEIGHBOUR_BUCKETS = 2  # on each side, whose snippets are used in fitting the scale of a bucket


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Scored snippets: scores of the candidates, best first, the rank of the true label (-1: absent), and numbers of features."""

    scores: NDArray[np.int32]
    rank: NDArray[np.int64]
    features: NDArray[np.int64]


def make_initial_scales(scale: float, power: float) -> NDArray[np.uint32]:
    """Return the scales that training used: the factors that turn scores into log-probabilities, for every tier and bucket."""
    return np.tile(to_fixed(scale / compute_bucket_sizes() ** power), len(TIER_FACTORS))


def expand_by_tier(scales: NDArray[np.float64]) -> NDArray[np.uint32]:
    """Return the fitted scales of all tiers in the format of the file, lowered for text of unseen sources."""
    return np.concatenate([to_fixed(scales * factor) for factor in TIER_FACTORS])


def compute_bucket_sizes() -> NDArray[np.float64]:
    """Return the mean feature count of each bucket."""
    sizes = np.zeros(SCALE_BUCKETS)
    counts = np.zeros(SCALE_BUCKETS)
    for features in [*range(1, 4096), *range(4096, 1 << 17, 64)]:
        sizes[get_scale_bucket(features)] += features
        counts[get_scale_bucket(features)] += 1
    sizes = np.where(counts > 0, sizes / np.maximum(counts, 1), 1.0)
    return np.maximum(sizes, 1.0)


def to_fixed(scales: NDArray[np.float64]) -> NDArray[np.uint32]:
    """Return scales in the kernel's fixed point: weight units to 1/1024 nats, times 65536."""
    return np.rint(scales * LOG_SCALE / UNITS * 65536).astype(np.uint32)


def fit_scales(held_out: HeldOut, fallback: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the scales that maximise the likelihood of the held-out labels.

    A scale is fitted for each bucket, then a power of the feature count is fitted through them, since single buckets are noisy
    where text is long and nearly always right.
    """
    bucket = np.array([get_scale_bucket(int(n)) for n in held_out.features])
    fitted = np.full(SCALE_BUCKETS, np.nan)
    counts = np.zeros(SCALE_BUCKETS)
    for b in range(SCALE_BUCKETS):
        neighbours = np.flatnonzero(np.abs(bucket - b) <= NEIGHBOUR_BUCKETS)
        counts[b] = len(neighbours)
        if len(neighbours) >= 200:
            fitted[b] = SCALE_GRID[np.argmin([_loss(held_out, neighbours, scale) for scale in SCALE_GRID])]
    fitted_buckets = np.flatnonzero(~np.isnan(fitted))
    if len(fitted_buckets) < 3:
        return fallback
    size = np.log(compute_bucket_sizes())
    slope, intercept = np.polyfit(
        size[fitted_buckets], np.log(fitted[fitted_buckets]), 1, w=np.sqrt(counts[fitted_buckets])
    )
    return np.asarray(np.exp(slope * size + intercept), np.float64)


def _loss(held_out: HeldOut, rows: NDArray[np.int64], scale: float) -> float:
    logits = held_out.scores[rows].astype(np.float64) * scale / UNITS
    logits[held_out.scores[rows] == np.iinfo(np.int32).min] = -np.inf
    logits -= logits[:, :1]
    total = np.log(np.exp(logits).sum(axis=1))
    rank = held_out.rank[rows]
    truth = np.where(rank >= 0, logits[np.arange(len(rows)), np.maximum(rank, 0)], -12.0)
    return float(np.mean(total - np.maximum(truth, -12.0)))


def compute_norms(
    labels: Sequence[int], per_feature: NDArray[np.float64], unseen: NDArray[np.float64], count: int
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Return for each label a low quantile of the score per feature and a high quantile of the share of unseen features.

    Labels with few held-out snippets get the weaker of their own quantiles and those of all labels.
    """
    label_of = np.asarray(labels)
    low_scores = np.zeros(count, np.int16)
    high_unseen = np.zeros(count, np.uint16)
    overall = (np.quantile(per_feature, 0.02), np.quantile(unseen, 0.98)) if len(label_of) else (0.0, 1.0)
    for label in range(count):
        rows = np.flatnonzero(label_of == label)
        quantiles = (np.quantile(per_feature[rows], 0.05), np.quantile(unseen[rows], 0.95)) if len(rows) else overall
        if len(rows) < 20:
            quantiles = (min(quantiles[0], overall[0]), max(quantiles[1], overall[1]))
        low_scores[label] = int(np.clip(quantiles[0] * 16, -32768, 32767))
        high_unseen[label] = int(np.clip(quantiles[1] * 65535, 0, 65535))
    return low_scores, high_unseen
