"""The report of a census: one HTML page with maps, charts and tables that needs no network."""

from __future__ import annotations

from webtongue.census.report.make import report
from webtongue.census.report.page import NEEDED, render_page
from webtongue.census.report.series import series_report

__all__ = ["NEEDED", "render_page", "report", "series_report"]
