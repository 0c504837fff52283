"""Fill the list of figures with the rows and facts of a census."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from webtongue.census.report.figures import SECTIONS
from webtongue.census.report.formats import format_share, total_of
from webtongue.census.report.matrices import Matrix
from webtongue.census.report.model import Cell, Column, DataTable, Figure, Section, number, share, text
from webtongue.census.report.places import SHARE_BOUNDS
from webtongue.census.report.views import Views

__all__ = ["fill_sections"]

BAR_KEYS = ("name", "pages", "low", "high", "corrected", "corrected_low", "corrected_high")
TEXT_KEYS = frozenset({"fetch_status"})  # Numbers that are codes, not amounts.


def fill_sections(
    views: Views, sections_to_fill: Iterable[Section] = SECTIONS
) -> tuple[list[Section], dict[str, dict[str, Any]]]:
    """Return the sections that a census has, and the data of their figures by id."""
    sections = []
    data: dict[str, dict[str, Any]] = {}
    for section in sections_to_fill:
        if section.needs and not views.facts.get(section.needs):
            continue
        filled_figures = []
        for figure in section.figures:
            chart = _chart_data(figure, views)
            if chart is not None:
                data[figure.id] = {"kind": figure.kind, **chart}
                filled_figures.append(_fill_figure(figure, views))
        tables = tuple(filter(None, (_fill_table(table, views) for table in section.tables)))
        if section.needs or filled_figures or tables:
            lead = tuple(_fill(section.lead, views.facts))
            sections.append(replace(section, lead=lead, figures=tuple(filled_figures), tables=tables))
    return sections, data


def _fill(sentences: Iterable[str], facts: Mapping[str, str]) -> Iterator[str]:
    """Yield the sentences whose facts are known."""
    for sentence in sentences:
        names = [name for _, name, _, _ in string.Formatter().parse(sentence) if name]
        if all(facts.get(name) for name in names):
            yield sentence.format_map(facts)


def _fill_figure(figure: Figure, views: Views) -> Figure:
    (title,) = _fill([figure.title], views.facts)
    matrix = views.matrices.get(figure.id)
    table = figure.table and _fill_table(figure.table, views)
    if matrix:
        table = _tabulate_matrix(title, matrix)
    return replace(figure, title=title, notes=tuple(_fill(figure.notes, views.facts)), table=table)


def _chart_data(figure: Figure, views: Views) -> dict[str, Any] | None:
    """Return what the chart is drawn from, or None if there is nothing to draw."""
    if figure.kind == "bars":
        bars = [_make_bar(row) for row in views.rows[figure.rows]]
        limit = None if figure.limit is None else figure.limit + sum("special" in bar for bar in bars)
        return {"rows": bars[:limit], "unit": figure.unit, "label": figure.extra_label_pixels} if bars else None
    if figure.kind == "cells":
        matrix = views.matrices.get(figure.id)
        return {"cells": _list_cells(matrix), "bounds": SHARE_BOUNDS} if matrix else None
    return views.data.get(figure.id)


def _make_bar(row: Mapping[str, Any]) -> dict[str, Any]:
    bar = {key: _round(row[key]) for key in BAR_KEYS if row.get(key) is not None}
    return bar | {"value": _round(row["share"])} | ({"special": True} if row.get("special") else {})


def _round(value: Any) -> Any:
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _list_cells(matrix: Matrix) -> list[list[Any]]:
    return [
        [row, name, round(pages.get(key, 0) / (matrix.totals(row, key) or 1), 6), pages.get(key, 0)]
        for row, pages in matrix.rows.items()
        for key, name in matrix.columns
        if pages.get(key)
    ]


def _tabulate_matrix(title: str, matrix: Matrix) -> DataTable:
    rows = [
        {"row": row, "pages": sum(pages.values())}
        | {f"share {key}": pages.get(key, 0) / (matrix.totals(row, key) or 1) for key, _ in matrix.columns}
        | {f"share {key} of": matrix.totals(row, key) for key, _ in matrix.columns}
        for row, pages in matrix.rows.items()
    ]
    shares = (share(name, f"share {key}") for key, name in matrix.columns)
    return _write_cells(DataTable(title, "", (text(matrix.row_title, "row"), number("Pages", "pages"), *shares)), rows)


def _fill_table(table: DataTable, views: Views) -> DataTable | None:
    """Return the table with its cells, without columns that have no values; None if it has no rows."""
    rows = views.rows[table.rows]
    if not rows:
        return None
    columns = table.columns or tuple(_infer_column(key, rows) for key in rows[0])
    columns = tuple(column for column in columns if any(row.get(column.key) is not None for row in rows))
    # A table that is shown as it is has the note of its query.
    note = " ".join(_fill([table.note if table.columns else f"{{{table.rows}_note}}"], views.facts))
    return _write_cells(replace(table, columns=columns, note=note), rows)


def _write_cells(table: DataTable, rows: Sequence[Mapping[str, Any]]) -> DataTable:
    cells = tuple(tuple(_make_cell(column, row) for column in table.columns) for row in rows[: table.limit])
    return replace(table, cells=cells, left_out=max(0, len(rows) - table.limit))


def _make_cell(column: Column, row: Mapping[str, Any]) -> Cell:
    """Return a cell, with its number if the column is one of numbers; shares have the decimals that their total supports."""
    value = row.get(column.key)
    is_number = column.is_right and isinstance(value, int | float) and not isinstance(value, bool)
    words = format_share(value, total_of(row, column.key)) if column.format is format_share else column.format(value)
    return Cell(words, _round(value) if is_number else None)


def _infer_column(key: str, rows: Sequence[Mapping[str, Any]]) -> Column:
    """Return a column of words, percentages, counts or other numbers, by the values it has."""
    title = key.replace("_", " ").capitalize()
    values = [row[key] for row in rows if row[key] is not None]
    if key in TEXT_KEYS or any(not isinstance(value, int | float) or isinstance(value, bool) for value in values):
        return text(title, key)
    if key.endswith("share"):
        return share(title, key)
    if any(value != int(value) for value in values):
        return Column(title, key, lambda value: "" if value is None else f"{value:,.4g}")
    return number(title, key)
