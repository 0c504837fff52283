"""What the page is made of: sections of figures, each drawn from data and told again as a table."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from webtongue.census.report.formats import count, percent

__all__ = [
    "Column",
    "Figure",
    "Grid",
    "Picker",
    "Section",
    "Table",
    "grid",
    "guessed",
    "interval",
    "kept",
    "number",
    "records",
    "share",
    "short",
    "text",
]

NAMES = frozenset({"fetch_status"})  # numbers that are no amounts
WIDE = 10  # columns
LONGEST = 120  # characters of a text from outside: a declared language may be a page long
CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]"
)  # and turns of direction


class Table(Protocol):
    """A result of webtongue.census.tables, as far as the report reads it."""

    @property
    def columns(self) -> Sequence[str]: ...
    @property
    def rows(self) -> Sequence[Sequence[Any]]: ...
    @property
    def note(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table for people: its heading, and how a cell is made of a record."""

    title: str
    cell: Callable[[Mapping[str, Any]], str]
    right: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table for people: what is in the chart, to be read aloud or copied."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: int = 0  # rows that there was no room for
    note: str = ""

    @property
    def wide(self) -> bool:
        """Whether it needs small print on paper."""
        return len(self.columns) > WIDE


@dataclass(frozen=True, slots=True)
class Picker:
    """A choice that redraws a figure: ``what`` is languages or countries."""

    what: str
    label: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One chart: ``kind`` says how it is drawn, ``data`` what from, ``says`` what it shows, for those who do not see it."""

    id: str
    title: str
    kind: str
    says: str
    data: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    grid: Grid | None = None
    picker: Picker | None = None
    marks: tuple[str, ...] = ()  # what its key explains: bar, line, point


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, its finding in a sentence or two, and what it rests on."""

    id: str
    title: str
    lead: str
    figures: tuple[Figure, ...] = ()
    grids: tuple[Grid, ...] = ()


def records(table: Table | None) -> list[dict[str, Any]]:
    """Rows by the names of their columns; none of a table that is not there."""
    if table is None:
        return []
    names = list(table.columns)
    return [dict(zip(names, map(_finite, row), strict=True)) for row in table.rows]


def _finite(value: Any) -> Any:
    """JSON has no number for what is none."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def grid(
    title: str, rows: Sequence[Mapping[str, Any]], columns: Iterable[Column], most: int = 20, note: str = ""
) -> Grid | None:
    """The first rows as people read them; None where there is none."""
    columns = tuple(columns)
    if not rows:
        return None
    made = tuple(tuple(column.cell(row) for column in columns) for row in rows[:most])
    return Grid(title, columns, made, max(0, len(rows) - most), note)


def kept(*made: Grid | None) -> tuple[Grid, ...]:
    """Those that are there."""
    return tuple(one for one in made if one is not None)


def text(title: str, key: str) -> Column:
    """A column of words, short and on one line."""
    return Column(title, lambda row: short(row.get(key)))


def number(title: str, key: str) -> Column:
    """A column of counts."""
    return Column(title, lambda row: count(row.get(key)), right=True)


def share(title: str, key: str) -> Column:
    """A column of shares."""
    return Column(title, lambda row: percent(row.get(key)), right=True)


def interval(title: str, low: str, high: str) -> Column:
    """A column of intervals of a share."""

    def cell(row: Mapping[str, Any]) -> str:
        ends = row.get(low), row.get(high)
        return "" if None in ends else f"{percent(ends[0])} – {percent(ends[1])}"

    return Column(title, cell, right=True)


def guessed(key: str, rows: Sequence[Mapping[str, Any]]) -> Column:
    """A column of a table that is shown as it is: words, counts, shares, or numbers of any other kind."""
    title = key.replace("_", " ").capitalize()
    values = [row[key] for row in rows if row[key] is not None]
    if key in NAMES or any(not isinstance(value, int | float) or isinstance(value, bool) for value in values):
        return text(title, key)
    if key.endswith("share"):
        return share(title, key)
    if any(value != int(value) for value in values):
        return Column(title, lambda row: "" if row[key] is None else f"{row[key]:,.4g}", right=True)
    return number(title, key)


def short(value: object) -> str:
    """Text from outside on one line of bounded length.

    >>> short("a\\nb"), short(None), len(short("x" * 500))
    ('a b', '', 120)
    """
    given = ("" if value is None else str(value))[: 4 * LONGEST].encode("utf-8", "replace").decode()
    words = " ".join(CONTROLS.sub(" ", given).split())
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
