"""Steps after SQL: numbers that SQL cannot compute, and notes about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from webtongue import labels

__all__ = ["finish_table", "spearman"]

Columns = tuple[str, ...]
Rows = tuple[tuple[Any, ...], ...]
Finished = tuple[Columns, Rows, str]
MIN_RANKS = 3  # A correlation of two points is always perfect.


def finish_table(name: str, columns: Columns, rows: Rows, note: str) -> Finished:
    """Return columns, rows and note of a table as users get them."""
    finish = FINISHERS.get(name)
    return finish(columns, rows, note) if finish else (columns, rows, note)


def _finish_summary(columns: Columns, rows: Rows, note: str) -> Finished:
    """Convert values to numbers: a column of SQL has one type, so the query returns strings."""
    return columns, tuple((what, _parse_number(value)) for what, value in rows), note


def _parse_number(value: str | None) -> int | float | str | None:
    if value is None or not value.replace(".", "", 1).replace("e-", "", 1).isdigit():
        return value
    return int(value) if value.isdigit() else float(value)


def _finish_ranks(columns: Columns, rows: Rows, note: str) -> Finished:
    """Add Spearman's rank correlation to the note, over languages whose country has servers."""
    rank, country_rank = columns.index("rank"), columns.index("country_rank")
    pairs = [(row[rank], row[country_rank]) for row in rows if row[country_rank] is not None]
    if len(pairs) >= MIN_RANKS:
        rho = spearman([language for language, _ in pairs], [country for _, country in pairs])
        note = f"{note} Spearman's rho of the two ranks is {rho:.2f}, over {len(pairs):,} languages."
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


def _finish_corrected(columns: Columns, rows: Rows, note: str) -> Finished:
    """Add shares corrected for identification errors.

    What is no language, and answers of a model whose errors were not measured, keep their counted shares.
    """
    from webtongue.census import prevalence

    records = [dict(zip(columns, row, strict=True)) for row in rows]
    languages = [row for row in records if row["label"] not in labels.SPECIAL]
    shares: dict[str, tuple[float, ...]] = {row["label"]: (row["share"], row["low"], row["high"]) for row in records}
    if not any(row["tier"] for row in languages):
        note = "Not corrected: the errors of the method used here were not measured." if languages else note
    else:
        language_share = sum(row["share"] for row in languages)
        counts = {length: np.array([row[length] for row in languages], float) for length in prevalence.LENGTHS}
        effective = np.array([row["share"] * row["effective"] for row in languages])
        names = [row["label"] for row in languages]
        corrected = prevalence.corrected(names, [row["tier"] for row in languages], counts, effective)
        for i, name in enumerate(names):
            shares[name] = tuple(
                float(part[i]) * language_share for part in (corrected.share, corrected.low, corrected.high)
            )
        note = f"{note} {_describe_tiers(languages, shares)}"
        if records[0]["model"] and records[0]["model"] != prevalence.measured_model():
            note += " Errors were measured with another model than the one used here."
    kept = ("label", "language", "name", "tier", "pages", "share")
    finished = tuple((*(row[name] for name in kept), *shares[row["label"]]) for row in records)
    return (*kept, "corrected", "low", "high"), finished, note


def _describe_tiers(languages: list[dict[str, Any]], shares: dict[str, tuple[float, ...]]) -> str:
    """Return a sentence on the total share of tiers: the pages of a scripture-only label are mostly errors on common ones."""
    parts = []
    for description, tiers in (
        ("learnt from modern text (tiers 1 and 2)", (1, 2)),
        ("learnt almost only from scripture (tier 3)", (3,)),
    ):
        members = [row for row in languages if row["tier"] in tiers]
        counted, corrected = sum(row["share"] for row in members), sum(shares[row["label"]][0] for row in members)
        parts.append(f"{description}: {counted:.3%} as counted, {corrected:.3%} corrected")
    return f"Labels {'; '.join(parts)}."


FINISHERS: dict[str, Callable[[Columns, Rows, str], Finished]] = {
    "summary": _finish_summary,
    "ranks": _finish_ranks,
    "pages_by_language_corrected": _finish_corrected,
}
