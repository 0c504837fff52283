"""What the report shows of estimates and audits: strata with their cost, other budgets, and answers judged by people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webtongue.census.folder import read_estimate
from webtongue.census.report.formats import format_count, format_interval, format_part, format_share

__all__ = ["BUDGETS", "STRATA", "EstimateTable", "add_judged_intervals", "estimate_facts", "estimate_tables"]

STRATA, BUDGETS = "estimate_strata", "estimate_budgets"
MB = 1e6


@dataclass(frozen=True, slots=True)
class EstimateTable:
    """A table of an estimate, as the report reads those of a census."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    note: str = ""


def estimate_tables(out: Path) -> dict[str, EstimateTable]:
    """Return the strata, the largest first, and the budgets of an estimate; nothing for another census."""
    about = read_estimate(out)
    strata = sorted(_records(about.get("strata")), key=lambda row: -row["pages"])
    tables = {STRATA: strata, BUDGETS: _records(about.get("budgets"))}
    return {
        name: EstimateTable(tuple(rows[0]), tuple(tuple(row.values()) for row in rows))
        for name, rows in tables.items()
        if rows
    }


def _records(values: Any) -> list[dict[str, Any]]:
    """Return a list of objects with the keys of the first; raise ValueError if it is not such a list."""
    rows = list(values or ())
    if not all(isinstance(row, dict) and row.keys() == rows[0].keys() for row in rows):
        raise ValueError("not a list of objects with the same keys")
    return [row | {"megabytes": round(row.pop("bytes") / MB, 1)} for row in rows]


def estimate_facts(strata: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the facts of an estimate that sentences quote."""
    if not strata:
        return {}
    drawn, pages, unreachable = (sum(row[key] for row in strata) for key in ("fetches", "pages", "unreachable"))
    fetches = drawn - unreachable
    return {
        "estimate_fetches": format_count(fetches),
        "estimate_unreachable": f"{format_part(unreachable, drawn, 'record')} of the sample" if unreachable else "",
        "estimate_pages": format_count(pages),
        "estimate_share": format_share(fetches / pages, fetches),
        "estimate_megabytes": f"{sum(row['megabytes'] for row in strata):,.1f} MB",
        "estimate_strata_count": format_count(len(strata)),
    }


def add_judged_intervals(rows: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Write the interval and the total of each judged answer into its row; return the number of judged pages as a fact."""
    for row in rows:
        row["precision of"] = row["judged"]
        row["interval"] = format_interval(row["low"], row["high"], row["judged"])
    return {"judged_pages": format_count(sum(row["judged"] for row in rows)) if rows else ""}
