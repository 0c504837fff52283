"""The engine for a cluster: every work item is a Spark task, and each attempt of a task writes to a folder of its own.

A task processes its item in a child process, like the local engine, so that a record which ends or blocks the process is found
and costs only its own row. The child stays for further tasks of its parent. Spark reports every finished task once, with a small
record; the driver then moves the files of that attempt into place. Attempts that were given up, or that run twice, change
nothing. No rows pass through the driver, except those of an extraction, which it writes to shards.

``job.out`` must be a folder that the driver and all executors can access.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import shutil
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from webtongue.census.engines import Job, OnProgress, Progress, Result, Rewrite, gather_spark
from webtongue.census.engines.local import LocalEngine, WorkerError, WorkerPool
from webtongue.census.items import WorkItem
from webtongue.census.read.remote_io import is_remote
from webtongue.census.sink import ATTEMPTS_FOLDER, ROWS, Part, part_filename
from webtongue.errors import OutputError, UsageError

__all__ = ["SparkEngine"]

POLL_SECONDS = 0.25  # between checks for reports of tasks
TASKS_PER_CORE = 4  # for small pieces of work, so that a slow task delays a quarter of a core's share
OWN_ERROR = re.compile(r"(?:WorkerError|OutputError): (.+)")
PYTHON_ERROR = re.compile(
    r"^(?:\w+\.)*(\w+(?:Error|Exception|Extra): .+)", re.MULTILINE
)  # the last line of a traceback
MAX_MESSAGE_CHARS = 500  # Spark describes a failure on pages


class _Action(Protocol):
    """A function that an executor runs on a piece of work; it writes files to a folder, and returns part number and result."""

    def files(self, number: int) -> tuple[str, ...]:
        """Return the files of a part, below the folder."""

    def __call__(self, work: Any, folder: Path, /) -> tuple[int, Any]: ...


class SparkEngine:
    """Runs items as tasks of a Spark session."""

    def __init__(self, spark: Any) -> None:
        self._spark = spark
        try:
            self._context = spark.sparkContext
        except Exception as error:  # Spark Connect raises an error of its own
            raise UsageError(
                "a census or an extraction cannot run in a Spark Connect session: use a classic one, on the machine of the driver"
            ) from error

    def run(self, items: Sequence[WorkItem], job: Job, on_progress: OnProgress | None = None) -> Iterator[Part]:
        """Yield the part of each item when it is finished."""
        if any(item.reads_stdin for item in items):
            raise UsageError("executors cannot read standard input: give paths or URLs that they can open")
        totals = _Totals(items)
        process = _ProcessItem(replace(job, config=job.config.with_absolute_paths()))
        for report in self._run_committed(job.out, _in_order(items, job), process):
            if report is not None and totals.add(report.result):
                yield report.result
            if on_progress is not None:
                on_progress(totals.progress())

    def gather(self, out: Path, folder: Path) -> None:
        """Gather evidence with Spark SQL, on executors."""
        try:
            gather_spark.gather(self._spark, out, folder)
        except Exception as error:  # errors of Spark, Java and workers have no common base class
            raise WorkerError(_describe(error)) from error

    def rewrite(self, out: Path, numbers: Sequence[int], rewrite: Rewrite[Result]) -> Iterator[tuple[int, Result]]:
        """Rewrite parts in tasks of several parts each."""
        tasks = self._context.defaultParallelism * TASKS_PER_CORE
        for report in self._run_committed(out, numbers, _RewritePart(rewrite), tasks):
            if report is not None:
                yield report.number, report.result

    def _run_committed(
        self, out: Path, work: Sequence[Any], action: _Action, tasks: int | None = None
    ) -> Iterator[_Report | None]:
        """Yield a report for each piece of work when its files are in place, and None after every pause without a report."""
        if not work:
            return
        out = out.absolute()
        attempts = out / ATTEMPTS_FOLDER / uuid.uuid4().hex
        try:
            attempts.mkdir(parents=True)
        except OSError as error:
            raise OutputError(f"{attempts.parent}: {error.strerror or error}") from None
        missing = len(work)
        attempt = _Attempt(action, attempts)
        spark_job = _SparkJob(self._context, work, min(tasks or len(work), len(work)), attempt)
        try:
            for report in spark_job.reports():
                if report is not None:
                    _commit(report, attempts, out, action.files(report.number))
                    missing -= 1
                yield report
        finally:
            spark_job.cancel()
            shutil.rmtree(attempts, ignore_errors=True)
            with contextlib.suppress(OSError):
                attempts.parent.rmdir()
        if missing:  # Spark counts a task as finished whose report was lost
            raise WorkerError(f"Spark lost the reports of {missing} tasks: repeat them with --resume")


def _in_order(items: Sequence[WorkItem], job: Job) -> list[WorkItem]:
    """Return the items with absolute paths, in the order in which the job starts them."""
    return [_with_absolute_paths(item) for item in sorted(items, key=job.priority)]


def _with_absolute_paths(item: WorkItem) -> WorkItem:
    """Return an item with absolute paths, whose sources keep their names in rows."""
    sources = [
        source
        if is_remote(source.path)
        else replace(source, path=os.path.abspath(source.path), name=source.name or source.path)
        for source in item.sources
    ]
    return replace(item, sources=tuple(sources))


@dataclass(frozen=True, slots=True)
class _Report:
    """The report of an attempt: the part that it wrote, its result, and the folder of its files."""

    number: int
    result: Any
    folder: str
    machine: str


@dataclass(frozen=True, slots=True)
class _ProcessItem:
    """A function that processes a work item on an executor."""

    job: Job

    def files(self, number: int) -> tuple[str, ...]:
        return self.job.files(number)

    def __call__(self, item: WorkItem, folder: Path) -> tuple[int, Part]:
        for name in self.files(item.number):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if self.job.method is not None:
            (part,) = LocalEngine(1).run([item], replace(self.job, out=folder))
        else:
            (part,) = _worker_pool(replace(self.job, out=Path())).run([item], folder)
        return item.number, part


@lru_cache(maxsize=1)
def _worker_pool(job: Job) -> WorkerPool:
    """Return the child process of this process, which stays for further tasks and ends with its parent."""
    return WorkerPool(job, 1)


@dataclass(frozen=True, slots=True)
class _RewritePart:
    """A function that rewrites a part on an executor."""

    rewrite: Rewrite[Any]

    def files(self, number: int) -> tuple[str, ...]:
        return (f"{ROWS}/{part_filename(number)}",)

    def __call__(self, number: int, folder: Path) -> tuple[int, Any]:
        (folder / ROWS).mkdir(parents=True)
        return number, self.rewrite(number, folder / ROWS / part_filename(number))


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One attempt at a piece of work, in a folder of its own."""

    action: _Action
    attempts: Path

    def __call__(self, work: Any) -> _Report:
        folder = self.attempts / uuid.uuid4().hex
        try:
            folder.mkdir()
            number, result = self.action(work, folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return _Report(number, result, folder.name, platform.node())


def _commit(report: _Report, attempts: Path, out: Path, files: Sequence[str]) -> None:
    """Move the files of an attempt into place, in their order: the last one shows that a part exists."""
    folder = attempts / report.folder
    try:
        for name in files:
            (folder / name).replace(out / name)
    except FileNotFoundError:
        raise WorkerError(
            f"the files that {report.machine} wrote to {out} are not on the driver: "
            "--output must be a folder that all machines share"
        ) from None
    except OSError as error:
        raise OutputError(f"{out / files[-1]}: {error.strerror or error}") from None
    shutil.rmtree(folder, ignore_errors=True)


class _Totals:
    """The progress of a job by its finished parts."""

    def __init__(self, items: Sequence[WorkItem]) -> None:
        self._sizes = {item.number: item.size for item in items}
        self._total_size = sum(self._sizes.values())
        self._unfinished = set(self._sizes)
        self._rows = self._size = 0

    def add(self, part: Part) -> bool:
        """Add a part; return False if it was reported before."""
        if part.number not in self._unfinished:
            return False
        self._unfinished.remove(part.number)
        self._rows, self._size = self._rows + part.rows, self._size + self._sizes[part.number]
        return True

    def progress(self) -> Progress:
        count = len(self._sizes)
        return Progress(self._rows, self._size, self._total_size, count - len(self._unfinished), count)


class _SparkJob:
    """A Spark job that runs in a thread, and the reports of its tasks.

    Reports are sent by an accumulator: Spark adds the value of a task at the moment in which the task counts as finished, and
    once, whatever the number of attempts.
    """

    def __init__(self, context: Any, work: Sequence[Any], tasks: int, attempt: _Attempt) -> None:
        self._context, self._group = context, f"webtongue-{uuid.uuid4().hex}"
        self._reports = context.accumulator([], _ListParam())
        self._error: BaseException | None = None
        distributed = context.parallelize(work, tasks)
        function = _with_report(attempt, self._reports)
        self._thread = threading.Thread(target=self._run, args=(distributed, function), daemon=True)
        self._thread.start()

    def _run(self, work: Any, function: Callable[[Any], None]) -> None:
        try:
            self._context.setJobGroup(self._group, "webtongue census", interruptOnCancel=True)
            work.foreach(function)
        except BaseException as error:  # raised again by reports()
            self._error = error

    def reports(self) -> Iterator[_Report | None]:
        """Yield reports when they arrive, and None after every pause without one."""
        count = 0
        while True:
            is_alive = self._thread.is_alive()
            reports: list[_Report] = self._reports.value
            while count < len(reports):
                yield reports[count]
                count += 1
            if not is_alive:
                break
            yield None
            self._thread.join(POLL_SECONDS)
        if self._error is not None:
            raise WorkerError(_describe(self._error)) from None

    def cancel(self) -> None:
        """Cancel the job, and wait until it has ended."""
        while self._thread.is_alive():  # repeated, because the job may not have been submitted yet
            self._context.cancelJobGroup(self._group)
            self._thread.join(POLL_SECONDS)


class _ListParam:
    """An ``AccumulatorParam`` of lists, without the base class, so that this module can be imported without Spark."""

    def zero(self, value: list[_Report]) -> list[_Report]:
        """Return the empty list."""
        return []

    def addInPlace(self, value1: list[_Report], value2: list[_Report]) -> list[_Report]:
        """Append the second list to the first."""
        value1.extend(value2)
        return value1


def _with_report(attempt: _Attempt, reports: Any) -> Callable[[Any], None]:
    def function(work: Any) -> None:
        reports.add([attempt(work)])

    return function


def _describe(error: BaseException) -> str:
    """Return why a Spark job failed, by the error of the failed task if there is one."""
    text = str(error)
    messages = OWN_ERROR.findall(text) or PYTHON_ERROR.findall(text)
    first_line = next(filter(None, map(str.strip, text.splitlines())), type(error).__name__)
    message = messages[-1] if messages else first_line
    return f"the Spark job failed: {message[:MAX_MESSAGE_CHARS]}; continue with --resume"
