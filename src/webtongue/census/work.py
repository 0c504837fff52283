"""One work item: its sources read, its captures identified, batch by batch. What every engine runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from webtongue.census.capture import Capture, Problem
from webtongue.census.config import Config
from webtongue.census.items import Source, WorkItem
from webtongue.census.read import read
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
    taken one by one, and the record before which reading stops, -1 where it does not."""

    skip: Mapping[int, Problem] = field(default_factory=dict)
    one_by_one: tuple[int, int] = (0, 0)
    stop: int = -1
    stop_for: Problem = Problem.NONE


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
        number = before = 0
        for source in item.sources:
            captures = read(source, self.config)
            passed = before
            while True:
                if number == care.stop:
                    yield _stopped(source, care.stop_for), passed
                    return
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
    detail = f"{SENTENCES[problem]}; the rest of the file was not read"
    name = source.name or source.path
    return Capture(record_type="damaged", filename=name, problem=problem, detail=detail)


def _spoilt(capture: Capture, problem: Problem) -> Capture:
    return replace(capture, body=None, problem=problem, detail=SENTENCES[problem])
