"""Results of experiments: tables of a paper's figures beside ours, and its claims; printed, as CSV and as plots.

An experiment is a module in `src/webtongue/lab/papers` named after its paper. Its `PUBLISHED` names all numbered tables and figures
of the paper, and its `run(data, quick)` yields Tables, Claims and Exempts: each item of PUBLISHED is in one of them.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table as Printed
from rich.text import Text

from webtongue.lab.evaluate.plot import draw_bars, draw_lines

__all__ = [
    "BESIDE",
    "OUTCOMES",
    "Cell",
    "Claim",
    "Exempt",
    "Result",
    "Table",
    "format_cell",
    "print_result",
    "write_table",
]

BESIDE = ("paper", "its method", "webtongue")  # the published figure, ours with the paper's method, ours by default

Cell = str | float | int | None
MIN_NAME_COLUMNS = 16  # terminal columns of the names of rows on a narrow screen


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a paper. Floats are percentages, None is a missing figure.

    ``columns`` has the names of the first column and of the figures; ``note`` says how our data differ. ``plot`` is "bars" (one
    group per row), "lines" (rows along x) or empty. ``reproduces`` names the tables and figures of the paper ("table 5.1"),
    ``generated`` says which data were generated, and by what rates, and ``headline`` marks tables of docs/papers.md.
    """

    id: str
    title: str
    rows: tuple[tuple[Cell, ...], ...]
    columns: tuple[str, ...] = ("", *BESIDE)
    note: str = ""
    plot: str = "bars"
    reproduces: tuple[str, ...] = ()
    generated: str = ""
    headline: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of the paper, whether it holds here, and the figures.

    ``holds`` is None if it cannot be decided on our data. If it does not hold or cannot be decided, ``why`` is an explanation that
    was tested, with the figures of that test, or "not explained". ``refuted_by`` is the result that would refute the claim.
    """

    text: str
    holds: bool | None
    figures: str
    why: str = ""
    refuted_by: str = ""


@dataclass(frozen=True, slots=True)
class Exempt:
    """Tables and figures of a paper that are not reproduced, and the reason."""

    reproduces: tuple[str, ...]
    reason: str


Result = Table | Claim | Exempt

OUTCOMES: dict[bool | None, str] = {True: "holds", False: "does not hold", None: "cannot be decided here"}
OUTCOME_STYLES: dict[bool | None, str] = {True: "green", False: "red", None: "yellow"}


def print_result(console: Console, result: Result) -> None:
    """Print a result."""
    if isinstance(result, Table):
        _print_table(console, result)
    elif isinstance(result, Claim):
        outcome = f"[{OUTCOME_STYLES[result.holds]}]{OUTCOMES[result.holds]}[/]: {escape(result.text)}"
        why = "" if result.holds else f"; {escape(result.why or 'not explained')}"
        refuted_by = f"; refuted by: {escape(result.refuted_by)}" if result.refuted_by else ""
        console.print(f"{outcome} ({escape(result.figures)}){why}{refuted_by}", highlight=False)
    else:
        console.print(Text(f"not made: {', '.join(result.reproduces)}: {result.reason}", style="dim"))


def _print_table(console: Console, table: Table) -> None:
    reproduced = f" ({', '.join(table.reproduces)})" if table.reproduces else ""
    console.print(Text(f"{table.id}: {table.title}{reproduced}", style="italic"))
    printed = Printed(header_style="bold", box=None)
    for number, heading in enumerate(table.columns):
        min_width = (
            None if number else min(MIN_NAME_COLUMNS, max((len(format_cell(row[0])) for row in table.rows), default=0))
        )
        printed.add_column(
            Text(heading), justify="right" if number else "left", no_wrap=bool(number), min_width=min_width
        )
    for row in table.rows:
        printed.add_row(*(Text(format_cell(cell)) for cell in row))  # Text, so that brackets are not parsed as markup
    console.print(printed)
    for text in (table.note, table.generated and f"generated: {table.generated}"):
        if text:
            console.print(Text(text, style="dim"))
    console.print()


def format_cell(cell: Cell) -> str:
    """Return a cell as text, floats with one decimal.

    >>> [format_cell(cell) for cell in (93.94, 12, None, "no data")]
    ['93.9', '12', '', 'no data']
    """
    return "" if cell is None else f"{cell:.1f}" if isinstance(cell, float) else str(cell)


def write_table(table: Table, folder: Path) -> None:
    """Write the table as CSV, and its plot if it has one."""
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
        draw = {"bars": draw_bars, "lines": draw_lines}[table.plot]
        (folder / f"{table.id}.svg").write_text(draw(table.title, names, numbers), "utf-8")
