"""What the fetches of an estimate cost, and what a smaller or larger budget would buy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from webtongue.census.estimate.estimator import Estimates, Events, Frame, with_limits
from webtongue.census.estimate.fetch import NO_PAGE, UNREACHABLE
from webtongue.census.estimate.frame import Record
from webtongue.census.estimate.strata import Design, allocate

__all__ = ["FACTORS", "Budget", "StratumCost", "budgets", "stratum_costs"]

FACTORS = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 50.0)
PRECISIONS = (0.1, 0.25, 0.5)  # relative half-widths of intervals


@dataclass(frozen=True, slots=True)
class StratumCost:
    """A stratum: its size, the fetches from it, and what they cost."""

    stratum: int
    name: str
    pages: int
    fetches: int
    weight: float
    bytes: int  # bytes of the fetched records
    no_pages: int  # fetched records that are no pages
    unreachable: int  # records that could not be fetched
    wrong: float | None  # share of the fetched pages whose used prediction is not the answer


@dataclass(frozen=True, slots=True)
class Budget:
    """The expected precision of a budget: the number of labels whose interval is at most so wide."""

    fetches: int
    bytes: int
    within_10: int
    within_25: int
    within_50: int
    median_half_width: float  # relative, over labels with 0.1% of the pages or more


def stratum_costs(design: Design, records: Sequence[Record], answers: Sequence[str | None]) -> list[StratumCost]:
    """Return the costs of all strata, in their order."""
    strata = np.array([record.stratum for record in records])
    sizes = np.array([record.length for record in records])
    no_pages = np.array([answer == NO_PAGE for answer in answers])
    is_fetched = np.array([answer is not UNREACHABLE for answer in answers])
    used = np.array([bool(record.model) for record in records]) & is_fetched
    wrong = np.array([answer != record.model for record, answer in zip(records, answers, strict=True)]) & used
    count = len(design.pages)
    columns = (sizes * is_fetched, no_pages, ~is_fetched, used, wrong)
    sums = [np.bincount(strata, column, count) for column in columns]
    return [
        StratumCost(
            h, design.names[h], int(design.pages[h]), int(design.fetches[h]), round(float(design.weights[h]), 3),
            int(sums[0][h]), int(sums[1][h]), int(sums[2][h]),
            round(float(sums[4][h] / sums[3][h]), 4) if sums[3][h] else None,
        )
        for h in range(count)
    ]  # fmt: skip


def budgets(design: Design, frame: Frame, result: Estimates, counts: Any, record_bytes: Any) -> list[Budget]:
    """Return the expected precision of other budgets, from the variances of the sample and the bytes per record of each stratum."""
    pages, fetches = design.pages, design.fetches
    rows = []
    for factor in FACTORS:
        other = allocate(pages, design.scores, round(factor * int(fetches.sum())))
        ratio = (1 / other - 1 / pages) / np.maximum(1 / fetches - 1 / pages, 1e-12)
        false, missed = (_scale(events, ratio) for events in (result.false, result.missed))
        expected = (counts * other.sum() / fetches.sum()).astype(np.int64)
        scaled = with_limits(false, missed, pages / other, frame, expected)
        rows.append(_budget(scaled, counts, int(other.sum()), int(other @ record_bytes), float(pages.sum())))
        if other.sum() == pages.sum():
            break
    return rows


def _scale(events: Events, ratio: Any) -> Events:
    by_stratum = events.by_stratum * ratio[:, None]
    return replace(events, variance=by_stratum.sum(axis=0), by_stratum=by_stratum)


def _budget(result: Estimates, counts: Any, fetches: int, size: int, pages: float) -> Budget:
    seen = (counts > 0) & (result.total > 0)
    widths = (result.high - result.low)[seen] / 2 / result.total[seen]
    common = widths[result.total[seen] / pages >= 1e-3]
    within_10, within_25, within_50 = (int((widths <= precision).sum()) for precision in PRECISIONS)
    return Budget(
        fetches, size, within_10, within_25, within_50, round(float(np.median(common)), 4) if len(common) else 0.0
    )
