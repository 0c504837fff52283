"""Print to standard output with rich: lines, wrapped notes and streamed tables that fit the width of the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from webtongue.cli.terminal import escape_text

__all__ = ["Column", "StreamedTable", "Terminal", "compute_widths"]

PIPED_WIDTH = 160  # columns at which text is wrapped if the output is neither a terminal nor COLUMNS is set
NAME_CHARS = 20  # width of the names that write_pairs prints
GAP = 2  # cells between columns


class Terminal(Console):
    """Standard output, or another stream, as a rich console.

    ``is_limited`` tells whether tables are cut to ``width``: on a terminal, or if COLUMNS is set. Printing raises
    BrokenPipeError if the reader of the output is gone, where rich would exit.
    """

    def __init__(self, piped_width: int = PIPED_WIDTH, file: TextIO | None = None) -> None:
        file = file or sys.stdout
        columns = os.environ.get("COLUMNS", "")
        self.is_limited = file.isatty() or (columns.isdecimal() and int(columns) > 0)
        super().__init__(file=file, width=None if self.is_limited else piped_width, highlight=False)

    @property
    def has_color(self) -> bool:
        """Return True if text can be coloured."""
        return self.color_system is not None and not self.no_color

    def on_broken_pipe(self) -> None:
        """Raise the error again: rich would exit."""
        raise BrokenPipeError

    def escape(self, text: str) -> str:
        """Return untrusted text with escapes for what would act on the terminal or cannot be encoded."""
        return escape_text(text, self.encoding)

    def cut(self, text: str, width: int, middle: bool = False) -> str:
        """Return text cut to ``width`` cells, with an ellipsis at its end, or in the middle if both ends matter."""
        if len(text) <= 4 * width and cell_len(text) <= width:  # combining marks and joiners take no cell
            return text
        ellipsis = "…" if escape_text("…", self.encoding) == "…" else "..."
        available = max(width - len(ellipsis), 0)
        tail_width = available * 2 // 5 if middle else 0
        tail = text[-2 * width :] if middle else ""
        while cell_len(tail) > tail_width:
            tail = tail[1:]
        return set_cell_size(text[: 2 * width], available - tail_width).rstrip() + ellipsis + tail.lstrip()

    def write(self, text: str | Text, style: str = "") -> None:
        """Print a line as it is: not wrapped, and markup is not interpreted. Untrusted text must be escaped."""
        self.print(Text(text, style) if isinstance(text, str) else text, soft_wrap=True)

    def write_wrapped(self, text: str, style: str = "") -> None:
        """Print text in lines as wide as the terminal; markup is not interpreted."""
        self.print(Text(text, style))

    def write_pairs(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Print names and values, one pair on a line."""
        for name, value in pairs:
            self.write(Text.assemble((f"{name:<{NAME_CHARS}}", "dim"), f" {value}"))


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a StreamedTable: the range of its width in cells, and by how many cells it grows at a time."""

    name: str
    min_width: int
    max_width: int
    growth: int = 1
    right: bool = False  # aligned to the right
    cut_middle: bool = False  # for names, whose both ends matter
    heading: str = ""  # the name if empty


def compute_widths(columns: Sequence[Column], width: int) -> dict[str, int]:
    """Return the widths of the columns that fit; the least important columns, which are the last, are dropped.

    >>> compute_widths((Column("page", 10, 40, growth=2), Column("label", 8, 8), Column("why", 20, 40)), 33)
    {'page': 23, 'label': 8}
    """
    fitting = list(columns[:1])
    for column in columns[1:]:
        if sum(c.min_width + GAP for c in fitting) + column.min_width > width:
            break
        fitting.append(column)
    widths = {c.name: c.min_width for c in fitting}
    free = width - sum(widths.values()) - GAP * (len(fitting) - 1)
    while free > 0 and any(widths[c.name] < c.max_width for c in fitting):
        for column in fitting:
            more = min(column.growth, column.max_width - widths[column.name], free)
            widths[column.name] += more
            free -= more
    return widths


class StreamedTable:
    """A table that prints each row at once, so its widths are computed before the first row (rich's Table needs all rows).

    ``columns`` are in the order of importance; ``order`` is the order on the screen if it differs.
    """

    def __init__(self, columns: Sequence[Column], terminal: Terminal, order: Sequence[str] = ()) -> None:
        self.terminal = terminal
        self._columns = {column.name: column for column in columns}
        widths = {column.name: column.max_width for column in columns}
        if terminal.is_limited:
            widths = compute_widths(columns, terminal.width)
        self.widths = {name: widths[name] for name in order or widths if name in widths}
        self._has_heading = False

    def print_heading(self) -> None:
        """Print the names of the columns, once."""
        if not self._has_heading:
            self._has_heading = True
            self.print_row({name: Text(self._columns[name].heading or name, "bold") for name in self.widths})

    def print_row(self, cells: Mapping[str, str | Text], rest: str = "") -> None:
        """Print a row of escaped texts; ``rest`` is a sentence in place of all columns after the last one in ``cells``."""
        self.print_heading()
        names = list(self.widths)
        if rest:
            names = names[: 1 + max(i for i, name in enumerate(names) if name in cells)]
        parts = [part for name in names for part in self._format_cell(self._columns[name], cells.get(name, ""))]
        if rest:
            width = sum(self.widths[name] + GAP for name in self.widths if name not in names) - GAP
            parts.append(self._cut(Text(rest), width, middle=False))
        line = Text.assemble(*parts)
        line.rstrip()
        self.terminal.write(line)

    def _format_cell(self, column: Column, cell: str | Text) -> tuple[str | Text, ...]:
        width = self.widths[column.name]
        text = self._cut(Text(cell) if isinstance(cell, str) else cell, width, column.cut_middle)
        padding = " " * (width - text.cell_len)
        return (padding, text, " " * GAP) if column.right else (text, padding, " " * GAP)

    def _cut(self, text: Text, width: int, middle: bool) -> Text:
        if not self.terminal.is_limited:
            return text
        return Text(self.terminal.cut(text.plain, width, middle), text.style)
