"""What experiments share: tables of a paper's figures beside ours, the comparisons it draws, printed, as CSV and as plots.

An experiment is a module in `experiments/` named by its paper, with one function `run(data, quick)` that yields Tables and
Claims as they are done.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table as Printed
from rich.text import Text

from webtongue.evaluate.plot import bars, lines

__all__ = ["BESIDE", "Cell", "Claim", "Table", "print_claim", "print_table", "write"]

BESIDE = ("paper", "its method", "webtongue")  # the published figure, ours with the paper's method, ours by default

Cell = str | float | int | None


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a paper. Floats are percentages, None is a figure that does not exist.

    ``columns`` has the name of the first column and of the ``figures``; ``note`` says how our data differ. ``plot`` is
    "bars" (a group a row), "lines" (rows along x) or empty for a table that is better read, such as a confusion matrix.
    """

    id: str
    title: str
    rows: tuple[tuple[Cell, ...], ...]
    columns: tuple[str, ...] = ("", *BESIDE)
    note: str = ""
    plot: str = "bars"


@dataclass(frozen=True, slots=True)
class Claim:
    """A comparison that the paper draws, whether it comes out, and by what figures; if it does not, why."""

    text: str
    holds: bool
    figures: str


def print_table(console: Console, table: Table) -> None:
    """For people."""
    console.print(Text(f"{table.id}: {table.title}", style="italic"))
    printed = Printed(header_style="bold", box=None)
    for number, heading in enumerate(table.columns):
        printed.add_column(heading, justify="right" if number else "left", no_wrap=bool(number))
    for row in table.rows:
        printed.add_row(*map(shown, row))
    console.print(printed)
    if table.note:
        console.print(Text(table.note, style="dim"))
    console.print()


def print_claim(console: Console, claim: Claim) -> None:
    """A line: the comparison, whether it holds, and the figures."""
    said = ("[green]holds[/]" if claim.holds else "[red]does not hold[/]") + f": {claim.text}"
    console.print(f"{said} ({claim.figures})", highlight=False)


def shown(cell: Cell) -> str:
    """A cell as people read it.

    >>> [shown(cell) for cell in (93.94, 12, None, "no data")]
    ['93.9', '12', '', 'no data']
    """
    return "" if cell is None else f"{cell:.1f}" if isinstance(cell, float) else str(cell)


def write(table: Table, folder: Path) -> None:
    """The table as CSV, and as a plot where it has one."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{table.id}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table.columns)
        writer.writerows([f"{c:.4f}" if isinstance(c, float) else c for c in row] for row in table.rows)
    if table.plot:
        names = [str(row[0]) for row in table.rows]
        columns = list(zip(*table.rows, strict=True))[1:]
        numbers = {
            heading: [float(cell) if isinstance(cell, float) else None for cell in column]
            for heading, column in zip(table.columns[1:], columns, strict=True)
            if any(isinstance(cell, float) for cell in column)
        }
        draw = {"bars": bars, "lines": lines}[table.plot]
        (folder / f"{table.id}.svg").write_text(draw(table.title, names, numbers), "utf-8")
