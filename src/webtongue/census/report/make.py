"""Make the report of the census in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from webtongue.census.folder import ABOUT, ESTIMATE, read_about
from webtongue.census.report.estimated import estimate_tables
from webtongue.census.report.page import NEEDED, render_page
from webtongue.census.report.views import CensusTable
from webtongue.errors import UsageError

__all__ = ["report"]


def report(out: str | Path, title: str = "") -> str:
    """Return the report of the census in a folder as one self-contained HTML page."""
    from webtongue.census.tables import run_all

    out = Path(out)
    tables: dict[str, CensusTable] = {table.name: table for table in run_all(out, NEEDED)}
    about = _about(out)
    try:
        tables |= estimate_tables(out)
    except (KeyError, TypeError, ValueError):
        raise UsageError(f"{out / ESTIMATE} is damaged: run the estimate again") from None
    return render_page(tables, {**about, "title": title} if title else about)


def _about(out: Path) -> dict[str, Any]:
    """Return the content of census.json, or nothing if the census was interrupted before writing it."""
    try:
        return read_about(out)
    except ValueError:
        raise UsageError(f"{out / ABOUT} is damaged: run the census again with --resume") from None
