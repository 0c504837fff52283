"""Steps after SQL: numbers that SQL cannot compute, and notes about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

from webtongue import labels
from webtongue.census import prevalence
from webtongue.census.audit.precision import Interval, JudgedLabel, corrected_shares
from webtongue.census.shares import format_share

__all__ = ["drop_unmeasured", "finish_table", "spearman"]

Columns = tuple[str, ...]
Rows = tuple[tuple[Any, ...], ...]
Finished = tuple[Columns, Rows, str]
MAX_JUDGED_NAMES = 5  # labels that a note names
MIN_JUDGED_PAGES = 10  # with fewer judged pages, the measured errors correct the counts of a label better
# The columns, and rows of the summary, that depend on what an identifier may leave out: whether an answer is reliable, and letters.
UNMEASURED = {
    "reliable": ("reliable", "reliable_pages", "unreliable_pages"),
    "letters": ("letters", "little_text", "little_text_pages"),
}
MIN_RANKS = 3  # A correlation of two points is always perfect.


def finish_table(name: str, columns: Columns, rows: Rows, note: str, judged: Mapping[str, JudgedLabel]) -> Finished:
    """Return columns, rows and note of a table as users get them."""
    if name == "pages_by_language_corrected":
        return _finish_corrected(columns, rows, note, judged)
    finish = FINISHERS.get(name)
    return finish(columns, rows, note) if finish else (columns, rows, note)


def drop_unmeasured(columns: Columns, rows: Rows, note: str, unmeasured: Collection[str]) -> Finished:
    """Leave out the columns, the rows of the summary and the sentences of the note on what no answer of a census has.

    A table by letters has no rows then.
    """
    absent = {name for measure in unmeasured for name in UNMEASURED[measure]}
    if not absent:
        return columns, rows, note
    sentences = re.split(r"(?<=\.) ", note)
    kept_note = " ".join(text for text in sentences if not absent.intersection(re.findall(r"\w+", text)))
    if columns[0] in absent:
        return columns, (), "The method that was used here counts no letters."
    if columns[0] == "what":
        return columns, tuple(row for row in rows if row[0] not in absent), kept_note
    kept = [i for i, column in enumerate(columns) if column not in absent]
    return tuple(columns[i] for i in kept), tuple(tuple(row[i] for i in kept) for row in rows), kept_note


def _finish_summary(columns: Columns, rows: Rows, note: str) -> Finished:
    """Convert values to numbers: a column of SQL has one type, so the query returns strings."""
    return columns, tuple((what, _parse_number(value)) for what, value in rows), note


def _parse_number(value: str | None) -> int | float | str | None:
    if value is None or not value.replace(".", "", 1).replace("e-", "", 1).isdigit():
        return value
    return int(value) if value.isdigit() else float(value)


def _finish_ranks(columns: Columns, rows: Rows, note: str) -> Finished:
    """Add Spearman's rank correlation to the note, over labels whose country has servers."""
    rank, country_rank = columns.index("rank"), columns.index("country_rank")
    pairs = [(row[rank], row[country_rank]) for row in rows if row[country_rank] is not None]
    if len(pairs) >= MIN_RANKS:
        rho = spearman([language for language, _ in pairs], [country for _, country in pairs])
        note = f"{note} Spearman's rho of the two ranks is {rho:.2f}, over {len(pairs):,} labels."
    return columns, rows, note


def spearman(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Spearman's rank correlation, 0 where one side does not vary. The census extra does not install SciPy.

    >>> spearman([1, 2, 3, 4], [10, 20, 30, 40]), spearman([1, 2, 3, 4], [4, 3, 2, 1]), spearman([1, 2], [5, 5])
    (1.0, -1.0, 0.0)
    """
    x, y = (_rank(values) - (len(values) + 1) / 2 for values in (first, second))
    spread = float((x @ x) * (y @ y))
    return float(x @ y) / spread**0.5 if spread else 0.0


def _rank(values: Sequence[float]) -> Any:
    """Return ranks from 1; equal values have the mean of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last_ranks = counts.cumsum()
    return (last_ranks - (counts - 1) / 2)[inverse]


def _finish_corrected(columns: Columns, rows: Rows, note: str, judged: Mapping[str, JudgedLabel]) -> Finished:
    """Add shares corrected for identification errors: by judgements of people, or else by the measured confusion matrix.

    What is no language, and answers of a model whose errors were not measured, keep their counted shares.
    """
    records = [dict(zip(columns, row, strict=True)) for row in rows]
    judged = {label: pages for label, pages in judged.items() if pages.pages >= MIN_JUDGED_PAGES}
    languages = [row for row in records if row["label"] not in labels.SPECIAL and row["label"] not in judged]
    shares = {row["label"]: Interval(row["share"], row["low"], row["high"]) for row in records}
    if languages and not any(row["tier"] for row in languages):
        note = "Not corrected: the errors of the method used here were not measured."
    elif languages:
        shares |= _correct_by_matrix(languages)
        note = f"{note} {_describe_tiers(languages, shares)}"
        if records[0]["model"] and records[0]["model"] != prevalence.measured_model():
            note += " Errors were measured with another model than the one used here."
    if used := {label: judged[label] for label in shares if label in judged}:
        shares = corrected_shares(shares, used)
        note = f"{_describe_judgements(used)} {note}"
        records += [_uncounted_row(label) for label in shares if label not in {row["label"] for row in records}]
    kept = ("label", "language", "name", "tier", "pages", "reliable", "little_text", "share")
    finished = tuple((*(row[name] for name in kept), *astuple(shares[row["label"]])) for row in records)
    return (*kept, "corrected", "low", "high"), finished, note


def _correct_by_matrix(languages: list[dict[str, Any]]) -> dict[str, Interval]:
    """Return the shares of languages, corrected by the measured confusion matrix."""
    language_share = sum(row["share"] for row in languages)
    counts = {length: np.array([row[length] for row in languages], float) for length in prevalence.LENGTHS}
    effective = np.array([row["share"] * row["effective"] for row in languages])
    names = [row["label"] for row in languages]
    corrected = prevalence.corrected(names, [row["tier"] for row in languages], counts, effective)
    parts = (corrected.share, corrected.low, corrected.high)
    return {name: Interval(*(float(part[i]) * language_share for part in parts)) for i, name in enumerate(names)}


def _describe_judgements(judged: Mapping[str, JudgedLabel]) -> str:
    """Return a sentence on the labels that are corrected by judgements of people."""
    names = [
        f"{label} ({judged[label].pages:,} judged pages)"
        for label in sorted(judged, key=lambda name: -judged[name].pages)
    ]
    more = f" and {len(names) - MAX_JUDGED_NAMES} more" if len(names) > MAX_JUDGED_NAMES else ""
    return (
        f"Answers {', '.join(names[:MAX_JUDGED_NAMES])}{more} are corrected by judgements of people instead of measured errors: "
        "their pages are moved to the languages that people named. Pages in these languages with another answer are not added."
    )


def _uncounted_row(label: str) -> dict[str, Any]:
    """Return the row of a label that people named and the census did not answer."""
    parsed = labels.parse(label)
    name = labels.name(parsed) if parsed else label
    return {
        "label": label,
        "language": labels.bcp47(label),
        "name": name,
        "tier": 0,
        "pages": 0,
        "reliable": 0,
        "little_text": 0,
        "share": 0.0,
    }


def _describe_tiers(languages: list[dict[str, Any]], shares: Mapping[str, Interval]) -> str:
    """Return a sentence on the total share of tiers: the pages of a scripture-only label are mostly errors on common ones."""
    parts = []
    total = sum(row["pages"] for row in languages)
    for description, tiers in (
        ("learnt from modern text (tiers 1 and 2)", (1, 2)),
        ("learnt almost only from scripture (tier 3)", (3,)),
    ):
        members = [row for row in languages if row["tier"] in tiers]
        counted, corrected = sum(row["share"] for row in members), sum(shares[row["label"]].value for row in members)
        counted_text, corrected_text = (format_share(share, total) for share in (counted, corrected))
        parts.append(f"{description}: {counted_text} as counted, {corrected_text} corrected")
    return f"Labels {'; '.join(parts)}."


FINISHERS: dict[str, Callable[[Columns, Rows, str], Finished]] = {
    "summary": _finish_summary,
    "ranks": _finish_ranks,
}
