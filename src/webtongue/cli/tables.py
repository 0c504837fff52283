"""``webtongue tables``: print the tables of a census."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from webtongue.cli.console import Terminal
from webtongue.cli.options import CensusFolder
from webtongue.cli.terminal import escape_text
from webtongue.errors import UsageError

if TYPE_CHECKING:
    from webtongue.census.tables import Result

__all__ = ["command"]

DEFAULT_TABLES = (
    "summary",
    "servers_by_country",
    "pages_by_language_corrected",
    "unknown_by_reason",
    "evidence_coverage",
    "ranks",
)
COUNTRY_TABLES = ("languages_of_country", "languages_against_population")
LANGUAGE_TABLES = ("countries_of_language", "encodings_by_language", "languages_by_tld")
DEFAULT_ROWS = 20  # rows of a table on the screen
MIN_TWO_DECIMAL_SHARE = 0.0005  # smaller shares are shown with two significant digits
PERCENT_COLUMNS = frozenset({"share", "corrected", "decided_share", "population"})
DECIMAL_COLUMNS = frozenset({"ratio", "log_likelihood", "confidence_before", "confidence_after"})
PLAIN_COLUMNS = frozenset({"fetch_status", "offset"})  # codes and positions have no thousands separators
# Columns that are left out on the screen if another column has the same in a readable form.
REDUNDANT_COLUMNS = {"language": "label", "country": "country_name"}


class Format(StrEnum):
    """The formats of tables."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    MARKDOWN = "markdown"


SUFFIXES = {Format.TABLE: "txt", Format.CSV: "csv", Format.JSON: "jsonl", Format.MARKDOWN: "md"}


def command(
    census: CensusFolder,
    tables: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME...]", help="Tables; default: the most important.")
    ] = None,
    form: Annotated[
        Format | None, typer.Option("--format", help="table (default), csv, json (JSON Lines) or markdown.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="DIR", help="Write a file for each table to this folder.")
    ] = None,
    top: Annotated[
        int | None, typer.Option(min=1, help="Rows of each table; default: 20 on the screen, else all.")
    ] = None,
    country: Annotated[str | None, typer.Option(help="Only this country in tables by country: CA.")] = None,
    language: Annotated[str | None, typer.Option(help="Only this language in tables by language: zh.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the tables.")] = False,
) -> None:
    """Print the tables of a census: servers by country, pages by language, and two dozen more (docs/tables.md)."""
    from webtongue.census.tables import names, run_all

    if listed:
        _list_tables()
        return
    form = form or (Format.CSV if output else Format.TABLE)
    chosen = tables or _choose_tables(form, output, country, language, names())
    if form is Format.CSV and output is None and len(chosen) > 1:
        raise UsageError("CSV has one table in a file: name one table, or a folder with -o")
    parameters = {"country": country, "label": language}
    results = run_all(Path(census), chosen, **{name: value for name, value in parameters.items() if value is not None})
    credit = _read_credit(Path(census))
    if output is not None:
        _write_files(results, Path(output), form, top, credit)
        return
    terminal = Terminal()
    for number, result in enumerate(results):
        if form is Format.TABLE:
            sys.stdout.write("\n" * (number > 0))
            _print_table(result, terminal, top or (DEFAULT_ROWS if result.name != "summary" else len(result.rows)))
        else:
            sys.stdout.writelines(_format_lines(result, form, top, several=len(chosen) > 1))
    if form is Format.TABLE and credit:
        terminal.write(f"\n{terminal.escape(credit)}")


def _choose_tables(
    form: Format, output: str | None, country: str | None, language: str | None, every: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the tables if none is named: those of a given country or language; a few on the screen, else all."""
    if country or language:
        return COUNTRY_TABLES * bool(country) + LANGUAGE_TABLES * bool(language)
    return DEFAULT_TABLES if form is Format.TABLE and output is None else every


def _list_tables() -> None:
    from webtongue.census.tables.queries import names, query

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)  # names are typed by users, so they are never cut
    for name in names():
        table.add_row(name, query(name).title + (f" (Cai 2009, {query(name).cai})" if query(name).cai else ""))
    Terminal().print(table)


def _read_credit(census: Path) -> str:
    """Return the attribution that the IP-to-country table asks for."""
    from webtongue.census.folder import read_about

    try:
        return str(read_about(census).get("attribution") or "")
    except ValueError:
        return ""


def _write_files(results: Iterable[Result], folder: Path, form: Format, top: int | None, credit: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for result in results:
        path = folder / f"{result.name}.{SUFFIXES[form]}"
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(_format_lines(result, form, top, several=False))
            if form is Format.MARKDOWN and credit:
                file.write(f"\n{escape_text(credit)}\n")
        sys.stdout.write(f"{escape_text(str(path))}\n")


def _format_lines(result: Result, form: Format, top: int | None, several: bool) -> Iterator[str]:
    from webtongue.cli.formatting import format_csv, format_json, format_markdown

    rows = result.rows[:top]
    if form is Format.JSON:
        yield from format_json(result.columns, rows, {"table": result.name} if several else None)
    elif form is Format.CSV:
        yield from format_csv(result.columns, rows)
    elif form is Format.MARKDOWN:
        yield f"## {result.title}\n\n"
        yield from format_markdown(result.columns, rows)
        yield f"\n{escape_text(result.note)}\n\n" if result.note else "\n"
    else:
        yield from _format_text(result, len(rows))


def _format_text(result: Result, top: int) -> Iterator[str]:
    columns, rows = _format_cells(result.columns, result.rows[:top])
    yield f"{result.title}\n"
    yield "\t".join(columns) + "\n"
    yield from ("\t".join(escape_text(str(value)) for value in row) + "\n" for row in rows)
    yield f"{escape_text(result.note)}\n" * bool(result.note)


def _print_table(result: Result, terminal: Terminal, top: int) -> None:
    """Print a table on the screen, with its title, its first rows and its note."""
    from webtongue.cli.formatting import print_rows

    columns, rows = _format_cells(result.columns, result.rows[:top])
    terminal.write(result.title, "bold")
    numeric = frozenset(
        column
        for i, column in enumerate(columns)
        if rows and all(not row[i] or row[i][0] in "-0123456789<" for row in rows)
    )
    print_rows(columns, rows, terminal, numeric)
    if left := len(result.rows) - len(rows):
        terminal.write(f"and {left:,} more: --top {len(result.rows)}, or --format csv", "dim")
    if result.note:
        terminal.write_wrapped(terminal.escape(result.note), "dim")


def _format_cells(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[list[str], list[list[str]]]:
    """Return headings and cells for people: no code beside its name, an interval in one cell, shares in percent.

    >>> _format_cells(("country", "country_name", "pages", "share", "low", "high"), [("IS", "Iceland", 1234, 0.5, 0.4, 0.61)])
    (['country', 'pages', 'share', '95%'], [['Iceland', '1,234', '50.00%', '40.00-61.00%']])
    """
    hidden = {"high"} | {code for code, name in REDUNDANT_COLUMNS.items() if name in columns}
    visible = [i for i, column in enumerate(columns) if column not in hidden]
    headings = ["95%" if columns[i] == "low" else columns[i].removesuffix("_name") for i in visible]
    formatted = []
    for row in rows:
        cells = []
        for i in visible:
            if columns[i] == "low":
                cells.append(_format_interval(row[i], row[columns.index("high")]))
            elif columns[0] == "what" and i:
                cells.append(_format_summary_value(str(row[0]), row[i]))
            else:
                cells.append(_format_cell(columns[i], row[i]))
        formatted.append(cells)
    return headings, formatted


def _format_summary_value(name: str, value: Any) -> str:
    return _format_percent(value) if name == "reliable" and value is not None else _format_cell(name, value)


def _format_cell(column: str, value: Any) -> str:
    if value is None:
        return ""
    if column in PERCENT_COLUMNS:
        return _format_percent(value)
    if column in DECIMAL_COLUMNS or isinstance(value, float):
        return f"{value:,.2f}"
    if isinstance(value, int) and not isinstance(value, bool) and column not in PLAIN_COLUMNS:
        return f"{value:,}"
    return str(value)


def _format_percent(share: float) -> str:
    """Return a share in percent with two decimals, or with two significant digits if it is very small.

    >>> _format_percent(0.3333), _format_percent(0.000012), _format_percent(0.0)
    ('33.33%', '0.0012%', '0.00%')
    """
    return f"{share:.2%}" if share >= MIN_TWO_DECIMAL_SHARE or share == 0 else f"{100 * share:.2g}%"


def _format_interval(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return ""
    return f"{_format_percent(low).removesuffix('%')}-{_format_percent(high)}"
