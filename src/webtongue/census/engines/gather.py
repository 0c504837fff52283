"""The queries of gather.sql, which say what a whole crawl knows of its unclear pages: one meaning, for every engine."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from webtongue import files

__all__ = ["LIMITS", "STEPS", "queries"]

FILE = Path(__file__).with_name("gather.sql")
# Queries in their order, and the tables that they make. The last has every page that is to be looked at again.
STEPS: Mapping[str, str] = {
    "hosts": "host_counts", "levels": "level_counts", "unclear": "unclear", "inlinks": "inlinks", "known": "known",
}  # fmt: skip
LIMITS: Mapping[str, int] = {
    "most_languages": 32,
    "most_of_host": 16,
    "most_inlinks": 256,
}  # as page.py and hints/host.py have them


@cache
def queries() -> dict[str, str]:
    """The queries by name."""
    return files.queries(FILE)
