"""``webtongue tables``: print the tables of a census."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from webtongue.census.shares import format_share
from webtongue.cli.console import Terminal
from webtongue.cli.options import CensusFolder
from webtongue.cli.parameters import Argument, Option
from webtongue.cli.terminal import escape_text
from webtongue.errors import UsageError

if TYPE_CHECKING:
    from webtongue.census.tables import Result

__all__ = ["command"]

# What a reader needs no explanation for; the other tables are named below them.
DEFAULT_TABLES = ("summary", "pages_by_language", "servers_by_country", "pages_by_host", "unknown_by_reason")
COUNTRY_TABLES = ("languages_of_country", "languages_against_population")
LANGUAGE_TABLES = ("countries_of_language", "encodings_by_language", "languages_by_tld")
SELECTING_OPTIONS = {"country": "--country", "label": "--language"}  # parameters of queries and their options
LIST_GAP = 2  # cells between the name of a table and its title
DEFAULT_ROWS = 20  # rows on the screen of a table that is named
FIRST_ROWS = 10  # rows of each table if none is named
PERCENT_COLUMNS = frozenset({"share", "corrected", "decided_share", "population", "precision"})
COUNT_COLUMNS = ("pages", "servers")  # counts of which the column share is the share
# The column with the whole of all shares, in tables that have the column before it.
WHOLE_COLUMNS = {"by_charset": "pages", "host": "pages", "judged": "judged"}
POPULATION = 10**6  # people of a country: enough for two decimals
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
        list[str] | None, Argument(metavar="[NAME...]", help="Tables; default: the most important.")
    ] = None,
    form: Annotated[
        Format | None, Option("--format", help="table (default), csv, json (JSON Lines) or markdown.")
    ] = None,
    output: Annotated[
        str | None, Option("-o", "--output", metavar="DIR", help="Write a file for each table to this folder.")
    ] = None,
    top: Annotated[
        int | None, Option(min=1, help="Rows of each table; default: 10 or 20 on the screen, else all.")
    ] = None,
    country: Annotated[str | None, Option(help="Only this country in tables by country: CA.")] = None,
    language: Annotated[
        str | None, Option("--language", "-l", help="Only this language in tables by language: zh.")
    ] = None,
    listed: Annotated[bool, Option("--list", help="List the tables.")] = False,
) -> None:
    """Print the tables of a census: servers by country, pages by language, and two dozen more (docs/tables.md)."""
    from webtongue.census.mirror import local_census
    from webtongue.census.tables import names, run_all

    if listed:
        _list_tables()
        return
    form = form or (Format.CSV if output else Format.TABLE)
    chosen = tables or _choose_tables(form, output, country, language, names())
    if form is Format.CSV and output is None and len(chosen) > 1:
        raise UsageError("CSV has one table in a file: name one table, or a folder with -o")
    parameters = {"country": country, "label": language}
    given = {name: value for name, value in parameters.items() if value is not None}
    _check_selection(chosen, given)
    terminal = Terminal()
    with local_census(census) as folder:
        results, credit = run_all(folder, chosen, **given), _read_credit(folder)
        if output is not None:
            _write_files(results, Path(output), form, top, credit)
            return
        for number, result in enumerate(results):
            if form is Format.TABLE:
                sys.stdout.write("\n" * (number > 0))
                default = len(result.rows) if result.name == "summary" else DEFAULT_ROWS if tables else FIRST_ROWS
                _print_table(result, terminal, top or default)
            else:
                sys.stdout.writelines(_format_lines(result, form, top, several=len(chosen) > 1))
    if form is Format.TABLE and chosen == DEFAULT_TABLES:
        others = ", ".join(name for name in names() if name not in chosen)
        terminal.write_wrapped(f"\nOther tables, by name or --list: {others}", "dim")
    if form is Format.TABLE and credit:
        terminal.write_wrapped(f"\n{terminal.escape(credit)}")


def _choose_tables(
    form: Format, output: str | None, country: str | None, language: str | None, every: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the tables if none is named: those of a given country or language; a few on the screen, else all."""
    if country or language:
        return COUNTRY_TABLES * bool(country) + LANGUAGE_TABLES * bool(language)
    return DEFAULT_TABLES if form is Format.TABLE and output is None else every


def _check_selection(chosen: Sequence[str], given: Mapping[str, str]) -> None:
    """Raise UsageError for an option that selects rows in none of the chosen tables, and name the tables in which it does."""
    from webtongue.census.tables.queries import names, query

    for parameter in given:
        having = [name for name in names() if parameter in query(name).parameters]
        if not set(having) & {query(name).name for name in chosen}:
            option = SELECTING_OPTIONS[parameter]
            raise UsageError(f"{option} selects rows of {', '.join(having)}, not of {', '.join(chosen)}")


def _list_tables() -> None:
    from webtongue.census.tables.queries import names, query

    terminal = Terminal()
    column = max(map(len, names())) + LIST_GAP
    for name in names():
        title = query(name).title + (f" (Cai 2009, {query(name).cai})" if query(name).cai else "")
        first, *others = terminal.wrap(title, terminal.width - column)
        terminal.write(f"{name:<{column}}{first}")
        for line in others:
            terminal.write(" " * column + line)


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

    >>> _format_cells(("country", "country_name", "pages", "share", "low", "high"), [("IS", "Iceland", 320, 0.5, 0.4, 0.61)])
    (['country', 'pages', 'share', '95%'], [['Iceland', '320', '50.0%', '40.0-61.0%']])
    """
    hidden = {"high"} | {code for code, name in REDUNDANT_COLUMNS.items() if name in columns}
    visible = [i for i, column in enumerate(columns) if column not in hidden]
    headings = ["95%" if columns[i] == "low" else columns[i].removesuffix("_name") for i in visible]
    if columns[:1] == ("what",):
        pages = next((value for what, value in rows if what == "pages"), 0)
        return headings, [[str(what), _format_summary_value(str(what), value, pages)] for what, value in rows]
    formatted = []
    total = 0.0
    for row in rows:
        record = dict(zip(columns, row, strict=True))
        total = _count_whole(record) or total  # a share of 0 has no whole of its own
        formatted.append(
            [
                _format_interval(row[i], record["high"], total)
                if columns[i] == "low"
                else _format_cell(columns[i], row[i], POPULATION if columns[i] == "population" else total)
                for i in visible
            ]
        )
    return headings, formatted


def _count_whole(record: Mapping[str, Any]) -> float:
    """Return the number of pages or servers of which the shares of a row are parts, 0 if it cannot be told."""
    for name, whole in WHOLE_COLUMNS.items():
        if name in record:
            return float(record[whole] or 0)
    count = next((record[name] for name in COUNT_COLUMNS if record.get(name)), 0)
    return float(round(count / record["share"])) if record.get("share") else 0.0


def _format_summary_value(name: str, value: Any, pages: int) -> str:
    return format_share(value, pages) if name == "reliable" and value is not None else _format_cell(name, value, pages)


def _format_cell(column: str, value: Any, total: float) -> str:
    if value is None:
        return ""
    if column in PERCENT_COLUMNS:
        return format_share(value, total)
    if column in DECIMAL_COLUMNS or isinstance(value, float):
        return f"{value:,.2f}"
    if isinstance(value, int) and not isinstance(value, bool) and column not in PLAIN_COLUMNS:
        return f"{value:,}"
    return str(value)


def _format_interval(low: float | None, high: float | None, total: float) -> str:
    if low is None or high is None:
        return ""
    return f"{format_share(low, total).removesuffix('%')}-{format_share(high, total)}"
