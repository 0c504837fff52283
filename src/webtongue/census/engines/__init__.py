"""Engines run work items: on the cores of this machine, or on a cluster. Nothing else of a census knows which one ran."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from webtongue.census.config import Config
from webtongue.census.items import WorkItem
from webtongue.census.rows import Answerer
from webtongue.census.sink import Part, PartWriter
from webtongue.census.work import NO_CARE, WRITING, Care, Mark, Work

__all__ = ["Engine", "Job", "Progress", "Result", "Rewrite", "Watch", "Worker"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: rows and bytes of all items, those under way included."""

    rows: int
    size: int
    whole: int  # bytes of all items, as far as that is known
    items: int
    all_items: int


Watch = Callable[[Progress], None]


class Worker(Protocol):
    """What a job makes for a worker: a function from a work item to its part, which is there, below ``out``, when it returns."""

    def __call__(self, item: WorkItem, out: Path, care: Care = NO_CARE, mark: Mark | None = None) -> Part: ...


@dataclass(frozen=True, slots=True)
class Job:
    """What is done with every item: plain settings, from which each worker makes what it needs."""

    config: Config
    out: Path
    answer: Answerer | None = None

    def worker(self) -> Worker:
        """What a process runs on its items."""
        work = Work(self.config, self.answer)

        def done(item: WorkItem, out: Path, care: Care = NO_CARE, mark: Mark | None = None) -> Part:
            part = PartWriter(out, item.number, self.config).write(work(item, care, mark))
            if mark is not None:
                mark(WRITING, 0, 0, item.size)
            return part

        return done


Result = TypeVar("Result")
Rewrite = Callable[
    [int, Path], Result
]  # writes the part of a number anew to a file; it travels, so it is plain settings


class Engine(Protocol):
    """Whoever runs a job on items, and what comes after it on their parts."""

    def run(self, items: Sequence[WorkItem], job: Job, watch: Watch | None = None) -> Iterator[Part]:
        """The part of each item as it is done, in any order."""

    def gather(self, out: Path, known: Path) -> None:
        """What the whole crawl knows of its unclear pages into a folder, by gather.sql: ``known/part=N/*.parquet``."""

    def rewrite(self, out: Path, numbers: Sequence[int], make: Rewrite[Result]) -> Iterator[tuple[int, Result]]:
        """Parts written anew, each there whole or as it was, with what ``make`` said of it."""
