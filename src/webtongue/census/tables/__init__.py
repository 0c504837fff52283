"""The tables of a census: those of Cai (2009) and others, listed in docs/tables.md."""

from __future__ import annotations

from webtongue.census.tables.queries import names
from webtongue.census.tables.runner import Result, run, run_all

__all__ = ["Result", "names", "run", "run_all"]
