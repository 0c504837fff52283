"""The report of a census: one page with maps, charts and tables that opens anywhere and fetches nothing."""

from __future__ import annotations

from webtongue.census.report.make import report
from webtongue.census.report.page import NEEDED, page

__all__ = ["NEEDED", "page", "report"]
