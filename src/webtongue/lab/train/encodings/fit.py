"""Fit a byte model: choose the n-grams with a row, then logistic regression where several classes may be right.

All encodings that decode a sample alike are right for it; the caller names the right classes of a sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel
from webtongue.lab.train.encodings.file import ByteRule, ByteWeights

__all__ = ["FitConfig", "Sample", "fit_byte_model"]

OWN_CLASS_MARK = 2  # as in native/train/bytes.hpp
BATCH_SAMPLES = 4096  # whose n-grams are extracted at once


@dataclass(frozen=True, slots=True)
class Sample:
    """Bytes, the numbers of the right classes, and the weight of the sample."""

    raw: bytes
    right: tuple[int, ...]
    weight: float = 1.0
    own_class: int | None = None  # the class that the sample was generated for


@dataclass(frozen=True, slots=True)
class FitConfig:
    """Settings, chosen by measurement on held-out samples (docs/generated/figures-encoding.md)."""

    rows: int = 26624  # n-grams with weights: 2.6 MB at 96 classes
    min_samples: int = 8  # per n-gram
    passes: int = 5
    rate: float = 0.5
    decay: float = 1e-6
    smooth: float = 0.002  # label smoothing
    # Share of the truth for the class that a sample was generated for, which keeps the languages that it was used for.
    own_share: float = 0.2
    seed: int = 7


def fit_byte_model(
    samples: Iterable[Sample],
    classes: list[str],
    rule: ByteRule,
    config: FitConfig = FitConfig(),  # noqa: B008  frozen
    progress: Callable[[str], None] = lambda step: None,
) -> ByteWeights:
    """Return weights of all classes, without kinds and tables, which the caller adds. The same samples give the same weights."""
    keys, starts, right, sample_weights = _extract_ngrams(samples, len(classes), rule)
    mixed = _mix_hash(keys)
    rows = ((mixed >> np.uint64(32)) * np.uint64(config.rows) >> np.uint64(32)).astype(np.uint32)
    tags = np.maximum(mixed & np.uint64(0xFFFF), np.uint64(1)).astype(np.uint16)
    winners = _choose_tags(rows, tags, starts, config)
    has_row = winners[rows] == tags
    counts = np.add.reduceat(np.append(has_row, False).astype(np.int64), starts[:-1]) * (np.diff(starts) > 0)
    row_starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint64)
    ids = np.ascontiguousarray(rows[has_row])
    progress(f"{len(sample_weights):,} samples, {len(ids):,} n-grams, {int(np.count_nonzero(winners)):,} rows")
    shape = (config.rows, len(classes))
    weights, sums = np.zeros(shape, np.float32), np.full(shape, 1e-4, np.float32)
    bias, bias_sums = np.zeros(shape[1], np.float32), np.full(shape[1], 1e-4, np.float32)
    rng = np.random.default_rng(config.seed)
    for pass_number in range(config.passes):
        order = rng.permutation(len(sample_weights)).astype(np.uint32)
        rate = config.rate * (1 - pass_number / config.passes)
        loss = _kernel.fit_bytes(
            row_starts,
            ids,
            order,
            right,
            sample_weights,
            rate,
            config.decay,
            config.smooth,
            config.own_share,
            weights,
            sums,
            bias,
            bias_sums,
        )
        progress(f"pass {pass_number + 1}: loss {loss:.4f}")
    return ByteWeights(classes, rule, winners, weights, bias)


def _extract_ngrams(
    samples: Iterable[Sample], classes: int, rule: ByteRule
) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.uint8], NDArray[np.float32]]:
    keys: list[NDArray[np.uint32]] = []
    sizes: list[NDArray[np.int64]] = []
    right_classes: list[tuple[int, ...]] = []
    own_classes: list[int | None] = []
    sample_weights: list[float] = []
    batch: list[bytes] = []

    def flush() -> None:
        ngrams, starts = _kernel.byte_ngrams(batch, *rule.arguments)
        keys.append(np.asarray(ngrams).copy())
        boundaries = np.asarray(starts).astype(np.int64)
        sizes.append(boundaries[1:] - boundaries[:-1])
        batch.clear()

    for sample in samples:
        batch.append(sample.raw)
        right_classes.append(sample.right)
        own_classes.append(sample.own_class)
        sample_weights.append(sample.weight)
        if len(batch) == BATCH_SAMPLES:
            flush()
    flush()
    right = np.zeros((len(right_classes), classes), np.uint8)
    for row, numbers in enumerate(right_classes):
        right[row, list(numbers)] = 1
    for row, own_class in enumerate(own_classes):
        if own_class is not None:
            right[row, own_class] = OWN_CLASS_MARK
    starts = np.concatenate([[0], np.cumsum(np.concatenate(sizes))])
    return np.concatenate(keys), starts, right, np.array(sample_weights, np.float32)


def _choose_tags(
    rows: NDArray[np.uint32], tags: NDArray[np.uint16], starts: NDArray[np.int64], config: FitConfig
) -> NDArray[np.uint16]:
    """Return the tag of each row: of the n-grams with this row, the one in most samples."""
    row_and_tag = rows.astype(np.uint64) << np.uint64(16) | tags
    sample = np.repeat(np.arange(len(starts) - 1, dtype=np.uint64), np.diff(starts))
    # Each n-gram once per sample.
    unique_pairs = np.unique(row_and_tag << np.uint64(20) ^ sample % np.uint64(1 << 20)) >> np.uint64(20)
    candidates, counts = np.unique(unique_pairs, return_counts=True)
    is_frequent = counts >= config.min_samples
    candidates, counts = candidates[is_frequent], counts[is_frequent]
    order = np.lexsort((candidates, counts))  # most frequent last
    winners = np.zeros(config.rows, np.uint16)
    winners[(candidates[order] >> np.uint64(16)).astype(np.int64)] = (candidates[order] & np.uint64(0xFFFF)).astype(
        np.uint16
    )
    return winners


def _mix_hash(keys: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Return mixed hashes, as in native/charset/byte_model.hpp."""
    with np.errstate(over="ignore"):
        h = (keys.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
        h = (h ^ (h >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(32))
