"""The engine for one machine: a process for each core, each with its own model, the largest items first.

Workers are monitored. If one ends, or spends too long on a record, it is replaced and its item is processed again by a plan: the
records of the last batch are identified one by one, and the record that ends the worker becomes a row with a reason.
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
from webtongue.census.engines import Job, OnProgress, Progress, Result, Rewrite, gather_duckdb
from webtongue.census.items import WorkItem
from webtongue.census.sink import ROWS, Part, part_filename
from webtongue.census.work import IDENTIFYING, NO_RETRY, READING, RetryPlan
from webtongue.errors import OutputError, WebtongueError

__all__ = ["LocalEngine", "WorkerError", "WorkerPool", "use_system_allocator"]

POLL_SECONDS = 0.25  # between checks of the workers, which is also how old the displayed progress may be
MAX_ATTEMPTS = 50  # for an item; each one finds a record that ends a worker, or the batch with it
MAX_FAILURES_WITHOUT_CAUSE = 3
PR_SET_PDEATHSIG = 1  # option of prctl(2)
# The position of a worker, in memory that it shares with its parent.
STAGE, FIRST_RECORD, END_RECORD, BYTES, ROW_COUNT, CHANGES = range(6)
POSITION_SLOTS = 6


class WorkerError(WebtongueError):
    """A run that cannot continue."""


@dataclass(slots=True)
class _Task:
    item: WorkItem
    plan: RetryPlan = NO_RETRY
    attempts: int = 0
    failures_without_cause: int = 0
    last_position: tuple[int, int, int] = (0, 0, 0)  # stage, first record and record after the last at the last failure


@dataclass(slots=True)
class _Worker:
    """A process, the pipe to it, and the shared memory with its position."""

    process: Any
    pipe: Connection
    position: Any
    task: _Task | None = None
    changes: int = -1
    changed_at: float = field(default_factory=time.monotonic)

    def start(self, task: _Task, out: Path) -> None:
        self.task, task.attempts = task, task.attempts + 1
        self.position[:] = [0] * POSITION_SLOTS
        self.changed_at, self.changes = time.monotonic(), -1
        with contextlib.suppress(OSError):  # the process has ended, which its pipe will show
            self.pipe.send((task.item, task.plan, out))

    def is_stuck(self, timeout: float) -> bool:
        """Return True if the worker has spent more than ``timeout`` seconds on one record."""
        if self.task is None or self.position[STAGE] not in (READING, IDENTIFYING):
            return False
        if self.position[CHANGES] != self.changes:
            self.changes, self.changed_at = self.position[CHANGES], time.monotonic()
        return time.monotonic() - self.changed_at > timeout

    def stop(self) -> None:
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.pipe.close()


class LocalEngine:
    """Runs items in worker processes, by default one for each core."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else workers or 1

    def run(self, items: Sequence[WorkItem], job: Job, on_progress: OnProgress | None = None) -> Iterator[Part]:
        """Yield the part of each item when it is finished."""
        for item in items:
            if item.reads_stdin:  # only this process can read its standard input
                yield job.create_worker()(item, job.out)
        files = [item for item in items if not item.reads_stdin]
        with WorkerPool(job, self.workers) as pool:
            yield from pool.run(files, job.out, on_progress)

    def gather(self, out: Path, folder: Path) -> None:
        """Gather evidence with DuckDB, out of core."""
        gather_duckdb.gather(out, folder)

    def rewrite(self, out: Path, numbers: Sequence[int], rewrite: Rewrite[Result]) -> Iterator[tuple[int, Result]]:
        """Rewrite parts one after the other, in this process."""
        for number in numbers:
            yield number, rewrite(number, out / ROWS / part_filename(number))


class WorkerPool:
    """The worker processes of a job. They stay for further items until the pool is closed, so that models stay loaded."""

    def __init__(self, job: Job, max_workers: int) -> None:
        self.job, self._max_workers = job, max_workers
        self._workers: list[_Worker] = []

    def run(self, items: Sequence[WorkItem], out: Path, on_progress: OnProgress | None = None) -> Iterator[Part]:
        """Yield the part of each item, below ``out``, when it is finished."""
        queue = deque(_Task(item) for item in sorted(items, key=self.job.priority))
        sizes = {item.number: item.size for item in items}
        totals = _Totals(sum(sizes.values()), len(items))
        workers = self._workers
        try:
            while len(workers) < min(self._max_workers, len(queue)):
                workers.append(_start_worker(self.job))
            while queue or any(worker.task for worker in workers):
                for worker in workers:
                    if worker.task is None and queue:
                        worker.start(queue.popleft(), out)
                for part in _poll(workers, queue, self.job):
                    totals.add(part, sizes[part.number])
                    yield part
                if on_progress is not None:
                    on_progress(totals.progress(workers))
        finally:
            for worker in [worker for worker in workers if worker.task]:  # the run was interrupted
                worker.stop()
                workers.remove(worker)

    def close(self) -> None:
        """Stop all workers."""
        while self._workers:
            self._workers.pop().stop()

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


@dataclass(slots=True)
class _Totals:
    total_size: int
    total_items: int
    items: int = 0
    rows: int = 0
    size: int = 0

    def add(self, part: Part, size: int) -> None:
        self.items, self.rows, self.size = self.items + 1, self.rows + part.rows, self.size + size

    def progress(self, workers: Sequence[_Worker]) -> Progress:
        positions = [worker.position for worker in workers if worker.task]
        rows, size = (sum(position[slot] for position in positions) for slot in (ROW_COUNT, BYTES))
        return Progress(self.rows + rows, self.size + size, self.total_size, self.items, self.total_items)


def _poll(workers: list[_Worker], queue: deque[_Task], job: Job) -> Iterator[Part]:
    """Yield the parts that workers have finished, and replace workers that ended or are stuck."""
    ready = set(wait([worker.pipe for worker in workers if worker.task], POLL_SECONDS))
    for index, worker in enumerate(workers):
        problem = Problem.NONE
        if worker.pipe in ready:
            try:
                result = worker.pipe.recv()
            except (EOFError, OSError):
                problem = Problem.CRASH
            else:
                worker.task = None
                if isinstance(result, WebtongueError):
                    raise result
                yield result
        elif worker.is_stuck(job.config.page_seconds):
            problem = Problem.TIMEOUT
        if problem and worker.task:
            queue.appendleft(_plan_retry(worker.task, worker.position, problem))
            worker.stop()
            workers[index] = _start_worker(job)


def _plan_retry(task: _Task, position: Any, problem: Problem) -> _Task:
    """Return the task with a plan that isolates or skips the record at which its worker ended."""
    stage, first, end = position[STAGE], position[FIRST_RECORD], position[END_RECORD]
    plan, failures = task.plan, 0
    is_repeated = task.last_position == (stage, first, end)  # a single failure may have been caused from outside
    if stage == IDENTIFYING and end - first > 1:
        plan = replace(plan, one_by_one=(first, end))
    elif stage == IDENTIFYING and (is_repeated or problem is Problem.TIMEOUT):
        plan = replace(plan, skip={**plan.skip, first: problem})
    elif stage == READING and is_repeated:
        plan = replace(plan, stops={**plan.stops, first: problem})
    else:
        failures = task.failures_without_cause + 1
    if failures > MAX_FAILURES_WITHOUT_CAUSE or task.attempts > MAX_ATTEMPTS:
        names = ", ".join(source.name or source.path for source in task.item.sources[:3])
        raise WorkerError(
            f"workers ended repeatedly at {names}, perhaps because memory is short: continue with --resume"
        )
    return _Task(task.item, plan, task.attempts, failures, (stage, first, end))


def _start_worker(job: Job) -> _Worker:
    context = multiprocessing.get_context("spawn")  # a fork would copy the locks of other threads
    parent_end, child_end = context.Pipe()
    position = context.RawArray("q", POSITION_SLOTS)
    process = context.Process(target=_work, args=(child_end, position, job, os.getpid()), daemon=True)
    process.start()
    child_end.close()
    return _Worker(process, parent_end, position)


def _end_with_parent() -> None:
    """Make the system end this process when its parent ends (Linux)."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _exit_without_parent(parent: int) -> None:
    """Exit if the parent was killed: a resumed census processes this item again, and no other process may write its part."""
    if os.getppid() != parent:
        os._exit(1)


def use_system_allocator() -> None:
    """Make Arrow return freed memory, if it is not yet loaded: its own allocator keeps 40 MB in a worker."""
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


def _limit_memory(max_bytes: int) -> None:
    """Limit the memory of this process, except mapped files; allocations beyond the limit fail, and the process ends."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (max_bytes if hard < 0 else min(max_bytes, hard), hard))


def _work(pipe: Connection, position: Any, job: Job, parent: int) -> None:
    """Run a worker process: receive items and send parts until the pipe is closed. An error as result ends the run."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and stops its workers
    _end_with_parent()
    _exit_without_parent(parent)  # it may have ended before that call, with an item in the pipe
    use_system_allocator()
    _limit_memory(job.config.max_worker_bytes)
    worker = None

    def report(stage: int, first: int, end: int, size: int) -> None:
        _exit_without_parent(parent)
        position[STAGE], position[FIRST_RECORD], position[END_RECORD], position[BYTES] = stage, first, end, size
        position[CHANGES] += 1
        if stage == IDENTIFYING:
            position[ROW_COUNT] = end

    while True:
        try:
            item, plan, out = pipe.recv()
        except (EOFError, OSError):
            return
        result: Part | WebtongueError
        try:
            worker = worker or job.create_worker()
            result = worker(item, out, plan, report)
        except MemoryError:
            os._exit(1)  # as if the system had ended the process: the parent looks for the record that needs the memory
        except OSError as error:  # unreadable input becomes rows, so this is an error of the output
            result = OutputError(f"{error.filename or out}: {error.strerror or error}")
        except WebtongueError as error:
            result = WorkerError(str(error))
        with contextlib.suppress(OSError):  # the parent is gone
            pipe.send(result)
