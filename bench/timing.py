"""Timing of benchmarks: functions take turns and the fastest round of each counts, so that a busy machine slows all alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

Part = TypeVar("Part")
Clock = Callable[[], float]


def best_seconds_by_part(
    functions: Mapping[str, Callable[[Part], object]],
    parts: Sequence[Part],
    rounds: int,
    clock: Clock = time.perf_counter,
) -> dict[str, list[float]]:
    """Return the best seconds of each function for each part.

    With ``time.process_time`` these are seconds of one core, which depend little on other programs.
    """
    best = {name: [float("inf")] * len(parts) for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            for i, part in enumerate(parts):
                start = clock()
                function(part)
                best[name][i] = min(best[name][i], clock() - start)
    return best


def best_seconds(
    functions: Mapping[str, Callable[[Part], object]],
    parts: Sequence[Part],
    rounds: int,
    clock: Clock = time.perf_counter,
) -> dict[str, float]:
    """Return the best seconds of each function for all parts together."""
    return {name: sum(seconds) for name, seconds in best_seconds_by_part(functions, parts, rounds, clock).items()}


def best_call_seconds(call: Callable[[], object], rounds: int = 5, clock: Clock = time.perf_counter) -> float:
    """Return the seconds of the fastest of some calls."""
    return best_seconds({"": lambda _: call()}, [None], rounds, clock)[""]


def for_each(call: Callable[[Part], object]) -> Callable[[Sequence[Part]], None]:
    """Return a function that calls ``call`` with one item after the other."""

    def run(items: Sequence[Part]) -> None:
        for item in items:
            call(item)

    return run
