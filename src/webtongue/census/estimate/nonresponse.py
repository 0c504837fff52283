"""Nonresponse: sampled records that cannot be fetched, and the strata in which the fetched records stand for them.

What such a record holds is unknown. Counting it as no page would bias all estimates, so it is treated as missing at random within
its stratum: the weights of the fetched records are divided by their share (Särndal, Swensson and Wretman 1992, 15.6).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.census.engines.local import WorkerError
from webtongue.census.estimate.frame import Record
from webtongue.census.estimate.strata import MIN_FETCHES, MIN_SAMPLED, Design

__all__ = ["MAX_UNREACHABLE_SHARE", "Nonresponse", "adjust_design"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
# Unreachable part of a sample above which an estimate fails. Standards of official surveys ask for an analysis of bias if fewer
# than 80% of a sample respond (OMB 2006, guideline 3.2.9), and nothing is known of unreachable records that could be analysed.
MAX_UNREACHABLE_SHARE = 0.2


class Nonresponse:
    """The count of the unreachable records of a sample, which ends an estimate if there are too many."""

    def __init__(self, records: int) -> None:
        self._records = records
        self._reason = ""
        self.done = self.unreachable = 0

    def count(self, record: Record, reason: str | None) -> None:
        """Count a record; ``reason`` says why it could not be fetched, and is None for one that was."""
        self.done += 1
        if reason is not None:
            self._reason = self._reason or f"{record.filename} at byte {record.offset:,}: {reason}"
            self.unreachable += 1

    def check(self) -> None:
        """Raise WorkerError if more than MAX_UNREACHABLE_SHARE of the sample is unreachable."""
        if self.unreachable > MAX_UNREACHABLE_SHARE * self._records:
            raise WorkerError(
                f"{self.unreachable:,} of {self.done:,} records could not be fetched; an estimate needs "
                f"{1 - MAX_UNREACHABLE_SHARE:.0%} of its sample of {self._records:,}. The first: {self._reason}"
            )


def adjust_design(design: Design, stratum: Ints, is_fetched: Bools) -> tuple[Design, Ints]:
    """Return the design with the fetched records in place of the drawn ones, and the new number of each stratum.

    Strata with unreachable records and too few others are merged with similar strata.
    """
    count = len(design.pages)
    fetched = np.bincount(stratum[is_fetched], minlength=count)
    target = _merge(design, fetched)
    kept, numbers = np.unique(target, return_inverse=True)
    columns = (design.pages, fetched, design.drawn, design.scores)
    sums = [np.bincount(numbers, column.astype(float), len(kept)) for column in columns]
    adjusted = replace(
        design,
        stratum=numbers[design.stratum],
        names=tuple(design.names[number] for number in kept),
        pages=sums[0].astype(np.int64),
        fetches=sums[1].astype(np.int64),
        drawn=sums[2].astype(np.int64),
        scores=np.asarray(sums[3], np.float64),
    )
    return adjusted, numbers.astype(np.int64)


def _merge(design: Design, fetched: Ints) -> Ints:
    """Return the stratum with which each stratum is merged, or its own number.

    Strata of which all pages were drawn are merged with each other only: records of others stand for many more pages.
    """
    is_complete = design.drawn == design.pages
    needed = np.where(is_complete, MIN_FETCHES, MIN_SAMPLED)
    is_short = (fetched < design.drawn) & (fetched < needed)
    target = np.arange(len(fetched))
    left = np.flatnonzero(is_short).tolist()
    labels, classes = (_values(design, name) for name in ("label", "class_number"))
    for columns in ((labels, classes), (classes,), ()):
        groups: defaultdict[Hashable, list[int]] = defaultdict(list)
        for number in range(len(fetched)) if left else ():
            groups[is_complete[number], *(column[number] for column in columns)].append(number)
        for members in groups.values():
            short = [number for number in members if number in left]
            others = [number for number in members if not is_short[number]]
            if others:
                target[short] = max(others, key=lambda number: int(fetched[number]))
            elif short and fetched[short].sum() >= (needed[short[0]] if columns else MIN_SAMPLED):
                target[short] = short[0]
            else:
                continue
            left = [number for number in left if number not in short]
    target[left] = target[int(np.argmax(fetched))]
    return target


def _values(design: Design, name: str) -> list[frozenset[Any]]:
    """Return the different values of a field of the cells of each stratum."""
    values: list[set[Any]] = [set() for _ in design.pages]
    for cell, number in zip(design.cells, design.stratum.tolist(), strict=True):
        values[number].add(getattr(cell, name))
    return [frozenset(part) for part in values]
