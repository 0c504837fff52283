"""The engine for one machine: a process a core, each with its own model, the largest items first.

Workers are watched. One that ends, or stays at one record too long, is replaced, and its item is done again with care: the records
it was at are taken one by one, and the one that does it becomes a row with a reason.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from webtongue.census.capture import Problem
from webtongue.census.engines import Job, Progress, Result, Rewrite, Watch, gather_duckdb
from webtongue.census.items import WorkItem
from webtongue.census.sink import ROWS, Part, part_name
from webtongue.census.work import IDENTIFYING, NO_CARE, READING, Care
from webtongue.errors import WebtongueError

__all__ = ["Crew", "LocalEngine", "WorkerError", "spare_memory"]

LOOK = 0.25  # seconds between looks at workers: what is shown of progress is as old at most
ATTEMPTS = 50  # at one item: each finds a record that ends a worker, or where one lies
TRIES = 3  # where nothing is learnt of why it ended
PR_SET_PDEATHSIG = 1  # of prctl(2)
SLOTS = 6  # of a worker's place: stage, first record, record after the last, bytes, rows, changes


class WorkerError(WebtongueError):
    """A run that could not go on, and why."""


@dataclass(slots=True)
class _Task:
    item: WorkItem
    care: Care = NO_CARE
    attempts: int = 0
    blind: int = 0  # attempts from which nothing was learnt
    last: tuple[int, int, int] = (0, 0, 0)


@dataclass(slots=True)
class _Worker:
    """A process, the pipe to it, and memory in which it says where it is."""

    process: Any
    pipe: Connection
    place: Any
    task: _Task | None = None
    changes: int = -1
    since: float = field(default_factory=time.monotonic)

    def give(self, task: _Task, out: Path) -> None:
        self.task, task.attempts = task, task.attempts + 1
        self.place[:] = [0] * SLOTS
        self.since, self.changes = time.monotonic(), -1
        with contextlib.suppress(OSError):  # it has ended: its pipe will say so
            self.pipe.send((task.item, task.care, out))

    def stuck(self, seconds: float) -> bool:
        """Whether it has been at one record for so long."""
        if self.task is None or self.place[0] not in (READING, IDENTIFYING):
            return False
        if self.place[5] != self.changes:
            self.changes, self.since = self.place[5], time.monotonic()
        return time.monotonic() - self.since > seconds

    def stop(self) -> None:
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.pipe.close()


class LocalEngine:
    """Runs items on so many processes, one for each core if not said."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else workers or 1

    def run(self, items: Sequence[WorkItem], job: Job, watch: Watch | None = None) -> Iterator[Part]:
        """The part of each item as it is done."""
        for item in items:
            if any(source.kind == "stdin" for source in item.sources):  # which is this process's own
                yield job.worker()(item, job.out)
        with Crew(job, self.workers) as crew:
            files = [item for item in items if all(source.kind != "stdin" for source in item.sources)]
            yield from crew.run(files, job.out, watch)

    def gather(self, out: Path, known: Path) -> None:
        """By DuckDB, out of core."""
        gather_duckdb.gather(out, known)

    def rewrite(self, out: Path, numbers: Sequence[int], make: Rewrite[Result]) -> Iterator[tuple[int, Result]]:
        """One after the other, in this process."""
        for number in numbers:
            yield number, make(number, out / ROWS / part_name(number))


class Crew:
    """Worker processes of a job. They stay for the next items until it is closed: a model need not be mapped again for them."""

    def __init__(self, job: Job, most: int) -> None:
        self.job, self._most = job, most
        self._workers: list[_Worker] = []

    def run(self, items: Sequence[WorkItem], out: Path, watch: Watch | None = None) -> Iterator[Part]:
        """The part of each item as it is done, below ``out``."""
        waiting = deque(_Task(item) for item in sorted(items, key=lambda item: (-item.size, item.number)))
        sizes = {item.number: item.size for item in items}
        tally = _Tally(sum(sizes.values()), len(items))
        workers = self._workers
        try:
            while len(workers) < min(self._most, len(waiting)):
                workers.append(_started(self.job))
            while waiting or any(worker.task for worker in workers):
                for worker in workers:
                    if worker.task is None and waiting:
                        worker.give(waiting.popleft(), out)
                for part in _look(workers, waiting, self.job):
                    tally.done(part, sizes[part.number])
                    yield part
                if watch is not None:
                    watch(tally.progress(workers))
        finally:
            for worker in [worker for worker in workers if worker.task]:  # the run was broken off
                worker.stop()
                workers.remove(worker)

    def close(self) -> None:
        """All of them end."""
        while self._workers:
            self._workers.pop().stop()

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


@dataclass(slots=True)
class _Tally:
    whole: int
    all_items: int
    items: int = 0
    rows: int = 0
    size: int = 0

    def done(self, part: Part, size: int) -> None:
        self.items, self.rows, self.size = self.items + 1, self.rows + part.rows, self.size + size

    def progress(self, workers: Sequence[_Worker]) -> Progress:
        busy = [worker.place for worker in workers if worker.task]
        rows, size = (sum(place[slot] for place in busy) for slot in (4, 3))
        return Progress(self.rows + rows, self.size + size, self.whole, self.items, self.all_items)


def _look(workers: list[_Worker], waiting: deque[_Task], job: Job) -> Iterator[Part]:
    """What workers have to say now; those that ended or are stuck are replaced."""
    heard = set(wait([worker.pipe for worker in workers if worker.task], LOOK))
    for at, worker in enumerate(workers):
        problem = Problem.NONE
        if worker.pipe in heard:
            try:
                said = worker.pipe.recv()
            except (EOFError, OSError):
                problem = Problem.CRASH
            else:
                worker.task = None
                if isinstance(said, str):
                    raise WorkerError(said)
                yield said
        elif worker.stuck(job.config.page_seconds):
            problem = Problem.TIMEOUT
        if problem and worker.task:
            waiting.appendleft(_learnt(worker.task, worker.place, problem))
            worker.stop()
            workers[at] = _started(job)


def _learnt(task: _Task, place: Any, problem: Problem) -> _Task:
    """The task once more, with more care."""
    stage, first, end = place[0], place[1], place[2]
    care, blind = task.care, 0
    is_sure = task.last == (stage, first, end)  # twice at one place: once may have been somebody from outside
    if stage == IDENTIFYING and end - first > 1:
        care = replace(care, one_by_one=(first, end))
    elif stage == IDENTIFYING and (is_sure or problem is Problem.TIMEOUT):
        care = replace(care, skip={**care.skip, first: problem})
    elif stage == READING and is_sure:
        care = replace(care, stops={**care.stops, first: problem})
    else:
        blind = task.blind + 1
    if blind > TRIES or task.attempts > ATTEMPTS:
        names = ", ".join(source.name or source.path for source in task.item.sources[:3])
        raise WorkerError(f"workers ended again and again at {names}: memory may be short; --resume goes on from here")
    return _Task(task.item, care, task.attempts, blind, (stage, first, end))


def _started(job: Job) -> _Worker:
    context = multiprocessing.get_context("spawn")  # a fork would take threads' locks with it
    ours, theirs = context.Pipe()
    place = context.RawArray("q", SLOTS)
    process = context.Process(target=_work, args=(theirs, place, job, os.getpid()), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours, place)


def _end_with_parent() -> None:
    """Where the system can do it (Linux), a worker ends in the moment in which its parent does."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _end_without(parent: int) -> None:
    """Where the parent was killed: whoever resumes the census does this item again, and must be alone with it."""
    if os.getppid() != parent:
        os._exit(1)


def spare_memory() -> None:
    """To be said before Arrow is loaded: its own allocator keeps what is freed, 40 MB of one that writes group after group."""
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


def _bound_memory(most: int) -> None:
    """What a process may take for itself; files that are mapped do not count. Beyond that it is told no, and ends."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (most if hard < 0 else min(most, hard), hard))


def _work(pipe: Connection, place: Any, job: Job, parent: int) -> None:
    """The life of a worker: items in, parts out, until its pipe is closed. A string says that the run cannot go on."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it is asked, and ends it
    _end_with_parent()
    _end_without(parent)  # it may have ended before that was said, and its item be in the pipe
    spare_memory()
    _bound_memory(job.config.worker_bytes)
    work = None

    def mark(stage: int, first: int, end: int, size: int) -> None:
        _end_without(parent)
        place[0], place[1], place[2], place[3], place[5] = stage, first, end, size, place[5] + 1
        if stage == IDENTIFYING:
            place[4] = end

    while True:
        try:
            item, care, out = pipe.recv()
        except (EOFError, OSError):
            return
        said: Part | str
        try:
            work = work or job.worker()
            said = work(item, out, care, mark)
        except MemoryError:
            os._exit(1)  # as if the system had ended it: the record that takes so much is looked for
        except OSError as error:  # what cannot be read is a row: this is what cannot be written
            said = f"{error.filename or out}: {error.strerror or error}"
        except WebtongueError as error:
            said = str(error)
        with contextlib.suppress(OSError):  # whoever asked is gone
            pipe.send(said)
