"""Sums of what sources say, readably: the twin of native/bind/hints.cpp."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def sum_hints(
    numbers: Mapping[str, tuple[int, ...]],
    said: Sequence[Mapping[str, float]],
    weights: Sequence[float],
    loudest: Sequence[float],
) -> dict[int, float]:
    sums: dict[int, float] = {}
    for hint, weight, most in zip(said, weights, loudest, strict=True):
        excess = max(0.0, max((nats * weight for nats in hint.values()), default=0.0) - most)
        for key, nats in hint.items():
            value = nats * weight
            value = max(0.0, value - excess) if value > 0 else max(value, -most)
            for number in numbers.get(key, ()):
                sums[number] = sums.get(number, 0.0) + value
    return sums
