"""Matrices of shaded cells: pages by row and column, cut to the part whose cells are filled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

__all__ = ["Matrix", "fill_matrix"]

MIN_FILLED = 0.5  # A matrix with more empty cells shows less than a table.
MIN_ROWS, MIN_COLUMNS = 4, 4


@dataclass(frozen=True, slots=True)
class Matrix:
    """Pages by row and column, for a chart of shaded cells."""

    row_title: str
    rows: Mapping[str, Mapping[str, int]]
    columns: Sequence[tuple[str, str]]  # key in the rows, name
    totals: Callable[[str, str], int]  # the number that a cell of this row and column key is a share of

    @property
    def filled(self) -> float:
        """Return the share of cells with pages."""
        cells = len(self.rows) * len(self.columns)
        return sum(bool(pages.get(key)) for pages in self.rows.values() for key, _ in self.columns) / (cells or 1)


def fill_matrix(matrix: Matrix) -> Matrix | None:
    """Return the matrix without its emptiest rows and columns, so that enough cells are filled; None if too little is left."""
    while len(matrix.rows) >= MIN_ROWS and len(matrix.columns) >= MIN_COLUMNS:
        if matrix.filled >= MIN_FILLED:
            return matrix
        matrix = _drop_emptiest(matrix)
    return None


def _drop_emptiest(matrix: Matrix) -> Matrix:
    """Return the matrix without the row or column with the smallest share of filled cells, the last one of equals."""
    by_row = {row: sum(bool(pages.get(key)) for key, _ in matrix.columns) for row, pages in matrix.rows.items()}
    by_column = {key: sum(bool(pages.get(key)) for pages in matrix.rows.values()) for key, _ in matrix.columns}
    row = min(reversed(by_row), key=by_row.__getitem__)
    column = min(reversed(by_column), key=by_column.__getitem__)
    if by_row[row] / len(by_column) <= by_column[column] / len(by_row):
        return replace(matrix, rows={name: pages for name, pages in matrix.rows.items() if name != row})
    return replace(matrix, columns=[entry for entry in matrix.columns if entry[0] != column])
