"""The section of the report on how a census was estimated from an index (docs/estimate.md)."""

from __future__ import annotations

from webtongue.census.report.model import Column, DataTable, Section, number, share, text

__all__ = ["ESTIMATE_SECTION"]

ESTIMATE_SECTION = Section(
    "estimate",
    "How this was estimated",
    (
        "The crawl was not downloaded: {estimate_fetches} of {estimate_pages} records ({estimate_share}) were fetched, "
        "{estimate_megabytes} in {estimate_strata_count} strata.",
        "The intervals are those of this sample.",
        "{estimate_unreachable} could not be fetched; the others of their strata stand for them.",
    ),
    tables=(
        DataTable(
            "What other budgets would buy",
            "estimate_budgets",
            (
                number("Fetches", "fetches"),
                Column("MB", "megabytes", lambda value: f"{value:,.0f}"),
                number("Within 10%", "within_10"),
                number("Within 25%", "within_25"),
                number("Within 50%", "within_50"),
                share("Median", "median_half_width"),
            ),
            "Languages whose interval reaches at most so far from the share, and the median over languages of 0.1% or more.",
        ),
        DataTable(
            "Strata",
            "estimate_strata",
            (
                text("Stratum", "name"),
                number("Pages", "pages"),
                number("Fetches", "fetches"),
                Column("Weight", "weight", lambda value: f"{value:,.1f}"),
                Column("MB", "megabytes", lambda value: f"{value:,.1f}"),
                share("Predictions wrong", "wrong"),
                number("No pages", "no_pages"),
                number("Unreachable", "unreachable"),
            ),
            "A stratum is named by the predicted language, what the prediction is based on, the kind of domain and the size of "
            "hosts, as far as all of its pages have them in common.",
            limit=50,
        ),
    ),
    needs="estimate_fetches",
)
