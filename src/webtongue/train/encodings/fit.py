"""Fit a byte model: which n-grams get a row, and logistic regression where several classes may be right.

Encodings that read a text alike are all right for it; so are classes of any other kind that the caller says are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel
from webtongue.train.encodings.file import ByteRule, ByteWeights

__all__ = ["FitConfig", "Sample", "fit_byte_model"]

OWN = 2  # native/train/bytes.hpp
CHUNK = 4096  # samples whose n-grams are taken at a time


@dataclass(frozen=True, slots=True)
class Sample:
    """Bytes, the classes that are right for them (by number), and what the example is worth."""

    raw: bytes
    right: tuple[int, ...]
    worth: float = 1.0
    own: int | None = None  # the class that it was made for


@dataclass(frozen=True, slots=True)
class FitConfig:
    """Settings, each by measurement on samples held out (docs/encoding.md)."""

    rows: int = 26624  # n-grams with weights: 2.6 MB at 96 classes
    least: int = 8  # samples an n-gram must be in
    passes: int = 5
    rate: float = 0.5
    decay: float = 1e-6
    smooth: float = 0.002
    own: float = (
        0.2  # of the truth, for the class that a sample was made for: what languages it was used for is not lost then
    )
    seed: int = 7


def fit_byte_model(
    samples: Iterable[Sample],
    classes: list[str],
    rule: ByteRule,
    config: FitConfig = FitConfig(),  # noqa: B008  frozen
    progress: Callable[[str], None] = lambda step: None,
) -> ByteWeights:
    """Weights for all classes; kinds and tables are left to the caller. The same samples give the same weights."""
    keys, starts, right, worth = _features(samples, len(classes), rule)
    mixed = _mixed(keys)
    rows = ((mixed >> np.uint64(32)) * np.uint64(config.rows) >> np.uint64(32)).astype(np.uint32)
    tags = np.maximum(mixed & np.uint64(0xFFFF), np.uint64(1)).astype(np.uint16)
    winners = _winners(rows, tags, starts, config)
    known = winners[rows] == tags
    counts = np.add.reduceat(np.append(known, False).astype(np.int64), starts[:-1]) * (np.diff(starts) > 0)
    kept_starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint64)
    ids = np.ascontiguousarray(rows[known])
    progress(f"{len(worth):,} samples, {len(ids):,} n-grams, {int(np.count_nonzero(winners)):,} rows")
    shape = (config.rows, len(classes))
    weights, sums = np.zeros(shape, np.float32), np.full(shape, 1e-4, np.float32)
    bias, bias_sums = np.zeros(shape[1], np.float32), np.full(shape[1], 1e-4, np.float32)
    random = np.random.default_rng(config.seed)
    for number in range(config.passes):
        order = random.permutation(len(worth)).astype(np.uint32)
        rate = config.rate * (1 - number / config.passes)
        loss = _kernel.fit_bytes(
            kept_starts,
            ids,
            order,
            right,
            worth,
            rate,
            config.decay,
            config.smooth,
            config.own,
            weights,
            sums,
            bias,
            bias_sums,
        )
        progress(f"pass {number + 1}: loss {loss:.4f}")
    return ByteWeights(classes, rule, winners, weights, bias)


def _features(
    samples: Iterable[Sample], classes: int, rule: ByteRule
) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.uint8], NDArray[np.float32]]:
    keys: list[NDArray[np.uint32]] = []
    sizes: list[NDArray[np.int64]] = []
    rights: list[tuple[int, ...]] = []
    owns: list[int | None] = []
    worths: list[float] = []
    batch: list[bytes] = []

    def flush() -> None:
        found, starts = _kernel.byte_ngrams(batch, *rule.arguments)
        keys.append(np.asarray(found).copy())
        places = np.asarray(starts).astype(np.int64)
        sizes.append(places[1:] - places[:-1])
        batch.clear()

    for sample in samples:
        batch.append(sample.raw)
        rights.append(sample.right)
        owns.append(sample.own)
        worths.append(sample.worth)
        if len(batch) == CHUNK:
            flush()
    flush()
    right = np.zeros((len(rights), classes), np.uint8)
    for row, numbers in enumerate(rights):
        right[row, list(numbers)] = 1
    for row, own in enumerate(owns):
        if own is not None:
            right[row, own] = OWN
    starts = np.concatenate([[0], np.cumsum(np.concatenate(sizes))])
    return np.concatenate(keys), starts, right, np.array(worths, np.float32)


def _winners(
    rows: NDArray[np.uint32], tags: NDArray[np.uint16], starts: NDArray[np.int64], config: FitConfig
) -> NDArray[np.uint16]:
    """The tag that holds each row: of the n-grams that fall there, the one in most samples."""
    both = rows.astype(np.uint64) << np.uint64(16) | tags
    sample = np.repeat(np.arange(len(starts) - 1, dtype=np.uint64), np.diff(starts))
    once = np.unique(both << np.uint64(20) ^ sample % np.uint64(1 << 20)) >> np.uint64(20)  # an n-gram once a sample
    found, counts = np.unique(once, return_counts=True)
    enough = counts >= config.least
    found, counts = found[enough], counts[enough]
    order = np.lexsort((found, counts))  # the commonest last
    winners = np.zeros(config.rows, np.uint16)
    winners[(found[order] >> np.uint64(16)).astype(np.int64)] = (found[order] & np.uint64(0xFFFF)).astype(np.uint16)
    return winners


def _mixed(keys: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """As native/coding/byte_model.hpp mixes them."""
    with np.errstate(over="ignore"):
        h = (keys.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
        h = (h ^ (h >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(32))
