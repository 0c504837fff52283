"""Print tables row by row, with columns that fit the width of the terminal.

Output without colours and without a limit of its width, as in a pipe, is written without rich, whose import takes longer than
identifying a page.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from webtongue.cli.terminal import escape_text
from webtongue.records import dataclass

if TYPE_CHECKING:
    from webtongue.cli.console import Terminal

__all__ = [
    "GAP", "Column", "PlainTerminal", "StreamedTable", "Styled", "compute_widths", "is_width_limited", "open_terminal",
]  # fmt: skip

PIPED_WIDTH = 160  # columns at which text is wrapped if the output is neither a terminal nor COLUMNS is set
GAP = 2  # cells between columns
COLOR_VARIABLES = (
    "FORCE_COLOR",
    "TTY_COMPATIBLE",
)  # environment variables by which rich may colour what is no terminal


class Styled(str):
    """A text with a style of rich, such as ``bold``."""

    __slots__ = ("style",)
    style: str

    def __new__(cls, text: str, style: str = "") -> Styled:
        """Return the text with its style."""
        styled = super().__new__(cls, text)
        styled.style = style
        return styled


def is_width_limited(file: TextIO) -> bool:
    """Return True if lines are cut: on a terminal, or if COLUMNS is set."""
    columns = os.environ.get("COLUMNS", "")
    return file.isatty() or (columns.isdecimal() and int(columns) > 0)


def open_terminal() -> Terminal | PlainTerminal:
    """Return standard output for a StreamedTable."""
    if not is_width_limited(sys.stdout) and not any(name in os.environ for name in COLOR_VARIABLES):
        return PlainTerminal(sys.stdout)
    from webtongue.cli.console import Terminal

    return Terminal()


class PlainTerminal:
    """Standard output that is no terminal: the part of a Terminal that needs neither colours nor a width."""

    is_limited = False
    width = PIPED_WIDTH

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def escape(self, text: str) -> str:
        """Return untrusted text with escapes for what would act on a terminal or cannot be encoded."""
        return escape_text(text, self._file.encoding or "utf-8")

    def write_parts(self, parts: Sequence[str]) -> None:
        """Print a line of texts, without spaces at its end. Untrusted text must be escaped."""
        self._file.write("".join(parts).rstrip() + "\n")
        self._file.flush()

    def write_wrapped(self, text: str) -> None:
        """Print text in lines of at most PIPED_WIDTH characters."""
        if text.isascii() and all(len(line) <= self.width for line in text.split("\n")):
            self._file.write(text + "\n")
            return
        from webtongue.cli.console import Terminal

        Terminal(file=self._file).write_wrapped(text)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a StreamedTable: the range of its width in cells, and by how many cells it grows at a time."""

    name: str
    min_width: int
    max_width: int
    growth: int = 1
    right: bool = False  # aligned to the right
    cut_middle: bool = False  # for names, whose both ends matter
    heading: str = ""  # the name if empty; may have several lines


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

    def __init__(
        self, columns: Sequence[Column], terminal: Terminal | PlainTerminal, order: Sequence[str] = ()
    ) -> None:
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
            lines = {name: (self._columns[name].heading or name).split("\n") for name in self.widths}
            for left in range(max(map(len, lines.values())), 0, -1):
                cells = {name: texts[-left] for name, texts in lines.items() if left <= len(texts)}
                self.print_row({name: Styled(text, "bold") for name, text in cells.items()})

    def print_row(self, cells: Mapping[str, str], rest: str = "") -> None:
        """Print a row of escaped texts; ``rest`` is a sentence in place of all columns after the last one in ``cells``."""
        self.print_heading()
        names = list(self.widths)
        if rest:
            names = names[: 1 + max(i for i, name in enumerate(names) if name in cells)]
        parts = [part for name in names for part in self._format_cell(self._columns[name], cells.get(name, ""))]
        if rest:
            width = sum(self.widths[name] + GAP for name in self.widths if name not in names) - GAP
            parts.append(self._cut(rest, width, middle=False))
        self.terminal.write_parts(parts)

    def _format_cell(self, column: Column, cell: str) -> tuple[str, ...]:
        width = self.widths[column.name]
        text = self._cut(cell, width, column.cut_middle)
        padding = " " * (width - _count_cells(text))
        return (padding, text, " " * GAP) if column.right else (text, padding, " " * GAP)

    def _cut(self, text: str, width: int, middle: bool) -> str:
        if not self.terminal.is_limited:
            return text
        terminal: Any = self.terminal
        return Styled(terminal.cut(str(text), width, middle), text.style if isinstance(text, Styled) else "")


def _count_cells(text: str) -> int:
    """Return the width of a text on a terminal."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(str(text))
