"""What is done to tables after SQL: numbers that SQL cannot work out, and words on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from webtongue import labels

__all__ = ["finished", "spearman"]

Columns = tuple[str, ...]
Rows = tuple[tuple[Any, ...], ...]
Finished = tuple[Columns, Rows, str]
LEAST_RANKS = 3  # two points always lie on a line


def finished(name: str, columns: Columns, rows: Rows, note: str) -> Finished:
    """Columns, rows and note of a table as they are given out."""
    finish = FINISH.get(name)
    return finish(columns, rows, note) if finish else (columns, rows, note)


def _summary(columns: Columns, rows: Rows, note: str) -> Finished:
    """Numbers as numbers: SQL has one type a column."""
    return columns, tuple((what, _number(value)) for what, value in rows), note


def _number(value: str | None) -> int | float | str | None:
    if value is None or not value.replace(".", "", 1).replace("e-", "", 1).isdigit():
        return value
    return int(value) if value.isdigit() else float(value)


def _ranks(columns: Columns, rows: Rows, note: str) -> Finished:
    """Spearman's rank correlation in the note, over languages whose country has servers."""
    at = columns.index("rank"), columns.index("country_rank")
    pairs = [(row[at[0]], row[at[1]]) for row in rows if row[at[1]] is not None]
    if len(pairs) >= LEAST_RANKS:
        rho = spearman([one for one, _ in pairs], [other for _, other in pairs])
        note = f"{note} Spearman's rho of the two ranks is {rho:.2f}, over {len(pairs):,} languages."
    return columns, rows, note


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """Rank correlation; ties have the mean of their ranks. 0 where one side does not vary.

    >>> spearman([1, 2, 3, 4], [10, 20, 30, 40]), spearman([1, 2, 3, 4], [4, 3, 2, 1]), spearman([1, 2], [5, 5])
    (1.0, -1.0, 0.0)
    """
    a, b = _ranked(one), _ranked(other)
    middle = (len(a) + 1) / 2
    both = sum((x - middle) * (y - middle) for x, y in zip(a, b, strict=True))
    spread = sum((x - middle) ** 2 for x in a) * sum((y - middle) ** 2 for y in b)
    return float(both / spread**0.5) if spread else 0.0


def _ranked(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    begin = 0
    while begin < len(order):
        end = begin
        while end < len(order) and values[order[end]] == values[order[begin]]:
            end += 1
        for i in order[begin:end]:
            ranks[i] = (begin + 1 + end) / 2
        begin = end
    return ranks


def _corrected(columns: Columns, rows: Rows, note: str) -> Finished:
    """The shares corrected for errors; of what is no language, and of answers that are not our model's, as they were counted."""
    import numpy as np

    from webtongue.census import prevalence

    found = [dict(zip(columns, row, strict=True)) for row in rows]
    answered = [row for row in found if row["label"] not in labels.SPECIAL]
    spans: dict[str, tuple[float, ...]] = {row["label"]: (row["share"], row["low"], row["high"]) for row in found}
    if not any(row["tier"] for row in answered):
        note = "Not corrected: the errors of what answered here were not measured." if answered else note
    else:
        of_all = sum(row["share"] for row in answered)
        counts = {length: np.array([row[length] for row in answered], float) for length in prevalence.LENGTHS}
        worth = np.array([row["share"] * row["effective"] for row in answered])
        names = [row["label"] for row in answered]
        made = prevalence.corrected(names, [row["tier"] for row in answered], counts, worth)
        for i, name in enumerate(names):
            spans[name] = tuple(float(part[i]) * of_all for part in (made.share, made.low, made.high))
        note = f"{note} {_by_tier(answered, spans)}"
        if found[0]["model"] and found[0]["model"] != prevalence.measured_model():
            note += " Errors were measured on another model than the one that answered here."
    kept = ("label", "language", "name", "tier", "pages", "share")
    out = tuple((*(row[name] for name in kept), *spans[row["label"]]) for row in found)
    return (*kept, "corrected", "low", "high"), out, note


def _by_tier(answered: list[dict[str, Any]], spans: dict[str, tuple[float, ...]]) -> str:
    """What tiers have in all: few pages of a scripture-only label are mostly errors on common ones."""
    parts = []
    for said, tiers in (
        ("learnt from modern text (tiers 1 and 2)", (1, 2)),
        ("from hardly any beside scripture (tier 3)", (3,)),
    ):
        some = [row for row in answered if row["tier"] in tiers]
        raw, mended = sum(row["share"] for row in some), sum(spans[row["label"]][0] for row in some)
        parts.append(f"{said}: {raw:.3%} as counted, {mended:.3%} corrected")
    return f"Labels {'; '.join(parts)}."


FINISH: dict[str, Callable[[Columns, Rows, str], Finished]] = {
    "summary": _summary,
    "ranks": _ranks,
    "pages_by_language_corrected": _corrected,
}
