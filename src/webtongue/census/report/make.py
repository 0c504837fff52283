"""From the folder of a census to its report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from webtongue.census.report.page import NEEDED, page
from webtongue.census.report.parts import Table
from webtongue.errors import UsageError

__all__ = ["report"]

ABOUT = "census.json"


def report(out: str | Path, title: str = "") -> str:
    """The report of the census in a folder, as HTML: one page that needs nothing else."""
    from webtongue.census.tables import run_all

    out = Path(out)
    tables: dict[str, Table] = {table.name: table for table in run_all(out, NEEDED)}
    about = _about(out)
    return page(tables, {**about, "title": title} if title else about)


def _about(out: Path) -> dict[str, Any]:
    """What the census says of itself; nothing where it was cut before it could."""
    try:
        found = json.loads((out / ABOUT).read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError:
        raise UsageError(f"{out / ABOUT} is damaged: run the census again with --resume") from None
    return found if isinstance(found, dict) else {}
