"""The queries of gather.sql, which collect the evidence of the whole crawl for unclear pages; all engines run them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from webtongue import files

__all__ = ["LIMITS", "STEPS", "queries"]

FILE = Path(__file__).with_name("gather.sql")
# Queries in order, and the tables that they create. The last table has all pages of the second pass.
STEPS: Mapping[str, str] = {
    "hosts": "host_counts", "levels": "level_counts", "unclear": "unclear", "inlinks": "inlinks", "evidence": "evidence",
}  # fmt: skip
# The limits of page.py and evidence/host.py.
LIMITS: Mapping[str, int] = {"max_languages": 32, "max_inlinks_per_host": 16, "max_inlinks": 256}


@cache
def queries() -> dict[str, str]:
    """Return the queries by name."""
    return files.read_queries(FILE)
