"""How far a long run is: on standard error, only on a terminal, and not where the rows themselves show it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

__all__ = ["Bar", "CrawlLine", "counted"]

T = TypeVar("T")
MB = 1 << 20
MINUTE = 60.0  # seconds between lines where there is no terminal
FIRST = 256  # things that are done too soon for anyone to want to know


def counted(things: Iterable[T], name: str) -> Iterator[T]:
    """The same things; beside them a line that counts them."""
    rows = iter(things)
    if sys.stderr is None or not sys.stderr.isatty() or sys.stdout.isatty():
        yield from rows
        return
    for done, thing in enumerate(rows, 1):
        yield thing
        if done == FIRST:
            break
    else:
        return
    from rich.console import Console
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(f"{{task.completed:,}} {name}"), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as progress:
        task = progress.add_task("", total=None, completed=FIRST)
        for thing in rows:
            yield thing
            progress.advance(task)


class Bar:
    """How far a census is: a bar on a terminal, with rows and bytes a second and the time left; else a line a minute."""

    def __init__(self) -> None:
        self._begun = self._last = time.monotonic()
        self._progress: Any = None
        self._task: Any = None

    def __enter__(self) -> Bar:
        if sys.stderr is not None and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (
                TextColumn("{task.description}"), BarColumn(bar_width=None), TextColumn("{task.percentage:>3.0f}%"),
                TextColumn("{task.fields[speed]}"), TimeRemainingColumn(),
            )  # fmt: skip
            self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
            self._progress.start()
            self._task = self._progress.add_task("", total=None, speed="")
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def say(self, stage: str) -> None:
        """What is done now."""
        if self._progress is not None:
            self._progress.update(self._task, description=stage)

    def watch(self, found: Any) -> None:
        """How far reading is."""
        now = time.monotonic()
        seconds = max(now - self._begun, 1e-9)
        speed = f"{found.rows:,} captures, {found.rows / seconds:,.0f}/s, {found.size / seconds / MB:,.1f} MB/s"
        if self._progress is not None:
            whole = found.whole or None
            self._progress.update(self._task, total=whole, completed=found.size, speed=speed)
        elif now - self._last >= MINUTE and sys.stderr is not None:
            self._last = now
            left = (found.whole - found.size) * seconds / found.size if found.size else 0
            sys.stderr.write(f"webtongue: {speed}, {found.items:,} of {found.all_items:,} inputs{_minutes(left)}\n")
            sys.stderr.flush()


def _minutes(seconds: float) -> str:
    """Time that is left, as far as it is known."""
    return f", {seconds / 60:,.0f} min left" if seconds > 0 else ""


class CrawlLine:
    """How far a crawl is: a line on a terminal that is written over, else a line a minute."""

    def __init__(self) -> None:
        self._last = time.monotonic()
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._written = 0

    def __enter__(self) -> CrawlLine:
        return self

    def __exit__(self, *_: object) -> None:
        if self._written:
            sys.stderr.write("\r" + " " * self._written + "\r")
            sys.stderr.flush()

    def watch(self, found: Any) -> None:
        """One more look at it."""
        wanted = sum(found.targets.values())
        queue = ", ".join(f"{name} {count:,}" for name, count in list(found.queued.items())[:4])
        of = f" of {found.max_pages:,}" if found.max_pages else ""
        share = f", {wanted / found.pages:.0%} wanted" if found.pages else ""
        line = f"{found.requests:,}{of} pages{share}, {found.hosts:,} hosts, queued: {queue or 'nothing'}"
        if self._is_terminal:
            from webtongue.cli.terminal import screen, shown

            line = shown(line)[: max(20, (screen(sys.stderr).width or 80) - 1)]
            sys.stderr.write("\r" + line.ljust(self._written))
            sys.stderr.flush()
            self._written = len(line)
        elif time.monotonic() - self._last >= MINUTE and sys.stderr is not None:
            self._last = time.monotonic()
            sys.stderr.write(f"webtongue: {line}\n")
            sys.stderr.flush()
