"""The readable twin of native/train/url.cpp: AdaGrad on multinomial logistic regression, parts of URLs hidden at random."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

MASK = (1 << 64) - 1
HOST, TOP, DOMAIN = 1, 2, 4
TINY = 1e-6


def shares(seed: int) -> Iterator[float]:
    """splitmix64, the upper 24 bits as a share."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield ((z ^ (z >> 31)) >> 40) / 2**24


def hidden(draws: Iterator[float], host: float, top: float, domain: float) -> int:
    first, second = next(draws), next(draws)
    if first < host:
        return HOST | TOP | DOMAIN
    return (TOP if first < host + top else 0) | (DOMAIN if second < domain else 0)


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


def fit(rows, order, truth, worth, rate, drops, smooth, seed, labels, weights, sums, bias, bias_sums) -> float:
    """One pass; ``rows`` is a list of (ids, parts, values). Weights and sums are changed in place."""
    draws = shares(seed)
    losses = []
    for row in order:
        out = hidden(draws, *drops)
        seen = [(i, value) for i, part, value in zip(*rows[row], strict=True) if not part & out]
        scores = softmax(bias[:labels] + sum((value * weights[i, :labels] for i, value in seen), np.zeros(labels)))
        losses.append(-worth[row] * np.log(max(scores[truth[row]], TINY)))
        expected = np.full(labels, smooth / labels)
        expected[truth[row]] += 1 - smooth
        slope = (scores - expected) * worth[row]
        bias_sums[:labels] += slope**2
        bias[:labels] -= rate * slope / np.sqrt(bias_sums[:labels] + TINY)
        for i, value in seen:
            sums[i, :labels] += (value * slope) ** 2
            weights[i, :labels] -= rate * value * slope / np.sqrt(sums[i, :labels] + TINY)
    return sum(losses) / sum(worth[row] for row in order)


def predict(rows, weights, bias) -> np.ndarray:
    return np.array([bias + sum(value * weights[i] for i, _, value in zip(*row, strict=True)) for row in rows])
