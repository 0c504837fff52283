"""Engines run work items on the cores of this machine or on a cluster. The rest of a census does not depend on the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from webtongue.census.config import Config
from webtongue.census.items import WorkItem
from webtongue.census.methods import MethodFunction
from webtongue.census.rows import RowBuilder
from webtongue.census.sink import LINKS, ROWS, Part, PartWriter, part_filename
from webtongue.census.work import NO_RETRY, WRITING, ItemProcessor, ReportPosition, RetryPlan

__all__ = ["Engine", "Job", "OnProgress", "Progress", "Result", "Rewrite", "Worker"]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run, including unfinished items."""

    rows: int
    size: int  # bytes read
    total_size: int  # bytes of all items, as far as that is known
    items: int
    total_items: int


OnProgress = Callable[[Progress], None]


class Worker(Protocol):
    """A function from a work item to its part, which exists below ``out`` when the function returns."""

    def __call__(
        self, item: WorkItem, out: Path, plan: RetryPlan = NO_RETRY, report: ReportPosition | None = None
    ) -> Part: ...


@dataclass(frozen=True, slots=True)
class Job:
    """What is done with every item: plain settings, from which each process creates a worker."""

    config: Config
    out: Path
    method: MethodFunction | None = None

    def files(self, number: int) -> tuple[str, ...]:
        """Return the files of a part below ``out``; the last one shows that the part exists."""
        return tuple(f"{kind}/{part_filename(number)}" for kind in (LINKS, ROWS))

    def priority(self, item: WorkItem) -> tuple[int, int]:
        """Return the place of an item in the queue: the largest first, so that no large item starts last."""
        return -item.size, item.number

    def create_worker(self) -> Worker:
        """Return the function that a process runs on its items."""
        process = ItemProcessor(self.config, RowBuilder(self.config, self.method))

        def work(item: WorkItem, out: Path, plan: RetryPlan = NO_RETRY, report: ReportPosition | None = None) -> Part:
            part = PartWriter(out, item.number, self.config).write(process(item, plan, report))
            if report is not None:
                report(WRITING, 0, 0, item.size)
            return part

        return work


Result = TypeVar("Result")
Rewrite = Callable[[int, Path], Result]  # writes the part of a number to a file again; it is sent to executors


class Engine(Protocol):
    """Runs a job on items, and rewrites their parts."""

    def run(self, items: Sequence[WorkItem], job: Job, on_progress: OnProgress | None = None) -> Iterator[Part]:
        """Yield the part of each item when it is finished, in any order."""

    def gather(self, out: Path, folder: Path) -> None:
        """Write unclear pages with the evidence of the whole crawl, by gather.sql, to ``folder/part=N/*.parquet``."""

    def rewrite(self, out: Path, numbers: Sequence[int], rewrite: Rewrite[Result]) -> Iterator[tuple[int, Result]]:
        """Rewrite parts, each as a whole, and yield their numbers with the results of ``rewrite``."""
