"""From scores to probabilities, and what is normal for a label: measured on text held out of training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue.train.container import NATS
from webtongue.train.text.file import SCALE_BUCKETS, UNITS, scale_bucket

GRID = np.exp(np.linspace(np.log(0.005), np.log(3.0), 121))
# Held-out lines come from the sources that were trained on; other people's text is harder, and much harder where a label
# has few sources. By tier of the label that scores best, chosen with one source of each label left out
# (experiments/studies/left_out_sources.py). There the best factor falls with length, for the first tier from .8 at 20 characters to
# .4 at 200, since a few sources are in another spelling than all others of their label; on text without such sources
# that makes answers too doubtful, so the factor is that of short text.
OUT_OF_SOURCE = (0.8, 0.5, 0.5)
NEIGHBOURS = 2  # buckets on each side that a bucket's scale is fitted with


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Scored snippets: the candidates' scores, best first, and at which rank the true label stands (-1: none)."""

    scores: NDArray[np.int32]
    rank: NDArray[np.int64]
    features: NDArray[np.int64]


def start_scales(scale: float, power: float) -> NDArray[np.uint32]:
    """The scales that training used: what scores are multiplied by before they are log-probabilities."""
    return np.tile(to_fixed(scale / bucket_sizes() ** power), len(OUT_OF_SOURCE))


def by_tier(scales: NDArray[np.float64]) -> NDArray[np.uint32]:
    """Scales fitted on held-out lines as the file has them: for new text, tier by tier."""
    return np.concatenate([to_fixed(scales * factor) for factor in OUT_OF_SOURCE])


def bucket_sizes() -> NDArray[np.float64]:
    """A typical feature count for each bucket."""
    sizes = np.zeros(SCALE_BUCKETS)
    count = np.zeros(SCALE_BUCKETS)
    for features in [*range(1, 4096), *range(4096, 1 << 17, 64)]:
        sizes[scale_bucket(features)] += features
        count[scale_bucket(features)] += 1
    sizes = np.where(count > 0, sizes / np.maximum(count, 1), 1.0)
    return np.maximum(sizes, 1.0)


def to_fixed(scales: NDArray[np.float64]) -> NDArray[np.uint32]:
    """Scales as the kernel multiplies with them: weight units to 1/1024 nats, times 65536."""
    return np.rint(scales * NATS / UNITS * 65536).astype(np.uint32)


def fit_scales(held: HeldOut, fallback: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scales that give the held-out truth most probability: one for each bucket, then a power of the feature count
    through them, since a bucket alone is noisy where text is long and nearly always right."""
    bucket = np.array([scale_bucket(int(n)) for n in held.features])
    fitted = np.full(SCALE_BUCKETS, np.nan)
    count = np.zeros(SCALE_BUCKETS)
    for b in range(SCALE_BUCKETS):
        near = np.flatnonzero(np.abs(bucket - b) <= NEIGHBOURS)
        count[b] = len(near)
        if len(near) >= 200:
            fitted[b] = GRID[np.argmin([_loss(held, near, scale) for scale in GRID])]
    known = np.flatnonzero(~np.isnan(fitted))
    if len(known) < 3:
        return fallback
    size = np.log(bucket_sizes())
    slope, shift = np.polyfit(size[known], np.log(fitted[known]), 1, w=np.sqrt(count[known]))
    return np.asarray(np.exp(slope * size + shift), np.float64)


def _loss(held: HeldOut, rows: NDArray[np.int64], scale: float) -> float:
    logits = held.scores[rows].astype(np.float64) * scale / UNITS
    logits[held.scores[rows] == np.iinfo(np.int32).min] = -np.inf
    logits -= logits[:, :1]
    total = np.log(np.exp(logits).sum(axis=1))
    rank = held.rank[rows]
    truth = np.where(rank >= 0, logits[np.arange(len(rows)), np.maximum(rank, 0)], -12.0)
    return float(np.mean(total - np.maximum(truth, -12.0)))


def norms_of(
    labels: Sequence[int], per_feature: NDArray[np.float64], unseen: NDArray[np.float64], count: int
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """For each label the low quantile of score per feature and the high quantile of unseen features on its own text.

    Labels with few held-out snippets get the weaker of their own and of everyone's quantiles.
    """
    of = np.asarray(labels)
    low = np.zeros(count, np.int16)
    high = np.zeros(count, np.uint16)
    everyone = (np.quantile(per_feature, 0.02), np.quantile(unseen, 0.98)) if len(of) else (0.0, 1.0)
    for label in range(count):
        mine = np.flatnonzero(of == label)
        pair = (np.quantile(per_feature[mine], 0.05), np.quantile(unseen[mine], 0.95)) if len(mine) else everyone
        if len(mine) < 20:
            pair = (min(pair[0], everyone[0]), max(pair[1], everyone[1]))
        low[label] = int(np.clip(pair[0] * 16, -32768, 32767))
        high[label] = int(np.clip(pair[1] * 65535, 0, 65535))
    return low, high
