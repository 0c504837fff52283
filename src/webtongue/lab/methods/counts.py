"""Base class of methods whose model is the counts of n-grams by label.

Counts are sparse, and a score is a sum over the n-grams of a document: a term for absent n-grams that depends on the label only,
plus a term for each present n-gram.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.lab.methods.base import Method
from webtongue.lab.methods.corpus import CountTable
from webtongue.lab.methods.grams import Vocabulary

__all__ = ["CountMethod", "SparseRows", "select_counts"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SparseRows:
    """Sparse rows of (label, value): row i has the entries from ``starts[i]`` to ``starts[i + 1]``."""

    starts: NDArray[np.int64]
    owners: NDArray[np.int64]
    values: Floats
    labels: int

    def sum_rows(self, rows: NDArray[np.int64], factors: NDArray[Any]) -> Floats:
        """Return the sum of some rows, each times a factor, as an array over labels."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        ends = np.cumsum(lengths)
        indices = np.arange(ends[-1] if len(ends) else 0) + np.repeat(self.starts[rows] - (ends - lengths), lengths)
        weights = self.values[indices] * np.repeat(factors, lengths)
        return np.bincount(self.owners[indices], weights, self.labels).astype(np.float64)

    def with_values(self, change: Callable[[Floats, NDArray[np.int64]], Floats]) -> SparseRows:
        """Return the same entries with values computed from the old values and their labels."""
        return SparseRows(self.starts, self.owners, change(self.values, self.owners), self.labels)


@dataclass(frozen=True)
class CountMethod(Method):
    """A method with n-gram counts: ``starts``, ``owners`` and ``counts`` are the labels of each n-gram and its counts."""

    names: tuple[str, ...]
    starts: NDArray[np.uint32]
    owners: NDArray[np.uint16]
    counts: NDArray[np.uint32]

    def check(self) -> None:
        super().check()
        if len(self.starts) != len(self.names) + 1 or len(self.owners) != len(self.counts):
            raise ValueError("numbers of counts and n-grams differ")
        ends = self.starts.astype(np.int64)
        if ends[0] != 0 or ends[-1] != len(self.counts) or (np.diff(ends) < 0).any():
            raise ValueError("counts are not sorted by n-gram")
        if len(self.owners) and self.owners.max() >= len(self.labels):
            raise ValueError("counts of a label that does not exist")

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.settings.grams, self.names)

    @cached_property
    def entries(self) -> SparseRows:
        return SparseRows(
            self.starts.astype(np.int64),
            self.owners.astype(np.int64),
            self.counts.astype(np.float64),
            len(self.labels),
        )

    @cached_property
    def totals(self) -> Floats:
        """Sum of the counts of each label."""
        return self.entries.sum_rows(np.arange(len(self.names)), np.ones(len(self.names)))


def select_counts(table: CountTable, columns: NDArray[np.int64]) -> dict[str, Any]:
    """Return names and counts of some columns of a table, as fields of a CountMethod."""
    matrix = table.sum_by_label()[:, columns].tocsc()
    matrix.sort_indices()
    return {
        "names": table.names(columns),
        "starts": matrix.indptr.astype(np.uint32),
        "owners": matrix.indices.astype(np.uint16),
        "counts": matrix.data.astype(np.uint32),
    }
