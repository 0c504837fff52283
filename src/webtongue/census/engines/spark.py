"""The engine for a cluster: every work item is a task of Spark, and each of its attempts writes into a folder of its own.

A task takes its item through a child process, as the local engine does: a page that ends or holds it is found and costs only its
own row. The child stays for the next tasks of its parent. What Spark says of a task that is done, once, is a small record; the
driver then moves the part of that attempt to its place, so an attempt that was given up, or runs beside another, changes nothing.
No row travels through the driver.

``job.out`` must be a folder that the driver and all executors see.
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
from typing import Any

from webtongue.census.config import Config
from webtongue.census.engines import Job, Progress, Result, Rewrite, Watch, gather_spark
from webtongue.census.engines.local import Crew, LocalEngine, WorkerError
from webtongue.census.items import WorkItem
from webtongue.census.read.opening import is_remote
from webtongue.census.sink import ATTEMPTS, LINKS, ROWS, Part, part_name
from webtongue.errors import UsageError

__all__ = ["SparkEngine"]

LOOK = 0.25  # seconds between looks at what tasks said
WAVES = 4  # tasks for each core where work is in small pieces: a slow one holds up a quarter of its share
SENTENCE = re.compile(r"WorkerError: (.+)")
RAISED = re.compile(r"^(?:\w+\.)*(\w+(?:Error|Exception|Extra): .+)", re.MULTILINE)  # the last line of a traceback
LONGEST = 500  # characters of what is told of a failure: Spark's own account of it may have pages


class SparkEngine:
    """Runs items as tasks of a Spark session."""

    def __init__(self, spark: Any) -> None:
        self._spark = spark
        try:
            self._context = spark.sparkContext
        except Exception as error:  # a session of Spark Connect has none, and says so in an error of its own
            raise UsageError(
                "a census needs a Spark session of its own, not one of Spark Connect: run it where the driver is"
            ) from error

    def run(self, items: Sequence[WorkItem], job: Job, watch: Watch | None = None) -> Iterator[Part]:
        """The part of each item as it is done."""
        if any(source.kind == "stdin" for item in items for source in item.sources):
            raise UsageError("executors cannot read standard input: give paths or addresses that they can open")
        tally = _Tally(items)
        for done in self._committed(
            job.out, _ordered(items), _Reading(replace(job, config=job.config.placed())), (LINKS, ROWS)
        ):
            if done is not None and tally.done(done.found):
                yield done.found
            if watch is not None:
                watch(tally.progress())

    def gather(self, out: Path, known: Path) -> None:
        """By Spark SQL, on executors."""
        try:
            gather_spark.gather(self._spark, out, known)
        except Exception as error:  # of Spark, of Java, of a worker: they have no root in common
            raise WorkerError(_sentence(error)) from error

    def rewrite(self, out: Path, numbers: Sequence[int], make: Rewrite[Result]) -> Iterator[tuple[int, Result]]:
        """A task for some of them at a time."""
        for done in self._committed(out, numbers, _Rewriting(make), (ROWS,), self._context.defaultParallelism * WAVES):
            if done is not None:
                yield done.number, done.found

    def _committed(
        self, out: Path, work: Sequence[Any], do: _Do, kinds: Sequence[str], tasks: int | None = None
    ) -> Iterator[_Done | None]:
        """Every piece of work done, by one attempt, whose files are at their place; None where there was none for a while."""
        if not work:
            return
        out = out.absolute()
        attempts = out / ATTEMPTS / uuid.uuid4().hex
        try:
            attempts.mkdir(parents=True)
        except OSError as error:
            raise WorkerError(f"{attempts.parent}: {error.strerror or error}") from None
        left = len(work)
        running = _Tasks(self._context, work, min(tasks or len(work), len(work)), _Attempt(do, attempts, tuple(kinds)))
        try:
            for done in running.done():
                if done is not None:
                    _commit(done, attempts, out, kinds)
                    left -= 1
                yield done
        finally:
            running.cancel()
            shutil.rmtree(attempts, ignore_errors=True)
            with contextlib.suppress(OSError):
                attempts.parent.rmdir()
        if left:  # Spark takes a task for done, though its word did not reach us
            raise WorkerError(f"Spark lost the reports of {left} tasks; --resume does their work again")


def _ordered(items: Sequence[WorkItem]) -> list[WorkItem]:
    """The largest first, so that none of them is begun when all others are done."""
    return [_placed(item) for item in sorted(items, key=lambda item: (-item.size, item.number))]


def _placed(item: WorkItem) -> WorkItem:
    """An item whose paths do not depend on where a process was started; rows call its sources as before."""
    return replace(
        item,
        sources=tuple(
            source
            if is_remote(source.path)
            else replace(source, path=os.path.abspath(source.path), name=source.name or source.path)
            for source in item.sources
        ),
    )


_Do = Callable[
    [Any, Path], tuple[int, Any]
]  # work, and the folder to leave files in: the number of a part and what was found


@dataclass(frozen=True, slots=True)
class _Done:
    """What an attempt reports: the part that it made, what it found, and the folder that its files lie in."""

    number: int
    found: Any
    folder: str
    machine: str


@dataclass(frozen=True, slots=True)
class _Reading:
    """A work item read: plain settings that travel; what they need is made there."""

    job: Job

    def __call__(self, item: WorkItem, folder: Path) -> tuple[int, Part]:
        if self.job.answer is not None:
            (part,) = LocalEngine(1).run([item], replace(self.job, out=folder))
        else:
            (part,) = _crew(self.job.config).run([item], folder)
        return item.number, part


@lru_cache(maxsize=1)
def _crew(config: Config) -> Crew:
    """The child of this process, which stays for its next tasks. It ends with its parent, as Spark ends that."""
    return Crew(Job(config, Path()), 1)


@dataclass(frozen=True, slots=True)
class _Rewriting:
    """A part written anew."""

    make: Rewrite[Any]

    def __call__(self, number: int, folder: Path) -> tuple[int, Any]:
        return number, self.make(number, folder / ROWS / part_name(number))


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One attempt at a piece of work, in a folder that no other attempt has."""

    do: _Do
    attempts: Path
    kinds: tuple[str, ...]

    def __call__(self, work: Any) -> _Done:
        folder = self.attempts / uuid.uuid4().hex
        try:
            for kind in self.kinds:
                (folder / kind).mkdir(parents=True)
            number, found = self.do(work, folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return _Done(number, found, folder.name, platform.node())


def _commit(done: _Done, attempts: Path, out: Path, kinds: Sequence[str]) -> None:
    """An attempt's files to their place; rows last, since they are what tells that a part is there."""
    folder, name = attempts / done.folder, part_name(done.number)
    try:
        for kind in kinds:
            (folder / kind / name).replace(out / kind / name)
    except FileNotFoundError:
        raise WorkerError(
            f"what {done.machine} wrote to {out} is not there on the driver: --out must be a folder that all machines share"
        ) from None
    except OSError as error:
        raise WorkerError(f"{out / ROWS / name}: {error.strerror or error}") from None
    shutil.rmtree(folder, ignore_errors=True)


class _Tally:
    """How far a job is, as far as its parts tell."""

    def __init__(self, items: Sequence[WorkItem]) -> None:
        self._sizes = {item.number: item.size for item in items}
        self._whole = sum(self._sizes.values())
        self._left = set(self._sizes)
        self._rows = self._size = 0

    def done(self, part: Part) -> bool:
        """One more part; False where it was told of before."""
        if part.number not in self._left:
            return False
        self._left.remove(part.number)
        self._rows, self._size = self._rows + part.rows, self._size + self._sizes[part.number]
        return True

    def progress(self) -> Progress:
        everything = len(self._sizes)
        return Progress(self._rows, self._size, self._whole, everything - len(self._left), everything)


class _Tasks:
    """A job of Spark that is under way in a thread, and what its tasks said.

    Reports come by an accumulator: Spark adds what a task said in the moment in which the task counts as done, and once,
    however many attempts there were.
    """

    def __init__(self, context: Any, work: Sequence[Any], tasks: int, attempt: _Attempt) -> None:
        self._context, self._group = context, f"webtongue-{uuid.uuid4().hex}"
        self._reports = context.accumulator([], _Appending())
        self._failure: BaseException | None = None
        spread = context.parallelize(work, tasks)
        each = _reporting(attempt, self._reports)
        self._thread = threading.Thread(target=self._run, args=(spread, each), daemon=True)
        self._thread.start()

    def _run(self, work: Any, each: Callable[[Any], None]) -> None:
        try:
            self._context.setJobGroup(self._group, "webtongue census", interruptOnCancel=True)
            work.foreach(each)
        except BaseException as error:  # told by whoever asks for reports
            self._failure = error

    def done(self) -> Iterator[_Done | None]:
        """Reports as they come; None where there was none for a while."""
        seen = 0
        while True:
            alive = self._thread.is_alive()
            reports: list[_Done] = self._reports.value
            while seen < len(reports):
                yield reports[seen]
                seen += 1
            if not alive:
                break
            yield None
            self._thread.join(LOOK)
        if self._failure is not None:
            raise WorkerError(_sentence(self._failure)) from None

    def cancel(self) -> None:
        """Nothing more is to be done, and nothing is."""
        while self._thread.is_alive():  # it may not have handed in its job yet
            self._context.cancelJobGroup(self._group)
            self._thread.join(LOOK)


class _Appending:
    """How Spark puts reports together: an ``AccumulatorParam`` in all but name, so that this module needs no Spark to be read."""

    def zero(self, value: list[_Done]) -> list[_Done]:
        """Nothing reported yet."""
        return []

    def addInPlace(self, value1: list[_Done], value2: list[_Done]) -> list[_Done]:
        """The second at the end of the first."""
        value1.extend(value2)
        return value1


def _reporting(attempt: _Attempt, reports: Any) -> Callable[[Any], None]:
    def each(work: Any) -> None:
        reports.add([attempt(work)])

    return each


def _sentence(failure: BaseException) -> str:
    """Why Spark gave up, in the words of the task that failed where it had some."""
    text = str(failure)
    told = SENTENCE.findall(text) or RAISED.findall(text)
    why = told[-1] if told else next(filter(None, map(str.strip, text.splitlines())), type(failure).__name__)
    return f"Spark gave the census up: {why[:LONGEST]}; --resume goes on from here"
