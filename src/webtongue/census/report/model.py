"""The types of the report's list of figures: sections, figures, tables and columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from webtongue.census.report.formats import format_count, format_share, one_line
from webtongue.census.report.views import MAX_ROWS

__all__ = ["PAGES_AND_SHARE", "Cell", "Column", "DataTable", "Figure", "Section", "number", "share", "text"]

MAX_WIDE_COLUMNS = 10  # A table with more columns is printed in small type.


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its heading, the key of its values, and how they are written."""

    title: str
    key: str
    format: Callable[[Any], str]
    is_right: bool = True


def text(title: str, key: str) -> Column:
    """Return a column of words."""
    return Column(title, key, one_line, is_right=False)


def number(title: str, key: str) -> Column:
    """Return a column of counts."""
    return Column(title, key, format_count)


def share(title: str, key: str) -> Column:
    """Return a column of percentages."""
    return Column(title, key, format_share)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as readers see it, and its exact number, which the page sorts by and saves."""

    text: str
    value: int | float | None = None


PAGES_AND_SHARE = (number("Pages", "pages"), share("Share", "share"))


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table for readers. ``cells`` and ``left_out`` are filled in when the page is rendered."""

    title: str
    rows: str
    columns: tuple[
        Column, ...
    ] = ()  # If there are none, all columns of the rows, with formats inferred from the values.
    note: str = ""
    limit: int = MAX_ROWS
    cells: tuple[tuple[Cell, ...], ...] = ()
    left_out: int = 0  # rows beyond the limit

    @property
    def id(self) -> str:
        return f"table-{self.rows}"

    @property
    def is_wide(self) -> bool:
        return len(self.columns) > MAX_WIDE_COLUMNS


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with a table of its numbers.

    The kinds are ``bars``, ``map``, ``cells`` (a matrix), and ``language`` and ``country``, whose subject the reader picks.
    """

    id: str
    title: str
    kind: str
    description: str  # for screen readers
    rows: str = ""  # bars
    table: DataTable | None = None
    notes: tuple[str, ...] = ()
    picker: str = ""  # the label of the list to choose from
    has_intervals: bool = False
    extra_label_pixels: int = 0  # for the names of bars, beyond the usual width
    unit: str = "pages"  # unit of the numbers behind bars
    limit: int | None = MAX_ROWS  # bars of languages, countries and the like


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, the main findings in a few sentences, and the figures and tables behind them."""

    id: str
    title: str
    lead: tuple[str, ...]
    figures: tuple[Figure, ...] = ()
    tables: tuple[DataTable, ...] = ()
    needs: str = ""  # a fact; without one, the section needs a figure or a table
