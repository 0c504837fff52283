"""Naive Bayes (Baykan 2013, 2.2): the class whose prior and relative frequencies make the counts likeliest.

Raw counts and one added to each, as the toolkit that Baykan 2013 used does by default; n-grams never seen in training say nothing.
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

__all__ = ["NaiveBayes", "NaiveBayesSettings"]


@dataclass(frozen=True, slots=True)
class NaiveBayesSettings:
    grams: Grams = field(default_factory=Grams)  # n-grams; Baykan 2013 has words too
    features: int = 0  # the commonest n-grams over all labels; 0: all
    least: int = 1  # occurrences of an n-gram that is kept
    priors: bool = True  # whether labels have priors: their shares of the documents in training


@dataclass(frozen=True)
class NaiveBayes(CountMethod):
    """``documents``: how many of each label were learnt from."""

    name: ClassVar[str] = "naive_bayes"
    answering: ClassVar[frozenset[str]] = frozenset({"priors"})

    settings: NaiveBayesSettings
    documents: NDArray[np.uint32]

    @classmethod
    def learn(cls, corpus: Corpus, settings: NaiveBayesSettings) -> Self:
        counted = table(corpus, settings.grams)
        kept = sparse_counts(counted, counted.top(settings.features, settings.least))
        documents = np.bincount(counted.label_of, minlength=len(counted.labels)).astype(np.uint32)
        return cls(settings, counted.labels, documents=documents, **kept)

    def check(self) -> None:
        super().check()
        if len(self.documents) != len(self.labels) or not self.documents.all():
            raise ValueError("a label without documents")

    @cached_property
    def _logs(self) -> tuple[Sparse, NDArray[np.float64], NDArray[np.float64]]:
        """Log (count + 1) where there is a count, log (total + n-grams) and log prior of each label."""
        present = self.entries.with_values(lambda values, _: np.log(values + 1))
        priors = np.log(self.documents / self.documents.sum()) if self.settings.priors else np.zeros(len(self.labels))
        return present, np.log(self.totals + len(self.names)), priors

    def row(self, document: Document) -> NDArray[np.float64] | None:
        numbers, counts, _ = self.vocabulary.count(document)
        if not len(numbers):
            return None
        present, below, priors = self._logs
        row: NDArray[np.float64] = priors + present.add_up(numbers, counts) - counts.sum() * below
        return row
