"""What was read: captures by status and type, problems, hosts, domains, and what a second look changed."""

from __future__ import annotations

from collections.abc import Mapping

from webtongue.census.report.formats import percent, plural
from webtongue.census.report.parts import Grid, Section, Table, grid, guessed, records

__all__ = ["captures", "crawl"]

# Tables that are shown as they are: name, heading.
PLAIN = {
    "summary": "Summary",
    "captures_by_status": "Captures by status",
    "captures_by_type": "Captures by type",
    "problems": "Records that could not be used",
    "pages_by_host": "Hosts with most pages",
    "languages_by_tld": "Languages by top-level domain",
    "settled": "What a second look changed",
}
MOST = 25


def captures(tables: Mapping[str, Table]) -> int:
    """Rows of the census."""
    return sum(row["captures"] for row in records(tables.get("captures_by_status")))


def crawl(tables: Mapping[str, Table]) -> Section | None:
    """The tables that say what the census is of."""
    grids = tuple(made for name in PLAIN if (made := _plain(name, tables.get(name))))
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


def _plain(name: str, table: Table | None) -> Grid | None:
    rows = records(table)
    if table is None or not rows:
        return None
    columns = [guessed(key, rows) for key in table.columns]
    return grid(PLAIN[name], rows, columns, most=MOST, note=table.note)
