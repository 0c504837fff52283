"""The last sections of the report: how the answers were found, and what the crawl was. See figures.py."""

from __future__ import annotations

from webtongue.census.report.formats import one_line
from webtongue.census.report.model import PAGES_AND_SHARE, Column, DataTable, Figure, Section, number, share, text

__all__ = ["ANSWER_SECTIONS"]

ANSWER_SECTIONS = (
    Section(
        "unknown",
        "Why a language is undetermined",
        ("{unknown_pages} have no language.", "The most frequent reason: {top_reason}."),
        (
            Figure(
                "unknown",
                "Pages without a language, by reason",
                "bars",
                "Bars of the share of pages without a language by reason.",
                "reason_bars",
                DataTable(
                    "Pages without a language",
                    "reasons",
                    (text("Reason", "name"), text("Reason in Cai (2009)", "cai"), *PAGES_AND_SHARE),
                ),
            ),
        ),
    ),
    Section(
        "evidence",
        "What the answers are based on",
        (
            "The language is decided from {own_sources}.",
            "The language is decided by a published method: {method}.",
            "The strongest evidence for the answer: {decisive_sources}.",
        ),
        (
            Figure(
                "approaches",
                "Pages for which each approach names a language",
                "bars",
                "Bars of the share of pages for which each approach of the method by itself names a language.",
                "approaches",
                DataTable(
                    "Coverage of each approach",
                    "approaches",
                    (
                        text("Approach", "name"),
                        *PAGES_AND_SHARE,
                        number("Decided", "decided"),
                        share("Decided share", "decided_share"),
                    ),
                ),
                ("{approach_coverage_note}",),
            ),
            Figure(
                "evidence",
                "Pages on which a source of evidence was available",
                "bars",
                "Bars of the share of pages on which each source of evidence was available.",
                "evidence_bars",
                DataTable(
                    "Coverage of each source of evidence",
                    "evidence",
                    (
                        text("Source", "name"),
                        *PAGES_AND_SHARE,
                        number("Decided", "decided"),
                        share("Decided share", "decided_share"),
                    ),
                ),
                (
                    "A page counts for each source that was available on it. The table also has the number of pages on which a "
                    "source was the strongest (decided).",
                ),
            ),
        ),
        (
            DataTable(
                "Languages that a declared charset alone names",
                "charsets",
                (text("Language", "name"), number("By charset", "by_charset"), *PAGES_AND_SHARE),
                "Only charsets used for one language count; UTF-8 is used for all.",
            ),
        ),
    ),
    Section(
        "crawl",
        "The crawl",
        (
            "{captures} were read; {identified_captures} contained text that could be identified.",
            "{failed_captures} could not be used.",
        ),
        tables=(
            DataTable("Summary", "summary", (text("What", "what"), Column("Value", "value", one_line))),
            DataTable("Captures by status", "captures_by_status", limit=25),
            DataTable("Captures by type", "captures_by_type", limit=25),
            DataTable("Records with a problem", "problems", limit=25),
            DataTable("Hosts with most pages", "pages_by_host", limit=25),
            DataTable("Languages by top-level domain", "languages_by_tld", limit=25),
            DataTable("Answers changed by the second pass", "second_pass", limit=25),
        ),
    ),
)
