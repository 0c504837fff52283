"""Process a work item: read its sources and identify its captures in batches. All engines run this."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any, Protocol

from webtongue.census.capture import Capture, Problem
from webtongue.census.config import Config
from webtongue.census.items import Source, WorkItem
from webtongue.census.read import read
from webtongue.census.read.captures import unreadable_capture

__all__ = [
    "IDENTIFYING",
    "NO_RETRY",
    "READING",
    "WRITING",
    "BatchBuilder",
    "ItemProcessor",
    "ReportPosition",
    "RetryPlan",
]

READING, IDENTIFYING, WRITING = 1, 2, 3  # stages of a worker
DETAILS = {
    Problem.TIMEOUT: "took longer than a page may take",
    Problem.CRASH: "ended the process that read it",
}
ReportPosition = Callable[
    [int, int, int, int], None
]  # stage, first record, record after the last, bytes of the item read


class BatchBuilder(Protocol):
    """A function from captures to a batch of results."""

    def batch(self, captures: Sequence[Capture]) -> Any: ...


@dataclass(frozen=True, slots=True)
class RetryPlan:
    """How an item is processed again after a worker ended on it."""

    skip: Mapping[int, Problem] = field(default_factory=dict)  # records that are not identified, and why
    one_by_one: tuple[int, int] = (0, 0)  # the range of records that are identified one at a time
    stops: Mapping[int, Problem] = field(
        default_factory=dict
    )  # records before which reading of a source stops, and why


NO_RETRY = RetryPlan()


class ItemProcessor:
    """A function from a work item to batches. Its builder, which holds a model, is created once for each worker."""

    def __init__(self, config: Config, builder: BatchBuilder) -> None:
        self.config = config
        self._builder = builder

    def __call__(
        self, item: WorkItem, plan: RetryPlan = NO_RETRY, report: ReportPosition | None = None
    ) -> Iterator[Any]:
        """Yield the batches of an item. ``report`` is called with every position, for the process that monitors the worker."""
        pending: list[Capture] = []
        pending_bytes = first = 0
        for number, (capture, position) in enumerate(self._read(item, plan, report)):
            if (problem := plan.skip.get(number)) is not None:
                capture = replace(capture, body=None, problem=problem, detail=DETAILS[problem])
            is_single = plan.one_by_one[0] <= number < plan.one_by_one[1]
            size = len(capture.body or b"")
            is_full = len(pending) == self.config.batch_pages or pending_bytes + size > self.config.batch_bytes
            if pending and (is_full or is_single):
                yield self._batch(pending, first, number, position, report)
                pending, pending_bytes, first = [], 0, number
            pending.append(capture)
            pending_bytes += size
        if pending:
            yield self._batch(pending, first, first + len(pending), item.size, report)

    def _batch(
        self, captures: list[Capture], first: int, end: int, position: int, report: ReportPosition | None
    ) -> Any:
        if report is not None:
            report(IDENTIFYING, first, end, position)
        return self._builder.batch(captures)

    def _read(self, item: WorkItem, plan: RetryPlan, report: ReportPosition | None) -> Iterator[tuple[Capture, int]]:
        """Yield the captures of all sources, each with the number of the item's bytes before it."""
        number = source_start = position = 0

        def sleep(seconds: float) -> None:
            """Wait before a request is repeated, and report meanwhile: a worker that waits is not stuck."""
            for _ in range(ceil(seconds)):
                if report is not None:
                    report(READING, number, number + 1, position)
                time.sleep(seconds / ceil(seconds))

        for source in item.sources:
            captures = read(source, self.config, sleep)
            position = source_start
            while True:
                if (problem := plan.stops.get(number)) is not None:
                    yield _stopped_capture(source, problem), position
                    number += 1
                    break
                if report is not None:
                    report(READING, number, number + 1, position)
                capture = next(captures, None)
                if capture is None:
                    break
                position = source_start + max(0, capture.offset - source.begin)
                yield capture, position
                number += 1
            source_start += source.end - source.begin if source.end else source.size


def _stopped_capture(source: Source, problem: Problem) -> Capture:
    """Return the capture that reports a source of which the rest was not read."""
    detail = f"a record {DETAILS[problem]}; the rest of the file was not read"
    return unreadable_capture(source.name or source.path, detail)
