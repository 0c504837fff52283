"""Precision of answers by judgements of people, and counts of pages that are corrected by them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from webtongue.census.audit.items import Item, read_items
from webtongue.census.audit.judgements import Judgement, read_judgements
from webtongue.census.statistics import binomial_limits

__all__ = [
    "AUDITED",
    "Interval",
    "JudgedLabel",
    "audited_table",
    "corrected_shares",
    "from_rows",
    "judged_labels",
    "read_judged",
]

AUDITED = "audited"  # the relation of judged labels: a row for each answer and each true label of its pages
COLUMNS = ("label", "truth", "pages", "unclear", "share", "low", "high")


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95% interval."""

    value: float
    low: float
    high: float

    def times(self, other: Interval) -> Interval:
        """Return the product, with limits by the method of Zou and Donner (2008)."""
        value = self.value * other.value
        below = sqrt(((self.value - self.low) * other.value) ** 2 + (self.value * (other.value - other.low)) ** 2)
        above = sqrt(((self.high - self.value) * other.value) ** 2 + (self.value * (other.high - other.value)) ** 2)
        return Interval(value, max(value - below, 0.0), min(value + above, 1.0))

    def plus(self, other: Interval) -> Interval:
        """Return the sum, with limits by the same method."""
        value = self.value + other.value
        below = sqrt((self.value - self.low) ** 2 + (other.value - other.low) ** 2)
        above = sqrt((self.high - self.value) ** 2 + (other.high - other.value) ** 2)
        return Interval(value, max(value - below, 0.0), min(value + above, 1.0))


@dataclass(frozen=True, slots=True)
class JudgedLabel:
    """The judged pages of an answer: how many, and the shares of their true labels."""

    label: str
    pages: int  # judged, without unclear ones
    unclear: int
    truths: Mapping[str, Interval]  # The share of each true label, with its exact interval.

    @property
    def precision(self) -> Interval:
        """The share of the judged pages for which the answer is right."""
        return self.truths[self.label]


def read_judged(out: Path) -> dict[str, JudgedLabel]:
    """Return the judged labels of a census; empty without an audit."""
    return judged_labels(read_items(out), read_judgements(out).values())


def judged_labels(items: Sequence[Item], judgements: Iterable[Judgement]) -> dict[str, JudgedLabel]:
    """Return the shares of true labels among the judged pages of each answer.

    The judgements of several judges on one page have equal parts of its weight; a page of several draws has that of the last one.
    Intervals are exact (Clopper and Pearson 1934), for the effective number of pages if weights differ (Korn and Graubard 1998).
    """
    by_item: defaultdict[str, list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        by_item[judgement.item].append(judgement)
    sums: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    weights: defaultdict[str, list[float]] = defaultdict(list)
    unclear: defaultdict[str, int] = defaultdict(int)
    for item in {item.id: item for item in items}.values():
        truths = [truth for judgement in by_item.get(item.id, ()) if (truth := judgement.truth(item.label))]
        unclear[item.label] += bool(by_item.get(item.id)) and not truths
        for truth in truths:
            sums[item.label][truth] += item.weight / len(truths)
        if truths:
            weights[item.label].append(item.weight)
    judged = {}
    for label, shares in sums.items():
        total, squares = sum(weights[label]), sum(weight * weight for weight in weights[label])
        effective = total * total / squares
        intervals = {
            truth: Interval(share / total, *binomial_limits(effective * share / total, effective))
            for truth, share in {label: 0.0, **shares}.items()
        }
        judged[label] = JudgedLabel(label, len(weights[label]), unclear[label], intervals)
    return judged


def corrected_shares(counted: Mapping[str, Interval], judged: Mapping[str, JudgedLabel]) -> dict[str, Interval]:
    """Return the shares of labels after the pages of judged answers were moved to their true labels.

    >>> isl = JudgedLabel("isl", 10, 0, {"isl": Interval(0.8, 0.4, 1.0), "fao": Interval(0.2, 0.0, 0.6)})
    >>> shares = corrected_shares({"isl": Interval(0.5, 0.5, 0.5), "fao": Interval(0.1, 0.1, 0.1)}, {"isl": isl})
    >>> {label: round(share.value, 3) for label, share in shares.items()}
    {'isl': 0.4, 'fao': 0.2}
    """
    corrected: dict[str, Interval] = {}

    def add(label: str, part: Interval) -> None:
        corrected[label] = corrected[label].plus(part) if label in corrected else part

    for label, share in counted.items():
        truths = judged[label].truths if label in judged else {label: Interval(1.0, 1.0, 1.0)}
        for truth, part in truths.items():
            add(truth, share.times(part))
    return corrected


def audited_table(out: Path) -> Any:
    """Return the judged labels of a census as an Arrow table, without rows if there was no audit."""
    import pyarrow as pa

    rows = [
        (judged.label, truth, judged.pages, judged.unclear, part.value, part.low, part.high)
        for judged in read_judged(out).values()
        for truth, part in judged.truths.items()
    ]
    types = [pa.string(), pa.string(), pa.int64(), pa.int64(), pa.float64(), pa.float64(), pa.float64()]
    columns = [pa.array([row[i] for row in rows], kind) for i, kind in enumerate(types)]
    return pa.table(columns, names=COLUMNS)


def from_rows(rows: Iterable[Sequence[Any]]) -> dict[str, JudgedLabel]:
    """Return judged labels from the rows of the relation."""
    truths: defaultdict[str, dict[str, Interval]] = defaultdict(dict)
    counts: dict[str, tuple[int, int]] = {}
    for label, truth, pages, unclear, share, low, high in rows:
        truths[label][truth] = Interval(share, low, high)
        counts[label] = pages, unclear
    return {label: JudgedLabel(label, *counts[label], parts) for label, parts in truths.items()}
