"""What was read: captures by status and type, problems, hosts, domains, and what a second look changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webtongue.census.report.formats import count, percent, plural
from webtongue.census.report.parts import Column, Grid, Section, Table, grid, guessed, kept, records, short

__all__ = ["captures", "crawl"]

# Tables that are shown as they are: name, heading.
PLAIN = {
    "captures_by_status": "Captures by status",
    "captures_by_type": "Captures by type",
    "problems": "Records with a problem",
    "pages_by_host": "Hosts with most pages",
    "languages_by_tld": "Languages by top-level domain",
    "settled": "What a second look changed",
}
# What the summary calls things, in words.
SUMMARY = {
    "identified": "captures with text, identified",
    "pages": "pages: of these, those with status 200",
    "languages": "labels (a language in one script)",
    "reliable": "share of reliable answers",
    "failed": "records that could not be used",
    "first_fetch": "first capture",
    "last_fetch": "last capture",
}
MOST = 25


def captures(tables: Mapping[str, Table]) -> int:
    """Rows of the census."""
    return sum(row["captures"] for row in records(tables.get("captures_by_status")))


def crawl(tables: Mapping[str, Table]) -> Section | None:
    """The tables that say what the census is of."""
    grids = kept(_summary(tables), *(_plain(name, tables.get(name)) for name in PLAIN))
    if not grids:
        return None
    total = captures(tables)
    used = sum(row["captures"] for row in records(tables.get("captures_by_status")) if row["status"] == "identified")
    failed = sum(row["captures"] for row in records(tables.get("captures_by_status")) if row["status"] == "failed")
    lead = "What was read, and what became of it."
    if total:
        lead = f"{plural(total, 'capture')} were read; {percent(used / total)} held text that could be identified"
        lead += f", and {plural(failed, 'record')} could not be used." if failed else "."
    return Section("crawl", "The crawl itself", lead, grids=grids)


def _summary(tables: Mapping[str, Table]) -> Grid | None:
    rows = records(tables.get("summary"))
    return grid("Summary", rows, [Column("What", lambda row: _what(row["what"])), Column("Value", _value, right=True)])


def _what(code: object) -> str:
    words = SUMMARY.get(str(code)) or short(code).replace("_", " ")
    return words[:1].upper() + words[1:]


def _value(row: Mapping[str, Any]) -> str:
    said = row["value"]
    if isinstance(said, float):
        return percent(said)
    return count(said) if isinstance(said, int) else short(said)


def _plain(name: str, table: Table | None) -> Grid | None:
    rows = records(table)
    if table is None or not rows:
        return None
    columns = [guessed(key, rows) for key in table.columns]
    return grid(PLAIN[name], rows, columns, most=MOST, note=table.note)
