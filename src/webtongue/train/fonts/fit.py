"""Fitting the font model: pairs of bytes (or of code points) by logistic regression and by smoothed frequencies."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.fonts.encode import encode
from webtongue.fonts.tables import Font
from webtongue.train.fonts.file import CLASSES
from webtongue.train.fonts.texts import Lines, lines_of

__all__ = ["THRESHOLD", "fit_burmese", "fit_gate", "fit_rows"]

LANES = 32
WINDOW = 48  # characters of a stretch, as in the kernel
UNIT = 10  # weights and log-probabilities are tenths of a nat
BURMESE = 161  # code points of the Burmese block, and one for all others
BURMESE_UNIT = 30  # units of a nat in the Burmese table, whose weights are few and small
RATE, PASSES, BATCH, DECAY = 0.5, 12, 4096, 1e-6
# Tenths of a nat: 0.8 in 10,000 looks at lines held out of training pass it, and 99.3% or more in each font.
THRESHOLD = 10


def _windows(text: bytes) -> NDArray[np.int64]:
    """Pairs of classes in stretches of WINDOW characters, the first after a space."""
    flat = np.frombuffer(text.replace(b"\n", b" "), np.uint8).astype(np.int64)
    flat = flat[: len(flat) // WINDOW * WINDOW].reshape(-1, WINDOW)
    before = np.concatenate([np.full((len(flat), 1), 32), flat[:, :-1]], axis=1)
    found: NDArray[np.int64] = CLASSES[before] << 7 | CLASSES[flat]
    return found


def fit_gate(coded: list[bytes], ordinary: bytes, seed: int) -> tuple[NDArray[np.int8], dict[str, Any]]:
    """A linear gate, and how it does on a tenth of the text kept apart."""
    fonts = [_windows(text) for text in coded]
    plain = _windows(ordinary)
    chance = np.random.default_rng(seed)
    apart = [window[: len(window) // 10] for window in (plain, *fonts)]
    fitted = [window[len(window) // 10 :] for window in (plain, *fonts)]
    weights = _logistic(np.concatenate(fitted[1:]), fitted[0], 128 * 128, chance)
    gate = np.clip(np.rint(weights * UNIT), -127, 127).astype(np.int8)
    fire = [float((gate[w].astype(np.int32).sum(axis=1) > THRESHOLD).mean()) for w in apart]
    return gate, {"false_alarms": round(fire[0], 6), "hits": [round(share, 4) for share in fire[1:]]}


def _logistic(
    yes: NDArray[np.int64], no: NDArray[np.int64], size: int, chance: np.random.Generator
) -> NDArray[np.float64]:
    """Logistic regression over counts of features by AdaGrad; both classes weigh the same."""
    rows = np.concatenate([yes, no])
    truth = np.concatenate([np.ones(len(yes)), np.zeros(len(no))])
    worth = np.where(truth > 0, 0.5 / len(yes), 0.5 / len(no)) * len(truth)
    weights, seen = np.zeros(size), np.full(size, 1.0)
    for _ in range(PASSES):
        order = chance.permutation(len(rows))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            chosen = rows[batch]
            guess = 1 / (1 + np.exp(-np.clip(weights[chosen].sum(axis=1), -30, 30)))
            slope = (guess - truth[batch]) * worth[batch]
            step = np.bincount(chosen.ravel(), np.repeat(slope, chosen.shape[1]), size) / 64 + DECAY * weights
            seen += step**2
            weights -= RATE * step / np.sqrt(seen)
    found: NDArray[np.float64] = weights
    return found


def fit_rows(texts: list[bytes]) -> NDArray[np.int8]:
    """Log-probabilities of every pair of bytes, a lane a text; lanes without one are as unlikely as can be."""
    rows = np.full((65536, LANES), -127, np.int8)
    for lane, text in enumerate(texts):
        rows[:, lane] = np.clip(np.rint(_log_probabilities(text) * UNIT), -127, 0)
    return rows


def _log_probabilities(text: bytes) -> NDArray[np.float64]:
    """Of each byte after each other, smoothed by how common the byte is."""
    flat = np.frombuffer(text.replace(b"\n", b" "), np.uint8).astype(np.int64)
    pairs = np.bincount(flat[:-1] << 8 | flat[1:], minlength=65536).reshape(256, 256).astype(float)
    single = (np.bincount(flat, minlength=256) + 0.5) / (len(flat) + 128)
    smooth = 2.0
    found: NDArray[np.float64] = np.log((pairs + smooth * single) / (pairs.sum(axis=1, keepdims=True) + smooth))
    return found.ravel()


def fit_burmese(zawgyi: Font, corpus: Lines, seed: int) -> NDArray[np.int8]:
    """Pairs of code points: Burmese in Zawgyi against every language of the script in Unicode."""
    own = [_points(encode(t, zawgyi, random.Random(seed)) or "") for t in lines_of(corpus, zawgyi.languages, seed)]
    others = [label for label in sorted(corpus) if label.endswith("_Mymr")]
    plain = [_points(line) for label in others for line in lines_of(corpus, (label,), seed)]
    chance = np.random.default_rng(seed)
    weights = _logistic(_point_windows(own), _point_windows(plain), BURMESE**2 + 1, chance)[:-1]
    return np.clip(np.rint(weights * BURMESE_UNIT), -127, 127).astype(np.int8)


def _points(text: str) -> NDArray[np.int64]:
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32).astype(np.int64)
    letters = np.where((codes >= 0x1000) & (codes <= 0x109F), codes - 0x1000 + 1, 0)
    pairs: NDArray[np.int64] = np.concatenate([[0], letters[:-1]]) * BURMESE + letters
    return pairs


def _point_windows(lines: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Stretches of a line, filled up with a feature that counts for nothing."""
    out = []
    for pairs in lines:
        for start in range(0, len(pairs), WINDOW):
            part = pairs[start : start + WINDOW]
            if np.count_nonzero(part) >= 6:
                out.append(np.concatenate([part, np.full(WINDOW - len(part), BURMESE**2)]))
    return np.array(out)
