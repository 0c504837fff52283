"""Form strata of the addresses of an index, and distribute fetches over them.

Cells are the finest division: predicted label, class of the prediction, kind of domain, size of the host. Small cells are merged.
The allocation is Neyman's for several variables at a time: the variance of a label counts the more, the rarer the label is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["CLASSES", "NO_LABEL", "WEAK", "Cell", "Design", "allocate", "form_strata", "used_label"]

CLASSES = ("declared", "url", "host", "weak host", "weak")
WEAK = CLASSES.index("weak")  # predictions of this class are not used in the estimate
NO_LABEL = "und"  # an address without a prediction
MIN_FETCHES = 8  # the variance of a stratum with fewer is uncertain
MIN_SAMPLED = 2  # fetches of every stratum, because a variance needs two
MIN_SHARE = 1e-4  # rarer labels get no more weight: a budget of 20,000 cannot find them

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Cell:
    """Addresses with one prediction, class, kind of domain and size of host."""

    label: str
    class_number: int
    is_national: bool
    is_large: bool  # the host has five or more addresses in the index
    pages: int
    probability: float  # mean probability of the predicted label

    @property
    def model(self) -> str:
        """The prediction that the estimate uses; empty for a weak one or none."""
        return used_label(self.label, self.class_number)


def used_label(label: str, class_number: int) -> str:
    """Return the prediction that the estimate uses; empty for a weak one or none."""
    return "" if class_number == WEAK or label == NO_LABEL else label


# The keys of strata, from fine to coarse. A cell that gets too few fetches is merged with similar cells by the next key.
LEVELS: tuple[Callable[[Cell], Hashable], ...] = (
    lambda cell: (cell.label, cell.class_number, cell.is_national, cell.is_large),
    lambda cell: (cell.label, cell.class_number, cell.is_national),
    lambda cell: (cell.label, cell.class_number),
    lambda cell: cell.class_number,
    lambda cell: None,
)


@dataclass(frozen=True, slots=True)
class Design:
    """The strata of an index, and the number of fetches from each."""

    cells: tuple[Cell, ...]
    stratum: Ints  # number of the stratum of each cell
    names: tuple[str, ...]  # name of each stratum
    pages: Ints  # of each stratum
    fetches: Ints  # of each stratum
    drawn: Ints  # records drawn from each stratum, fetched or unreachable
    scores: Floats  # fetches of a stratum are proportional to its score

    @property
    def weights(self) -> Floats:
        """The number of pages that a fetched page of each stratum stands for."""
        return self.pages / np.maximum(self.fetches, 1)


def form_strata(cells: Sequence[Cell], budget: int) -> Design:
    """Return strata with their numbers of fetches, which sum to the budget or to the number of pages."""
    scores = _scores(cells)
    pages = np.array([cell.pages for cell in cells], np.int64)
    wanted = budget * pages * np.sqrt(scores) / max(float((pages * np.sqrt(scores)).sum()), 1e-300)
    keys = _merge(cells, wanted)
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    stratum = np.array([numbers[key] for key in keys], np.int64)
    sums = np.bincount(stratum, pages, len(numbers)).astype(np.int64)
    mean_scores = np.bincount(stratum, pages * scores, len(numbers)) / np.maximum(sums, 1)
    stratum_scores = np.asarray(sums * np.sqrt(mean_scores), np.float64)
    fetches = allocate(sums, stratum_scores, budget)
    members: defaultdict[int, list[Cell]] = defaultdict(list)
    for cell, number in zip(cells, stratum.tolist(), strict=True):
        members[number].append(cell)
    names = tuple(_name(members[number]) for number in range(len(numbers)))
    return Design(tuple(cells), stratum, names, sums, fetches, fetches, stratum_scores)


def _scores(cells: Sequence[Cell]) -> Floats:
    """Return the expected variance of a page of each cell, summed over labels and divided by their shares."""
    shares: defaultdict[str, float] = defaultdict(float)
    total = sum(cell.pages for cell in cells)
    for cell in cells:
        shares[cell.label] += cell.pages / total
    weights = {label: 1 / max(share, MIN_SHARE) for label, share in shares.items()}
    spread = sum(share * weights[label] for label, share in shares.items())
    scores = []
    for cell in cells:
        p = 0.0 if cell.label == NO_LABEL else min(max(cell.probability, 0.0), 1.0)
        others = spread - shares[cell.label] * weights[cell.label]
        scores.append(p * (1 - p) * weights[cell.label] + (1 - p) * others)
    return np.array(scores)


def _merge(cells: Sequence[Cell], wanted: Floats) -> list[tuple[int, Hashable]]:
    """Return the key of the stratum of each cell."""
    keys: list[tuple[int, Hashable]] = [(0, None)] * len(cells)
    left = list(range(len(cells)))
    for level, key_of in enumerate(LEVELS):
        fetches: defaultdict[Hashable, float] = defaultdict(float)
        for i in left:
            keys[i] = (level, key_of(cells[i]))
            fetches[keys[i]] += wanted[i]
        left = [i for i in left if fetches[keys[i]] < MIN_FETCHES]
    return keys


def _name(cells: Sequence[Cell]) -> str:
    """Return a name of a stratum for people: what all of its cells have in common."""
    labels, classes = {cell.label for cell in cells}, {cell.class_number for cell in cells}
    domains, sizes = {cell.is_national for cell in cells}, {cell.is_large for cell in cells}
    label = next(iter(labels)) if len(labels) == 1 else f"{len(labels)} labels"
    parts = [label if label != NO_LABEL else "no prediction"]
    parts += [CLASSES[next(iter(classes))]] if len(classes) == 1 else []
    parts += ["national" if domains == {True} else "generic"] if len(domains) == 1 else []
    parts += ["large hosts" if sizes == {True} else "small hosts"] if len(sizes) == 1 else []
    return ", ".join(parts)


def allocate(pages: Ints, scores: Floats, budget: int) -> Ints:
    """Return the number of fetches of each stratum, in proportion to the scores, at least two and at most all pages.

    >>> allocate(np.array([1000, 10, 1]), np.array([50.0, 50.0, 0.0]), 61)
    array([50, 10,  1])
    """
    least = np.minimum(pages, MIN_SAMPLED)
    budget = int(min(max(budget, least.sum()), pages.sum()))
    low, high = 0.0, 1.0
    scores = np.maximum(scores, 1e-12)
    while np.clip(high * scores, least, pages).sum() < budget:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if np.clip(middle * scores, least, pages).sum() < budget else (low, middle)
    exact: Any = np.clip(high * scores, least, pages)
    fetches: Ints = np.floor(exact + 1e-9).astype(np.int64)
    order = np.argsort(fetches - exact, kind="stable")
    room = order[(fetches < pages)[order]]
    fetches[room[: budget - int(fetches.sum())]] += 1
    return fetches
