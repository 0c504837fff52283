"""Methods whose model is how often each n-gram occurs with each label: what they share.

Counts are kept sparse, and a score is a sum over the n-grams of a document: what a label's absent n-grams add depends on the
label alone, and what its present ones add beyond that is looked up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.methods.base import Method
from webtongue.methods.corpus import Table
from webtongue.methods.grams import Vocabulary

__all__ = ["CountMethod", "Sparse", "sparse_counts"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sparse:
    """Rows of (label, value): row i has the entries from ``starts[i]`` to ``starts[i + 1]``."""

    starts: NDArray[np.int64]
    owners: NDArray[np.int64]
    values: Floats
    labels: int

    def add_up(self, rows: NDArray[np.int64], times: NDArray[Any]) -> Floats:
        """The sum of some rows, each so many times, as an array over labels."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        ends = np.cumsum(lengths)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(self.starts[rows] - (ends - lengths), lengths)
        weights = self.values[places] * np.repeat(times, lengths)
        return np.bincount(self.owners[places], weights, self.labels).astype(np.float64)

    def with_values(self, change: Callable[[Floats, NDArray[np.int64]], Floats]) -> Sparse:
        """The same places with other values, from the old ones and their labels."""
        return Sparse(self.starts, self.owners, change(self.values, self.owners), self.labels)


@dataclass(frozen=True)
class CountMethod(Method):
    """``starts``, ``owners`` and ``counts``: for each n-gram the labels it occurs with, and how often."""

    names: tuple[str, ...]
    starts: NDArray[np.uint32]
    owners: NDArray[np.uint16]
    counts: NDArray[np.uint32]

    def check(self) -> None:
        super().check()
        if len(self.starts) != len(self.names) + 1 or len(self.owners) != len(self.counts):
            raise ValueError("counts are not those of the n-grams")
        ends = self.starts.astype(np.int64)
        if ends[0] != 0 or ends[-1] != len(self.counts) or (np.diff(ends) < 0).any():
            raise ValueError("counts are not in the order of the n-grams")
        if len(self.owners) and self.owners.max() >= len(self.labels):
            raise ValueError("counts of a label that is not there")

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.settings.grams, self.names)

    @cached_property
    def entries(self) -> Sparse:
        return Sparse(
            self.starts.astype(np.int64),
            self.owners.astype(np.int64),
            self.counts.astype(np.float64),
            len(self.labels),
        )

    @cached_property
    def totals(self) -> Floats:
        """All counts of each label."""
        return self.entries.add_up(np.arange(len(self.names)), np.ones(len(self.names)))


def sparse_counts(counted: Table, columns: NDArray[np.int64]) -> dict[str, Any]:
    """Names and counts of some columns of a table, as a CountMethod holds them."""
    matrix = counted.by_label()[:, columns].tocsc()
    matrix.sort_indices()
    return {
        "names": counted.names(columns),
        "starts": matrix.indptr.astype(np.uint32),
        "owners": matrix.indices.astype(np.uint16),
        "counts": matrix.data.astype(np.uint32),
    }
