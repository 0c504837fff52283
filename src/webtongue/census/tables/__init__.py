"""The tables of a census: what Cai (2009) printed, and what can be asked beside it. docs/tables.md lists them."""

from __future__ import annotations

from webtongue.census.tables.queries import names
from webtongue.census.tables.runner import Result, run, run_all

__all__ = ["Result", "names", "run", "run_all"]
