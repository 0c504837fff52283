"""Draw pages from the hosts of a stratum: a systematic sample of pages sorted by host, with hosts in random order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["draw_hosts"]

Ints = NDArray[np.int64]


def draw_hosts(sizes: Ints, fetches: int, rng: np.random.Generator) -> Ints:
    """Return the host of each fetch, in the order of the draw: fetches from one host are neighbours.

    All pages have the same probability. A host with fewer pages than the sampling interval has one fetch at most, and a larger
    one its proportional number, rounded up or down.

    >>> draw_hosts(np.array([1, 600, 399]), 10, np.random.default_rng(1)).tolist().count(1)
    6
    """
    order = rng.permutation(len(sizes))
    ends = np.cumsum(sizes[order])
    interval = float(ends[-1]) / fetches
    points = np.floor((rng.random() + np.arange(fetches)) * interval)
    hosts: Ints = order[np.searchsorted(ends, points, side="right").clip(max=len(sizes) - 1)]
    return hosts
