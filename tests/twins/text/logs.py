"""Logarithms by the table of a model: the readable twin of Model::log_of in native/text/model.cpp."""

from __future__ import annotations

from collections.abc import Sequence

LN2 = 710


def log_of(mass: int, logs: Sequence[int]) -> int:
    """Return ln(mass / 2^30) in 1/1024 nats, interpolated and rounded up."""
    mass = max(mass, 1 << 30)
    shift = 22
    while mass >> shift >= 512:
        shift += 1
    step, rest = divmod(mass, 1 << shift)
    low, high = [*map(int, logs), LN2][step - 256 : step - 254]
    return (shift - 22) * LN2 + low - (-max(0, high - low) * rest >> shift)
