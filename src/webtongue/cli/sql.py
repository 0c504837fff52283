"""``webtongue sql``: a question by hand."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from webtongue.cli.terminal import screen
from webtongue.errors import UsageError

__all__ = ["command"]

LONGEST = 1 << 20  # characters of a question


def command(
    census: Annotated[str, typer.Argument(metavar="OUT", help="The folder of a census.")],
    question: Annotated[str, typer.Argument(metavar="SELECT...", help="One SELECT; - reads it from standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each row.")] = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="CSV; cells that a spreadsheet would run are marked as text.")
    ] = False,
) -> None:
    """Ask a census in SQL, as DuckDB has it. Nothing is written, and nothing but the census can be read.

    SHOW TABLES lists the tables: pages and captures (one row each), language, country, server, and more in docs/tables.md.
    """
    if as_json and as_csv:
        raise UsageError("--json and --csv are two ways to print: choose one")
    if question == "-":
        question = sys.stdin.read(LONGEST)
    from webtongue.census.sql import asked
    from webtongue.cli.cells import csv_lines, json_lines, print_rows

    with asked(Path(census), question) as answer:
        if as_json:
            sys.stdout.writelines(json_lines(answer.columns, answer.rows))
        elif as_csv:
            sys.stdout.writelines(csv_lines(answer.columns, answer.rows))
        else:
            print_rows(answer.columns, answer.rows, screen())
