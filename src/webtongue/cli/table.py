"""A table that is printed row by row: its columns are settled before the first row, by how wide the terminal is.

Rows come as pages are answered, so nothing is known of those to come. Columns that find no room are left out, the least
important first; what is left over goes to those that can use it.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len

from webtongue.cli.terminal import PIPED_WIDTH, Screen

__all__ = ["Cell", "Column", "Table", "layout"]

GAP = 2  # cells between columns
BETWEEN = "   "  # entries of a legend


@dataclass(frozen=True, slots=True)
class Column:
    """A column, in the order of importance: how many cells it needs, how many it can use, and how fast it grows.

    ``middle`` is for names: where there is no room they are cut in the middle, since both ends tell.
    """

    name: str
    least: int
    most: int
    grow: int = 1
    right: bool = False
    middle: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A text, already fit to be shown, and its style. ``spans``: over all columns that follow, where they are empty."""

    text: str
    style: str = ""
    spans: bool = False


NOTHING = Cell("")


def layout(columns: Sequence[Column], width: int) -> dict[str, int]:
    """The columns that are shown and how wide each is; the first is always there.

    >>> layout((Column("page", 10, 40, grow=2), Column("label", 8, 8), Column("why", 20, 40)), 33)
    {'page': 23, 'label': 8}
    """
    kept = list(columns[:1])
    for column in columns[1:]:
        if sum(c.least + GAP for c in kept) + column.least > width:
            break
        kept.append(column)
    cells = {c.name: c.least for c in kept}
    free = width - sum(cells.values()) - GAP * (len(kept) - 1)
    while free > 0 and any(cells[c.name] < c.most for c in kept):
        for column in kept:
            more = min(column.grow, column.most - cells[column.name], free)
            cells[column.name] += more
            free -= more
    return cells


@dataclass(slots=True)
class Table:
    """Prints rows as they come; ``order`` is that of the columns on the screen, where it is not that of importance."""

    columns: Sequence[Column]
    screen: Screen
    order: Sequence[str] = ()
    _cells: dict[str, int] = field(init=False)
    _known: dict[str, Column] = field(init=False)
    _headed: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        found = layout(self.columns, self.screen.width) if self.screen.width else {c.name: c.most for c in self.columns}
        self._cells = {name: found[name] for name in self.order or found if name in found}
        self._known = {column.name: column for column in self.columns}

    @property
    def shown(self) -> Sequence[str]:
        """The columns that there is room for."""
        return list(self._cells)

    def row(self, cells: Mapping[str, Cell]) -> None:
        """Print a row; cells of columns that are not shown are left out."""
        if not self._headed:
            self._headed = True
            self.row({name: Cell(name, "bold") for name in self._cells})
        names = list(self._cells)
        line, space = "", 0
        for at, name in enumerate(names):
            cell = cells.get(name, NOTHING)
            width = self._cells[name]
            if cell.spans:
                width += sum(self._cells[later] + GAP for later in names[at + 1 :])
            column = self._known[name]
            text = self.screen.cut(cell.text, width, column.middle) if self.screen.width else cell.text
            left = max(width - cell_len(text), 0)
            line += " " * (space + left * column.right) + self.screen.styled(text, cell.style)
            space = GAP + left * (not column.right)
            if cell.spans:
                break
        sys.stdout.write(line.rstrip(" ") + "\n")

    def legend(self, lines: Iterable[str]) -> None:
        """What marks mean, below the table; a line holds as many as it can."""
        width = self.screen.width or PIPED_WIDTH
        out: list[str] = []
        for said in lines:
            if out and len(out[-1]) + len(BETWEEN) + len(said) <= width:
                out[-1] += BETWEEN + said
            else:
                out += textwrap.wrap(said, width)
        sys.stdout.writelines(["\n"] * bool(out) + [line + "\n" for line in out])
