"""Fields of shaded cells: shares by two names at once, such as languages by countries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webtongue.census.report.parts import Figure, grid, number, share, text
from webtongue.census.report.places import SHARES

__all__ = ["Field", "Heading"]


@dataclass(frozen=True, slots=True)
class Heading:
    """A column: its key in the counts, a code for where there is little room, and its name."""

    key: str
    code: str
    name: str


@dataclass(frozen=True, slots=True)
class Field:
    """Pages by row and column. ``whole`` says of a row and a column's key what a cell is a share of."""

    head: str  # what rows are
    rows: Mapping[str, Mapping[str, int]]
    columns: Sequence[Heading]
    whole: Callable[[str, str], int]

    def figure(self, name: str, title: str, says: str, note: str) -> Figure:
        """The chart, and the same figures as a table."""
        cells, lines = [], []
        for row, pages in self.rows.items():
            line: dict[str, Any] = {"head": row, "pages": sum(pages.values())}
            for column in self.columns:
                found = pages.get(column.key, 0)
                part = found / (self.whole(row, column.key) or 1)
                cells.append([row, column.code, column.name, round(part, 6), found])
                line[f"of {column.key}"] = part
            lines.append(line)
        shares = (share(column.name, f"of {column.key}") for column in self.columns)
        table = grid(title, lines, [text(self.head, "head"), number("Pages", "pages"), *shares])
        return Figure(name, title, "cells", says, {"cells": cells, "bounds": SHARES}, notes=(note,), grid=table)
