"""Cells over several rows or columns: where the other cells of a table are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from webtongue.content.places import PlacedBlock

__all__ = ["cell_positions"]

CELL_TAG = re.compile(rb"<(tr|td|th)(?=[\s/>])([^>]*)>", re.IGNORECASE)
SPAN = re.compile(rb"\b(row|col)span\s*=\s*[\"']?\s*(\d{1,4})", re.IGNORECASE)
MAX_SPAN = MAX_COLUMNS = 100  # larger ones are of damaged or hostile pages


def cell_positions(blocks: Sequence[PlacedBlock], raw: bytes) -> list[tuple[int, int]]:
    """Return the row and column of each block of a table, as browsers lay it out.

    The numbers of the scan are returned for tables without spans, for tables inside of which there is another, and if the tags of
    the page cannot be read as they are.
    """
    scanned = [(block.row, block.column) for block in blocks]
    begin, end = blocks[0].begin, blocks[-1].begin
    start = max(raw.rfind(b"<table", 0, begin), raw.rfind(b"<TABLE", 0, begin))
    has_inner = raw.find(b"<table", begin, end) >= 0 or raw.find(b"<TABLE", begin, end) >= 0
    if start < 0 or has_inner or not SPAN.search(raw, start, end):
        return scanned
    offsets, cells = _lay_out(raw, start, end)
    places = [bisect_right(offsets, block.begin) - 1 for block in blocks]
    return [cells[place] for place in places] if min(places) >= 0 else scanned


def _lay_out(raw: bytes, begin: int, end: int) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the offsets of the texts of all cells, and their rows and columns."""
    offsets: list[int] = []
    cells: list[tuple[int, int]] = []
    taken: dict[int, int] = {}  # columns that cells of earlier rows reach into, with the last of these rows
    row, column = 0, 0
    for tag in CELL_TAG.finditer(raw, begin, end):
        if tag[1].lower() == b"tr":
            row, column = row + 1, 0
            continue
        spans = {name.lower(): min(max(int(number), 1), MAX_SPAN) for name, number in SPAN.findall(tag[2])}
        while taken.get(column, -1) >= row:
            column += 1
        offsets.append(tag.end())
        cells.append((row, column))
        width, last = spans.get(b"col", 1), row + spans.get(b"row", 1) - 1
        if last > row:
            taken.update(dict.fromkeys(range(column, min(column + width, MAX_COLUMNS)), last))
        column += width
    return offsets, cells
