"""``webtongue tables``: what a census found, as tables."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webtongue.cli.terminal import Screen, screen, shown
from webtongue.errors import UsageError

if TYPE_CHECKING:
    from webtongue.census.tables import Result

__all__ = ["command"]

CHOSEN = (
    "summary",
    "servers_by_country",
    "pages_by_language_corrected",
    "unknown_by_reason",
    "evidence_coverage",
    "ranks",
)
OF_COUNTRY = ("languages_of_country", "languages_against_population")
OF_LANGUAGE = ("countries_of_language", "encodings_by_language", "languages_by_tld")
LEAST_WORDS = 30  # columns of words beside a name
TOP = 20  # rows of a table on the screen
RARE = 0.0005  # a share that two decimals of a percentage do not tell
PERCENT = frozenset({"share", "corrected", "decided_share", "population"})
DECIMAL = frozenset({"ratio", "log_likelihood", "confidence_before", "confidence_after"})
PLAIN = frozenset({"fetch_status", "offset"})  # numbers that are names
# On the screen a name says what a code does.
NAMED = {"language": "label", "country": "country_name"}


class Format(StrEnum):
    """How tables are written."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    MARKDOWN = "markdown"


SUFFIXES = {Format.TABLE: "txt", Format.CSV: "csv", Format.JSON: "jsonl", Format.MARKDOWN: "md"}


def command(
    census: Annotated[str, typer.Argument(metavar="OUT", help="The folder of a census.")],
    wanted: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME...]", help="Tables; a few if none is named.")
    ] = None,
    form: Annotated[
        Format | None, typer.Option("--format", help="How: table (default), csv, json (JSON Lines), markdown.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="DIR", help="A file for each table, here.")
    ] = None,
    top: Annotated[int | None, typer.Option(min=1, help="Rows of each table; 20 on the screen, else all.")] = None,
    country: Annotated[str | None, typer.Option(help="Of tables by country, this one: CA.")] = None,
    language: Annotated[str | None, typer.Option(help="Of tables by language, this one: zh.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="Say which tables there are.")] = False,
) -> None:
    """Print the tables of a census: servers by country, pages by language, and two dozen more (docs/tables.md)."""
    from webtongue.census.tables import names, run_all

    if listed:
        _list()
        return
    form = form or (Format.CSV if output else Format.TABLE)
    chosen = wanted or _chosen(form, output, country, language, names())
    if form is Format.CSV and output is None and len(chosen) > 1:
        raise UsageError("CSV has one table a file: name one table, or a folder with -o")
    known = {"country": country, "label": language}
    found = run_all(Path(census), chosen, **{name: value for name, value in known.items() if value is not None})
    credit = _credit(Path(census))
    if output is not None:
        _write(found, Path(output), form, top, credit)
        return
    where = screen()
    for number, result in enumerate(found):
        if form is Format.TABLE:
            sys.stdout.write("\n" * (number > 0))
            _print(result, where, top or (TOP if result.name != "summary" else len(result.rows)))
        else:
            sys.stdout.writelines(_lines(result, form, top, several=len(chosen) > 1))
    if form is Format.TABLE and credit:
        sys.stdout.write(f"\n{where.shown(credit)}\n")


def _chosen(
    form: Format, output: str | None, country: str | None, language: str | None, every: tuple[str, ...]
) -> tuple[str, ...]:
    """Tables where none is named: those of a country or language that is; a few on the screen, else all."""
    if country or language:
        return OF_COUNTRY * bool(country) + OF_LANGUAGE * bool(language)
    return CHOSEN if form is Format.TABLE and output is None else every


def _list() -> None:
    """Names are to be typed, so they are never cut."""
    from webtongue.census.tables.queries import names, query

    wide = max(map(len, names())) + 2
    for name in names():
        said = query(name).title + (f" (Cai 2009, {query(name).cai})" if query(name).cai else "")
        lines = textwrap.wrap(said, max(screen().width - wide, LEAST_WORDS)) if screen().width else [said]
        sys.stdout.write(f"{name:<{wide}}{f'{chr(10)}{chr(32) * wide}'.join(lines)}\n")


def _credit(census: Path) -> str:
    """What the makers of the table of addresses ask to be said."""
    try:
        return str(json.loads((census / "census.json").read_text("utf-8")).get("attribution") or "")
    except (OSError, ValueError, AttributeError):
        return ""


def _write(found: Iterable[Result], folder: Path, form: Format, top: int | None, credit: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for result in found:
        path = folder / f"{result.name}.{SUFFIXES[form]}"
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(_lines(result, form, top, several=False))
            if form is Format.MARKDOWN and credit:
                file.write(f"\n{shown(credit)}\n")
        sys.stdout.write(f"{shown(str(path))}\n")


def _lines(result: Result, form: Format, top: int | None, several: bool) -> Iterator[str]:
    from webtongue.cli.cells import csv_lines, json_lines, markdown_lines

    rows = result.rows[:top]
    if form is Format.JSON:
        yield from json_lines(result.columns, rows, {"table": result.name} if several else None)
    elif form is Format.CSV:
        yield from csv_lines(result.columns, rows)
    elif form is Format.MARKDOWN:
        yield f"## {result.title}\n\n"
        yield from markdown_lines(result.columns, rows)
        yield f"\n{shown(result.note)}\n\n" if result.note else "\n"
    else:
        yield from _as_text(result, len(rows))


def _as_text(result: Result, top: int) -> Iterator[str]:
    columns, rows = _for_people(result.columns, result.rows[:top])
    yield f"{result.title}\n"
    yield "\t".join(columns) + "\n"
    yield from ("\t".join(shown(str(value)) for value in row) + "\n" for row in rows)
    yield f"{shown(result.note)}\n" * bool(result.note)


def _print(result: Result, where: Screen, top: int) -> None:
    """A table on the screen, with its title and as many rows as wanted."""
    from webtongue.cli.cells import print_rows

    columns, rows = _for_people(result.columns, result.rows[:top])
    left = len(result.rows) - len(rows)
    sys.stdout.write(where.styled(result.title, "bold") + "\n")
    numeric = frozenset(
        column
        for i, column in enumerate(columns)
        if rows and all(not row[i] or row[i][0] in "-0123456789<" for row in rows)
    )
    print_rows(columns, rows, where, numeric)
    if left:
        sys.stdout.write(where.styled(f"and {left:,} more: --top {len(result.rows)}, or --format csv", "dim") + "\n")
    if result.note:
        sys.stdout.write(_wrapped(result.note, where))


def _wrapped(text: str, where: Screen) -> str:
    import textwrap

    return "".join(f"{where.styled(line, 'dim')}\n" for line in textwrap.wrap(where.shown(text), where.width or 160))


def _for_people(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[list[str], list[list[str]]]:
    """Columns and cells for reading: no code beside its name, the ends of an interval in one cell, shares in percent.

    >>> _for_people(("country", "country_name", "pages", "share", "low", "high"), [("IS", "Iceland", 1234, 0.5, 0.4, 0.61)])
    (['country', 'pages', 'share', '95%'], [['Iceland', '1,234', '50.00%', '40.00-61.00%']])
    """
    hidden = {"high"} | {code for code, name in NAMED.items() if name in columns}
    kept = [i for i, column in enumerate(columns) if column not in hidden]
    headings = ["95%" if columns[i] == "low" else columns[i].removesuffix("_name") for i in kept]
    out = []
    for row in rows:
        cells = []
        for i in kept:
            if columns[i] == "low":
                cells.append(_interval(row[i], row[columns.index("high")]))
            elif columns[0] == "what" and i:
                cells.append(_of_summary(str(row[0]), row[i]))
            else:
                cells.append(_cell(columns[i], row[i]))
        out.append(cells)
    return headings, out


def _of_summary(what: str, value: Any) -> str:
    return _percent(value) if what == "reliable" and value is not None else _cell(what, value)


def _cell(column: str, value: Any) -> str:
    if value is None:
        return ""
    if column in PERCENT:
        return _percent(value)
    if column in DECIMAL or isinstance(value, float):
        return f"{value:,.2f}"
    if isinstance(value, int) and not isinstance(value, bool) and column not in PLAIN:
        return f"{value:,}"
    return str(value)


def _percent(share: float) -> str:
    """Two decimals, and two digits of what is rare.

    >>> _percent(0.3333), _percent(0.000012), _percent(0.0)
    ('33.33%', '0.0012%', '0.00%')
    """
    return f"{share:.2%}" if share >= RARE or share == 0 else f"{100 * share:.2g}%"


def _interval(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return ""
    return f"{_percent(low).removesuffix('%')}-{_percent(high)}"
