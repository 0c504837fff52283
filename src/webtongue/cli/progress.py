"""How far a long run is: on standard error, only on a terminal, and not where the rows themselves show it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

__all__ = ["counted"]

T = TypeVar("T")
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
