"""Sums of what sources say, readably: the twin of native/bind/hints.cpp."""

from __future__ import annotations

import math
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


def chances(
    numbers: Mapping[str, tuple[int, ...]],
    alone: Mapping[str, float],
    said: Sequence[Mapping[str, float]],
    weights: Sequence[float],
    loudest: Sequence[float],
    site: float,
    words: Mapping[int, float],
    priors: Sequence[float],
    wanted: Sequence[Sequence[int]],
) -> list[float]:
    sums = sum_hints(numbers, said, weights, loudest)
    top = max(sums.values(), default=0.0)
    if len(said) > 1 and top > site:
        part = site / top
        quiet = sum_hints(numbers, said, [weight * part for weight in weights], [most * part for most in loudest])
        sums = {number: quiet.get(number, 0.0) for number in sums}
    for key, nats in alone.items():
        for number in numbers.get(key, ()):
            sums[number] = sums.get(number, 0.0) + nats
    for number, nats in words.items():
        sums[number] = sums.get(number, 0.0) + nats
    masses = {number: priors[number] * math.exp(nats) for number, nats in sums.items()}
    whole = sum(masses.values())
    return [sum(masses.get(number, 0.0) for number in group) / whole if whole else 0.0 for group in wanted]
