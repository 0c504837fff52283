"""Show the progress of long runs on standard error: on a terminal, unless the printed rows show it already."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

__all__ = ["CensusProgress", "CrawlProgress", "EstimateProgress", "show_count"]

T = TypeVar("T")
MB = 1 << 20
LINE_SECONDS = 60.0  # seconds between two lines if standard error is not a terminal
MIN_ITEMS = 256  # shorter runs end too soon for progress to matter
MAX_LANGUAGES = 4  # languages whose queues are shown


def show_count(items: Iterable[T], name: str) -> Iterator[T]:
    """Yield the items and show how many there were."""
    rows = iter(items)
    if not _is_terminal() or sys.stdout.isatty():
        yield from rows
        return
    for count, item in enumerate(rows, 1):
        yield item
        if count == MIN_ITEMS:
            break
    else:
        return
    from rich.console import Console
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(f"{{task.completed:,}} {name}"), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as progress:
        task = progress.add_task("", total=None, completed=MIN_ITEMS)
        for item in rows:
            yield item
            progress.advance(task)


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


class _StatusLine:
    """A line that is replaced on a terminal; elsewhere a new line each minute."""

    def __init__(self) -> None:
        self._start = self._last_line = time.monotonic()
        self._progress: Any = None
        self._task: Any = None

    def __enter__(self) -> Any:
        if _is_terminal():
            from rich.console import Console
            from rich.progress import Progress

            self._progress = Progress(*self._columns(), console=Console(stderr=True), transient=True)
            self._progress.start()
            self._task = self._progress.add_task("", total=None, status="")
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def _columns(self) -> tuple[Any, ...]:
        from rich.progress import TextColumn

        return (TextColumn("{task.fields[status]}", markup=False),)

    def _show(self, status: str, log_line: str = "", **fields: Any) -> None:
        now = time.monotonic()
        if self._progress is not None:
            self._progress.update(self._task, status=status, **fields)
        elif now - self._last_line >= LINE_SECONDS:
            from webtongue.cli.terminal import print_stderr

            self._last_line = now
            print_stderr(log_line or status)


class CensusProgress(_StatusLine):
    """The progress of a census: a bar with rows and bytes per second and the time left, or a line each minute."""

    def _columns(self) -> tuple[Any, ...]:
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

        return (
            TextColumn("{task.description}"), BarColumn(bar_width=None), TextColumn("{task.percentage:>3.0f}%"),
            *super()._columns(), TimeRemainingColumn(),
        )  # fmt: skip

    def show_stage(self, stage: str) -> None:
        """Show what is done now."""
        if self._progress is not None:
            self._progress.update(self._task, description=stage)

    def update(self, progress: Any) -> None:
        """Show how far reading is."""
        seconds = max(time.monotonic() - self._start, 1e-9)
        speed = (
            f"{progress.rows:,} captures, {progress.rows / seconds:,.0f}/s, {progress.size / seconds / MB:,.1f} MB/s"
        )
        seconds_left = (progress.total_size - progress.size) * seconds / progress.size if progress.size else 0
        line = f"{speed}, {progress.items:,} of {progress.total_items:,} inputs"
        if seconds_left > 0:
            line += f", {seconds_left / 60:,.0f} min left"
        self._show(speed, line, total=progress.total_size or None, completed=progress.size)


class CrawlProgress(_StatusLine):
    """The progress of a crawl: a line that is replaced on a terminal, or a line each minute."""

    def update(self, progress: Any) -> None:
        """Show how many pages were fetched, and what is queued."""
        from webtongue.cli.terminal import escape_text

        wanted = sum(progress.targets.values())
        queue = ", ".join(f"{name} {count:,}" for name, count in list(progress.queued.items())[:MAX_LANGUAGES])
        limit = f" of {progress.max_pages:,}" if progress.max_pages else ""
        share = f", {wanted / progress.pages:.0%} wanted" if progress.pages else ""
        line = f"{progress.requests:,}{limit} pages{share}, {progress.hosts:,} hosts, queued: {queue or 'nothing'}"
        self._show(escape_text(line))


class EstimateProgress(_StatusLine):
    """The progress of an estimate: the stage, and the rows of the index or records that are done."""

    def __init__(self) -> None:
        super().__init__()
        self._stage, self._rows = "", 0

    def show_stage(self, stage: str) -> None:
        """Show what is done now."""
        self._stage, self._rows = stage, 0
        self._show(stage)

    def add(self, rows: int) -> None:
        """Show that more rows are done."""
        self._rows += rows
        self._show(f"{self._stage}: {self._rows:,}")
