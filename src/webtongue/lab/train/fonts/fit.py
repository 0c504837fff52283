"""Fit the font model: pairs of bytes or code points, by logistic regression and by smoothed frequencies."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.fonts.encode import encode
from webtongue.fonts.tables import Font
from webtongue.lab.train.fonts.file import BYTE_CLASSES, UNITS_PER_NAT
from webtongue.lab.train.fonts.texts import Lines, take_lines

__all__ = ["THRESHOLD", "fit_burmese", "fit_gate", "fit_rows"]

LANES = 32
WINDOW_CHARS = 48  # as in the kernel
BURMESE_CODES = 161  # the Burmese block, and one number for all other code points
BURMESE_UNITS_PER_NAT = 30  # the weights of the Burmese table are small
RATE, PASSES, BATCH, DECAY = 0.5, 12, 4096, 1e-6
# Tenths of a nat: 0.8 in 10,000 windows of held-out ordinary text exceed it, and 99.3% or more of the windows in each font.
THRESHOLD = 10


def _split_windows(text: bytes) -> NDArray[np.int64]:
    """Return the pairs of byte classes in windows of WINDOW_CHARS characters, with a space before each window."""
    windows = np.frombuffer(text.replace(b"\n", b" "), np.uint8).astype(np.int64)
    windows = windows[: len(windows) // WINDOW_CHARS * WINDOW_CHARS].reshape(-1, WINDOW_CHARS)
    previous = np.concatenate([np.full((len(windows), 1), 32), windows[:, :-1]], axis=1)
    pairs: NDArray[np.int64] = BYTE_CLASSES[previous] << 7 | BYTE_CLASSES[windows]
    return pairs


def fit_gate(coded: list[bytes], ordinary: bytes, seed: int) -> tuple[NDArray[np.int8], dict[str, Any]]:
    """Return a linear gate, and its rates of false alarms and hits on a tenth of the text left out of fitting."""
    font_windows = [_split_windows(text) for text in coded]
    ordinary_windows = _split_windows(ordinary)
    rng = np.random.default_rng(seed)
    test = [window[: len(window) // 10] for window in (ordinary_windows, *font_windows)]
    training = [window[len(window) // 10 :] for window in (ordinary_windows, *font_windows)]
    weights = _fit_logistic(np.concatenate(training[1:]), training[0], 128 * 128, rng)
    gate = np.clip(np.rint(weights * UNITS_PER_NAT), -127, 127).astype(np.int8)
    rates = [float((gate[w].astype(np.int32).sum(axis=1) > THRESHOLD).mean()) for w in test]
    return gate, {"false_alarms": round(rates[0], 6), "hits": [round(share, 4) for share in rates[1:]]}


def _fit_logistic(
    positive: NDArray[np.int64], negative: NDArray[np.int64], size: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return the weights of a logistic regression over feature counts, by AdaGrad, with equal weight for both classes."""
    rows = np.concatenate([positive, negative])
    truth = np.concatenate([np.ones(len(positive)), np.zeros(len(negative))])
    sample_weights = np.where(truth > 0, 0.5 / len(positive), 0.5 / len(negative)) * len(truth)
    weights, squared_gradients = np.zeros(size), np.full(size, 1.0)
    for _ in range(PASSES):
        order = rng.permutation(len(rows))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            chosen = rows[batch]
            predicted = 1 / (1 + np.exp(-np.clip(weights[chosen].sum(axis=1), -30, 30)))
            error = (predicted - truth[batch]) * sample_weights[batch]
            gradient = np.bincount(chosen.ravel(), np.repeat(error, chosen.shape[1]), size) / 64 + DECAY * weights
            squared_gradients += gradient**2
            weights -= RATE * gradient / np.sqrt(squared_gradients)
    result: NDArray[np.float64] = weights
    return result


def fit_rows(texts: list[bytes]) -> NDArray[np.int8]:
    """Return log-probabilities of every pair of bytes, one lane per text; lanes without a text have the minimum."""
    rows = np.full((65536, LANES), -127, np.int8)
    for lane, text in enumerate(texts):
        rows[:, lane] = np.clip(np.rint(_log_probabilities(text) * UNITS_PER_NAT), -127, 0)
    return rows


def _log_probabilities(text: bytes) -> NDArray[np.float64]:
    """Return the log-probability of each byte after each other byte, smoothed by the frequency of the byte."""
    codes = np.frombuffer(text.replace(b"\n", b" "), np.uint8).astype(np.int64)
    pairs = np.bincount(codes[:-1] << 8 | codes[1:], minlength=65536).reshape(256, 256).astype(float)
    single = (np.bincount(codes, minlength=256) + 0.5) / (len(codes) + 128)
    smooth = 2.0
    logs: NDArray[np.float64] = np.log((pairs + smooth * single) / (pairs.sum(axis=1, keepdims=True) + smooth))
    return logs.ravel()


def fit_burmese(zawgyi: Font, corpus: Lines, seed: int) -> NDArray[np.int8]:
    """Return weights of pairs of code points: Burmese in Zawgyi against every language of the script in Unicode."""
    zawgyi_pairs = [
        _pair_numbers(encode(line, zawgyi, random.Random(seed)) or "")
        for line in take_lines(corpus, zawgyi.languages, seed)
    ]
    labels = [label for label in sorted(corpus) if label.endswith("_Mymr")]
    unicode_pairs = [_pair_numbers(line) for label in labels for line in take_lines(corpus, (label,), seed)]
    rng = np.random.default_rng(seed)
    weights = _fit_logistic(
        _split_point_windows(zawgyi_pairs), _split_point_windows(unicode_pairs), BURMESE_CODES**2 + 1, rng
    )[:-1]
    return np.clip(np.rint(weights * BURMESE_UNITS_PER_NAT), -127, 127).astype(np.int8)


def _pair_numbers(text: str) -> NDArray[np.int64]:
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32).astype(np.int64)
    numbers = np.where((codes >= 0x1000) & (codes <= 0x109F), codes - 0x1000 + 1, 0)
    pairs: NDArray[np.int64] = np.concatenate([[0], numbers[:-1]]) * BURMESE_CODES + numbers
    return pairs


def _split_point_windows(lines: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return windows of lines, padded with a feature that is ignored."""
    windows = []
    for pairs in lines:
        for start in range(0, len(pairs), WINDOW_CHARS):
            window = pairs[start : start + WINDOW_CHARS]
            if np.count_nonzero(window) >= 6:
                windows.append(np.concatenate([window, np.full(WINDOW_CHARS - len(window), BURMESE_CODES**2)]))
    return np.array(windows)
