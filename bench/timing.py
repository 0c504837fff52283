"""How benchmarks take time: ways take turns and the quickest round of each counts, so that a busy machine slows all alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

Part = TypeVar("Part")


def quickest(
    ways: Mapping[str, Callable[[Part], object]],
    parts: Sequence[Part],
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, list[float]]:
    """Seconds of each way for each part; with ``time.process_time`` those of one core, however many programs share it."""
    best = {name: [float("inf")] * len(parts) for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            for i, part in enumerate(parts):
                start = clock()
                way(part)
                best[name][i] = min(best[name][i], clock() - start)
    return best


def least(call: Callable[[], object], rounds: int = 5, clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds of the quickest of some runs."""
    return quickest({"": lambda _: call()}, [None], rounds, clock)[""][0]


def each(call: Callable[[Part], object]) -> Callable[[Sequence[Part]], None]:
    """A way that calls with one item after the other."""

    def run(items: Sequence[Part]) -> None:
        for item in items:
            call(item)

    return run
