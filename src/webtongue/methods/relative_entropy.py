"""Relative entropy (Sibun and Reynar 1996; Baykan 2013, 2.2): the language whose distribution of n-grams is nearest.

The score is minus the relative entropy of the document's distribution to the language's, over the n-grams seen in training.
The papers leave open what a language without an n-gram gives it: here half a count is added to every one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.methods.corpus import Corpus, table
from webtongue.methods.counts import CountMethod, Sparse, sparse_counts
from webtongue.methods.document import Document
from webtongue.methods.grams import Grams

__all__ = ["RelativeEntropy", "RelativeEntropySettings"]


@dataclass(frozen=True, slots=True)
class RelativeEntropySettings:
    grams: Grams = field(default_factory=Grams)  # trigrams: what Hayati 2004 cites Sibun and Reynar for
    features: int = 0  # the commonest n-grams over all labels; 0: all
    least: int = 1  # occurrences of an n-gram that is kept
    added: float = 0.5  # what is added to every count of a language


@dataclass(frozen=True)
class RelativeEntropy(CountMethod):
    name: ClassVar[str] = "relative_entropy"
    answering: ClassVar[frozenset[str]] = frozenset({"added"})

    settings: RelativeEntropySettings

    @classmethod
    def learn(cls, corpus: Corpus, settings: RelativeEntropySettings) -> Self:
        counted = table(corpus, settings.grams)
        return cls(settings, counted.labels, **sparse_counts(counted, counted.top(settings.features, settings.least)))

    @cached_property
    def _logs(self) -> tuple[Sparse, NDArray[np.float64]]:
        """Log (count + added) - log added where there is a count, and log probability where there is none."""
        added = self.settings.added
        present = self.entries.with_values(lambda values, _: np.log1p(values / added))
        return present, np.log(added / (self.totals + added * len(self.names)))

    def row(self, document: Document) -> NDArray[np.float64] | None:
        numbers, counts, _ = self.vocabulary.count(document)
        if not len(numbers):
            return None
        present, absent = self._logs
        shares = counts / counts.sum()
        row: NDArray[np.float64] = present.add_up(numbers, shares) + absent - float((shares * np.log(shares)).sum())
        return row
