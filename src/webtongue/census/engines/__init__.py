"""Engines run work items: on the cores of this machine, or on a cluster. Nothing else of a census knows which one ran."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from webtongue.census.config import Config
from webtongue.census.items import WorkItem
from webtongue.census.rows import Answerer
from webtongue.census.sink import Part, PartWriter
from webtongue.census.work import NO_CARE, WRITING, Care, Mark, Work

__all__ = ["Engine", "Job", "Progress", "Watch"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: rows and bytes of all items, those under way included."""

    rows: int
    size: int
    whole: int  # bytes of all items, as far as that is known
    items: int
    all_items: int


Watch = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Job:
    """What is done with every item: plain settings, from which each worker makes what it needs."""

    config: Config
    out: Path
    answer: Answerer | None = None

    def worker(self) -> Callable[[WorkItem, Care, Mark | None], Part]:
        """A function from a work item to its part, which is there when it returns."""
        work = Work(self.config, self.answer)

        def done(item: WorkItem, care: Care = NO_CARE, mark: Mark | None = None) -> Part:
            part = PartWriter(self.out, item.number, self.config).write(work(item, care, mark))
            if mark is not None:
                mark(WRITING, 0, 0, item.size)
            return part

        return done


class Engine(Protocol):
    """Whoever runs a job on items."""

    def run(self, items: Sequence[WorkItem], job: Job, watch: Watch | None = None) -> Iterator[Part]:
        """The part of each item as it is done, in any order."""
