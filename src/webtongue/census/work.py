"""One work item: its sources read, its captures identified, batch by batch. What every engine runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import ceil

from webtongue.census.capture import Capture, Problem
from webtongue.census.config import Config
from webtongue.census.items import Source, WorkItem
from webtongue.census.read import read
from webtongue.census.read.captures import unreadable
from webtongue.census.rows import Answerer, Batch, Rows

__all__ = ["IDENTIFYING", "READING", "WRITING", "Care", "Work"]

READING, IDENTIFYING, WRITING = 1, 2, 3  # what a worker is at
SENTENCES = {
    Problem.TIMEOUT: "took longer than a page may take",
    Problem.CRASH: "ended the process that read it",
}
Mark = Callable[[int, int, int, int], None]


@dataclass(frozen=True, slots=True)
class Care:
    """What was learnt of an item on which a worker ended: records that are not identified and why, the stretch of records that are
    taken one by one, and the records before which reading of a source stops, and why."""

    skip: Mapping[int, Problem] = field(default_factory=dict)
    one_by_one: tuple[int, int] = (0, 0)
    stops: Mapping[int, Problem] = field(default_factory=dict)


NO_CARE = Care()


class Work:
    """A function from a work item to batches of rows, with what it needs made ready once."""

    def __init__(self, config: Config, answer: Answerer | None = None) -> None:
        self.config = config
        self._rows = Rows(config, answer)

    def __call__(self, item: WorkItem, care: Care = NO_CARE, mark: Mark | None = None) -> Iterator[Batch]:
        """The batches of an item. ``mark(stage, first record, record, bytes)`` says where it is, for whoever watches."""
        waiting: list[Capture] = []
        size = first = 0
        for number, (capture, passed) in enumerate(self._captures(item, care, mark)):
            if (why := care.skip.get(number)) is not None:
                capture = _spoilt(capture, why)
            alone = care.one_by_one[0] <= number < care.one_by_one[1]
            own = len(capture.body or b"")
            full = len(waiting) == self.config.batch_pages or size + own > self.config.batch_bytes
            if waiting and (full or alone):
                yield self._batch(waiting, first, number, passed, mark)
                waiting, size, first = [], 0, number
            waiting.append(capture)
            size += own
        if waiting:
            yield self._batch(waiting, first, first + len(waiting), item.size, mark)

    def _batch(self, captures: list[Capture], first: int, end: int, passed: int, mark: Mark | None) -> Batch:
        if mark is not None:
            mark(IDENTIFYING, first, end, passed)
        return self._rows.batch(captures)

    def _captures(self, item: WorkItem, care: Care, mark: Mark | None) -> Iterator[tuple[Capture, int]]:
        """Captures of all sources, each with how many bytes of the item lie before it."""
        number = before = passed = 0

        def wait(seconds: float) -> None:
            """Until a store is asked again; somebody who waits is not stuck."""
            for _ in range(ceil(seconds)):
                if mark is not None:
                    mark(READING, number, number + 1, passed)
                time.sleep(seconds / ceil(seconds))

        for source in item.sources:
            captures = read(source, self.config, wait)
            passed = before
            while True:
                if (why := care.stops.get(number)) is not None:
                    yield _stopped(source, why), passed
                    number += 1
                    break
                if mark is not None:
                    mark(READING, number, number + 1, passed)
                capture = next(captures, None)
                if capture is None:
                    break
                passed = before + max(0, capture.offset - source.begin)
                yield capture, passed
                number += 1
            before += source.end - source.begin if source.end else source.size


def _stopped(source: Source, problem: Problem) -> Capture:
    """The row of a source that cannot be read on."""
    return unreadable(source.name or source.path, f"a record {SENTENCES[problem]}; the rest of the file was not read")


def _spoilt(capture: Capture, problem: Problem) -> Capture:
    return replace(capture, body=None, problem=problem, detail=SENTENCES[problem])
