"""``webtongue sql``: a question by hand."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from webtongue.cli.terminal import screen
from webtongue.errors import UsageError

__all__ = ["command"]

LONGEST = 1 << 20  # bytes of a question


def command(
    census: Annotated[str, typer.Argument(metavar="OUT", help="The folder of a census.")],
    question: Annotated[str, typer.Argument(metavar="SELECT...", help="One SELECT; - reads it from standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each row.")] = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="CSV; cells that a spreadsheet would run are marked as text.")
    ] = False,
    limit: Annotated[int | None, typer.Option(min=0, help="Rows to print; all if not given.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Give up after so long; else Ctrl-C ends it.")] = None,
) -> None:
    """Ask a census in SQL, as DuckDB has it. Nothing is written, and nothing but the census can be read.

    SHOW TABLES lists the tables: pages and captures (one row each), language, country, server, and more in docs/tables.md.
    """
    if as_json and as_csv:
        raise UsageError("--json and --csv are two ways to print: choose one")
    if question == "-":
        question = _read()
    from webtongue.census.sql import asked
    from webtongue.cli.cells import csv_lines, json_lines, print_rows

    with asked(Path(census), question, seconds=seconds) as answer:
        rows = islice(answer.rows, limit)
        if as_json:
            sys.stdout.writelines(json_lines(answer.columns, rows))
        elif as_csv:
            sys.stdout.writelines(csv_lines(answer.columns, rows))
        else:
            print_rows(answer.columns, rows, screen())


def _read() -> str:
    read = sys.stdin.buffer.read(LONGEST + 1)
    if len(read) > LONGEST:
        raise UsageError(f"a question has at most {LONGEST:,} bytes")
    return read.decode("utf-8", "surrogateescape")
