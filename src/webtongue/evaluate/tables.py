"""What experiments share: tables of a paper's figures beside ours, the comparisons it draws, printed, as CSV and as plots.

An experiment is a module in `experiments/papers` named by its paper. Its `PUBLISHED` names all numbered tables and figures
of the paper, and its `run(data, quick)` yields Tables, Claims and Exempts as they are done: each of PUBLISHED is in one of them.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table as Printed
from rich.text import Text

from webtongue.evaluate.plot import bars, lines

__all__ = ["BESIDE", "Cell", "Claim", "Exempt", "Found", "Table", "print_found", "shown", "write"]

BESIDE = ("paper", "its method", "webtongue")  # the published figure, ours with the paper's method, ours by default

Cell = str | float | int | None
LEAST_NAME = 16  # columns that the names of rows keep on a narrow screen


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a paper. Floats are percentages, None is a figure that does not exist.

    ``columns`` has the name of the first column and of the figures; ``note`` says how our data differ. ``plot`` is "bars" (a
    group a row), "lines" (rows along x) or empty for a table that is better read, such as a confusion matrix. ``of`` names the
    tables and figures of the paper that it is ("table 5.1"), ``generated`` what of its data was made, and by what rates, and
    ``headline`` that docs/papers.md shows it.
    """

    id: str
    title: str
    rows: tuple[tuple[Cell, ...], ...]
    columns: tuple[str, ...] = ("", *BESIDE)
    note: str = ""
    plot: str = "bars"
    of: tuple[str, ...] = ()
    generated: str = ""
    headline: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """A comparison that the paper draws, whether it comes out, and by what figures.

    If it does not, ``why`` is an explanation that was tested, with the figures of that test, or says "not explained".
    """

    text: str
    holds: bool
    figures: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Exempt:
    """Tables and figures of a paper that are not made again, and the reason."""

    of: tuple[str, ...]
    reason: str


Found = Table | Claim | Exempt


def print_found(console: Console, found: Found) -> None:
    """For people."""
    if isinstance(found, Table):
        _print_table(console, found)
    elif isinstance(found, Claim):
        said = ("[green]holds[/]" if found.holds else "[red]does not hold[/]") + f": {escape(found.text)}"
        why = "" if found.holds else f"; {escape(found.why or 'not explained')}"
        console.print(f"{said} ({escape(found.figures)}){why}", highlight=False)
    else:
        console.print(Text(f"not made: {', '.join(found.of)}: {found.reason}", style="dim"))


def _print_table(console: Console, table: Table) -> None:
    of = f" ({', '.join(table.of)})" if table.of else ""
    console.print(Text(f"{table.id}: {table.title}{of}", style="italic"))
    printed = Printed(header_style="bold", box=None)
    for number, heading in enumerate(table.columns):
        least = None if number else min(LEAST_NAME, max((len(shown(row[0])) for row in table.rows), default=0))
        printed.add_column(Text(heading), justify="right" if number else "left", no_wrap=bool(number), min_width=least)
    for row in table.rows:
        printed.add_row(*(Text(shown(cell)) for cell in row))  # not markup: brackets are brackets
    console.print(printed)
    for said in (table.note, table.generated and f"generated: {table.generated}"):
        if said:
            console.print(Text(said, style="dim"))
    console.print()


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
