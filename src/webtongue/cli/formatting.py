"""Format rows for people, spreadsheets and programs: tables on the screen, CSV, Markdown and JSON Lines. Text from outside
is escaped in all of them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import chain, islice
from typing import Any

from webtongue.cli.console import Terminal
from webtongue.cli.streamed_table import GAP, Column, StreamedTable
from webtongue.cli.terminal import escape_text, format_json_line

__all__ = ["format_csv", "format_json", "format_markdown", "format_value", "print_rows"]

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # spreadsheets run a cell that starts with one of them
MAX_SAMPLE_ROWS = 200  # rows from which the widths of columns are computed
MIN_TEXT_WIDTH, MAX_TEXT_WIDTH = 6, 60  # cells of a column of text on the screen
MARKDOWN_ESCAPES = str.maketrans({"\\": r"\\", "|": r"\|", "&": "&amp;", "<": "&lt;", "`": r"\`", "[": r"\["})


def format_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    r"""Yield the lines of a CSV file; text that a spreadsheet would run as a formula is marked as text.

    >>> print("".join(format_csv(["code", "pages"], [("=cmd()", -1), ('a"b\x1b', None)])), end="")
    code,pages
    '=cmd(),-1
    "a""b\x1b",
    """
    for row in chain([columns], rows):
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow([_format_csv_cell(value) for value in row])
        yield line.getvalue()


def _format_csv_cell(value: Any) -> str:
    text = format_value(value)
    is_formula = text.startswith(FORMULA_STARTS) and not isinstance(value, int | float)
    return f"'{text}" if is_formula else text


def format_markdown(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    r"""Yield the lines of a Markdown table.

    >>> print("".join(format_markdown(["code"], [("a|b<c>",)])), end="")
    | code |
    | --- |
    | a\|b&lt;c> |
    """
    for number, row in enumerate(chain([columns], rows)):
        yield "| " + " | ".join(format_value(value).translate(MARKDOWN_ESCAPES) for value in row) + " |\n"
        if number == 0:
            yield "|" + " --- |" * len(columns) + "\n"


def format_json(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], constants: dict[str, Any] | None = None
) -> Iterator[str]:
    """Yield rows as JSON Lines, each with the ``constants`` before its own values."""
    for row in rows:
        yield format_json_line({**(constants or {}), **dict(zip(columns, map(_to_json, row), strict=True))})


def _to_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _to_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_to_json(item) for item in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None  # JSON has neither NaN nor infinity
    return format_value(value)


def format_value(value: Any) -> str:
    """Return a value as escaped text, empty for None.

    >>> format_value(None), format_value(True), format_value(0.1), format_value([{"label": "isl_Latn"}]), format_value(b"a\\xff")
    ('', 'true', '0.1', '[{"label": "isl_Latn"}]', 'a\\\\xff')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes | bytearray | memoryview):
        value = bytes(value).decode("ascii", "backslashreplace")
    elif isinstance(value, datetime | date):
        value = value.isoformat()
    elif isinstance(value, list | tuple | dict):
        value = json.dumps(_to_json(value), ensure_ascii=False)
    return escape_text(str(value))


def print_rows(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    terminal: Terminal,
    right_aligned: frozenset[str] = frozenset(),
) -> None:
    """Print a table that is as wide as its first rows need; columns that do not fit are named below it.

    Columns of numbers, and those named in ``right_aligned``, are aligned to the right.
    """
    rows = iter(rows)
    sample = list(islice(rows, MAX_SAMPLE_ROWS))

    def format_row(row: Sequence[Any]) -> dict[str, str]:
        return {str(i): terminal.escape(format_value(value)) for i, value in enumerate(row)}

    texts = [format_row(row) for row in sample]
    specs = []
    for i, column in enumerate(columns):
        heading = terminal.escape(column)[:MAX_TEXT_WIDTH]
        width = max([1, *(len(row[str(i)]) for row in texts)])
        is_number = column in right_aligned or _is_numeric([row[i] for row in sample])
        specs.append(_plan_column(str(i), heading, width, is_number))
    if terminal.is_limited and sum(spec.max_width + GAP for spec in specs) - GAP > terminal.width:
        specs = [_break_heading(spec, texts) for spec in specs]
    table = StreamedTable(specs, terminal)
    table.print_heading()
    for cells in chain(texts, map(format_row, rows)):
        table.print_row(cells)
    dropped = [spec.heading.replace("\n", "_") for spec in specs if spec.name not in table.widths]
    if dropped:
        terminal.write_wrapped(f"\nnot shown, for lack of width: {', '.join(dropped)}")


def _plan_column(name: str, heading: str, width: int, is_number: bool) -> Column:
    """Return a column for cells of ``width``; only text may be cut."""
    width = max([width, *map(len, heading.split("\n"))])
    if is_number:
        return Column(name, width, width, right=True, heading=heading)
    return Column(name, min(width, MIN_TEXT_WIDTH + len(heading) // 2), min(width, MAX_TEXT_WIDTH), heading=heading)


def _break_heading(column: Column, rows: Sequence[Mapping[str, str]]) -> Column:
    """Return a column of numbers with a heading on two lines if it is wider than the numbers, so that text gets its room.

    The heading of an expression of SQL, such as ``count(declared_language)``, is cut in its middle instead.
    """
    first, _, last = column.heading.rpartition("_")
    width = max([1, *(len(row[column.name]) for row in rows)])
    if not column.right or width >= len(column.heading):
        return column
    if not column.heading.isidentifier():
        least = max(width, MIN_TEXT_WIDTH + len(column.heading) // 2)
        return replace(column, min_width=min(least, column.max_width), cut_middle=True)
    if not first:
        return column
    return _plan_column(column.name, f"{first}\n{last}", width, is_number=True)


def _is_numeric(values: Sequence[Any]) -> bool:
    numbers = [isinstance(value, int | float) and not isinstance(value, bool) for value in values if value is not None]
    return bool(numbers) and all(numbers)
