"""Relative entropy (Sibun and Reynar 1996; Baykan 2013, 2.2): the language with the nearest distribution of n-grams.

The score is the negative relative entropy of the document's distribution to the language's, over the n-grams seen in training.
The papers do not specify smoothing: here half a count is added to every n-gram.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.lab.methods.corpus import Corpus, count_corpus
from webtongue.lab.methods.counts import CountMethod, SparseRows, select_counts
from webtongue.lab.methods.document import Document
from webtongue.lab.methods.grams import Grams

__all__ = ["RelativeEntropy", "RelativeEntropySettings"]


@dataclass(frozen=True, slots=True)
class RelativeEntropySettings:
    grams: Grams = field(default_factory=Grams)  # trigrams: what Hayati 2004 cites Sibun and Reynar for
    features: int = 0  # number of the most common n-grams over all labels; 0: all
    least: int = 1  # minimum count of an n-gram
    added: float = 0.5  # added to every count of a language


@dataclass(frozen=True)
class RelativeEntropy(CountMethod):
    name: ClassVar[str] = "relative_entropy"
    answer_settings: ClassVar[frozenset[str]] = frozenset({"added"})

    settings: RelativeEntropySettings

    @classmethod
    def learn(cls, corpus: Corpus, settings: RelativeEntropySettings) -> Self:
        counted = count_corpus(corpus, settings.grams)
        return cls(settings, counted.labels, **select_counts(counted, counted.top(settings.features, settings.least)))

    @cached_property
    def _logs(self) -> tuple[SparseRows, NDArray[np.float64]]:
        """Log (count + added) - log added of entries, and log probability of absent n-grams by label."""
        added = self.settings.added
        present = self.entries.with_values(lambda values, _: np.log1p(values / added))
        return present, np.log(added / (self.totals + added * len(self.names)))

    def row(self, document: Document) -> NDArray[np.float64] | None:
        numbers, counts, _ = self.vocabulary.count(document)
        if not len(numbers):
            return None
        present, absent = self._logs
        shares = counts / counts.sum()
        row: NDArray[np.float64] = present.sum_rows(numbers, shares) + absent - float((shares * np.log(shares)).sum())
        return row
