"""Rows for people, spreadsheets and programs: a table on the screen, CSV, Markdown, JSON Lines. What comes from outside
acts in none."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from itertools import chain, islice
from typing import Any

from webtongue.cli.table import Cell, Column, Table
from webtongue.cli.terminal import Screen, json_line, shown

__all__ = ["csv_lines", "json_lines", "markdown_lines", "print_rows", "text_of"]

RUN = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for the beginning of a formula
LOOKED_AT = 200  # rows that say how wide columns are
NARROWEST, WIDEST = 6, 60  # of a column of text on the screen


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    r"""Rows as CSV; text that a spreadsheet would run is marked as text.

    >>> print("".join(csv_lines(["code", "pages"], [("=cmd()", -1), ('a"b\x1b', None)])), end="")
    code,pages
    '=cmd(),-1
    "a""b\x1b",
    """
    for row in chain([columns], rows):
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow([_csv_cell(value) for value in row])
        yield line.getvalue()


def _csv_cell(value: Any) -> str:
    text = text_of(value)
    is_number = isinstance(value, int | float)
    return text if is_number or not text.startswith(RUN) else f"'{text}"


def markdown_lines(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    r"""Rows as a table of Markdown.

    >>> print("".join(markdown_lines(["code"], [("a|b<c>",)])), end="")
    | code |
    | --- |
    | a\|b&lt;c> |
    """
    yield "| " + " | ".join(map(_markdown_cell, columns)) + " |\n"
    yield "|" + " --- |" * len(columns) + "\n"
    for row in rows:
        yield "| " + " | ".join(map(_markdown_cell, row)) + " |\n"


def _markdown_cell(value: Any) -> str:
    text = text_of(value)
    for mark, instead in (("\\", "\\\\"), ("|", "\\|"), ("&", "&amp;"), ("<", "&lt;"), ("`", "\\`"), ("[", "\\[")):
        text = text.replace(mark, instead)
    return text


def json_lines(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], beside: dict[str, Any] | None = None
) -> Iterator[str]:
    """Rows as JSON Lines, after what is said beside each."""
    for row in rows:
        yield json_line({**(beside or {}), **dict(zip(columns, map(_json_value, row), strict=True))})


def _json_value(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _json_value(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(held) for held in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None  # JSON has no other numbers
    return text_of(value)


def text_of(value: Any) -> str:
    """A value as text that can be shown anywhere; nothing is empty.

    >>> text_of(None), text_of(True), text_of(0.1), text_of([{"label": "isl_Latn"}]), text_of(b"a\\xff")
    ('', 'true', '0.1', '[{"label": "isl_Latn"}]', 'a\\\\xff')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return shown(bytes(value).decode("ascii", "backslashreplace"))
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, list | tuple | dict):
        return shown(json.dumps(_json_value(value), ensure_ascii=False))
    return shown(str(value))


def print_rows(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], where: Screen, numbers: frozenset[str] = frozenset()
) -> None:
    """A table on the screen: as wide as its first rows need, cut where there is no room; ``numbers`` are set to the right.

    Cells are text already where they are to be shown in a way of their own.
    """
    coming = iter(rows)
    first = list(islice(coming, LOOKED_AT))
    texts = [[where.shown(text_of(value)) for value in row] for row in first]
    right = [name in numbers or _is_numeric([row[i] for row in first]) for i, name in enumerate(columns)]
    wide = [
        max(len(name), *(len(row[i]) for row in texts), 1) if texts else len(name) for i, name in enumerate(columns)
    ]
    names = _distinct(columns)
    made = [
        Column(name, width if on_right else min(width, NARROWEST + len(name) // 2), width if on_right else min(width,
        WIDEST), right=on_right) for name, width, on_right in zip(names, wide, right, strict=True)
    ]  # fmt: skip
    table = Table(made, where)
    for row in chain(texts, ([where.shown(text_of(value)) for value in row] for row in coming)):
        table.row({name: Cell(text) for name, text in zip(names, row, strict=True)})
    if not texts:
        table.row({})
    left_out = [name for name in names if name not in table.shown]
    if left_out:
        table.legend([f"no room for {', '.join(left_out)}"])


def _is_numeric(values: Sequence[Any]) -> bool:
    there = [value for value in values if value is not None]
    return bool(there) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in there)


def _distinct(columns: Sequence[str]) -> list[str]:
    """Names as headings: SQL gives two columns one name, and any text for one."""
    out: list[str] = []
    for column in columns:
        name = shown(column)[:WIDEST] or "?"
        while name in out:
            name += "'"
        out.append(name)
    return out
