"""Naive Bayes (Baykan 2013, 2.2): the label with the highest posterior probability of the counts.

Raw counts with one added to each, the default of the toolkit that Baykan 2013 used; unseen n-grams are ignored.
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

__all__ = ["NaiveBayes", "NaiveBayesSettings"]


@dataclass(frozen=True, slots=True)
class NaiveBayesSettings:
    grams: Grams = field(default_factory=Grams)  # n-grams; Baykan 2013 has words too
    features: int = 0  # number of the most common n-grams over all labels; 0: all
    least: int = 1  # minimum count of an n-gram
    priors: bool = True  # use the shares of labels in the training documents as priors


@dataclass(frozen=True)
class NaiveBayes(CountMethod):
    """``documents`` is the number of training documents of each label."""

    name: ClassVar[str] = "naive_bayes"
    answer_settings: ClassVar[frozenset[str]] = frozenset({"priors"})

    settings: NaiveBayesSettings
    documents: NDArray[np.uint32]

    @classmethod
    def learn(cls, corpus: Corpus, settings: NaiveBayesSettings) -> Self:
        counted = count_corpus(corpus, settings.grams)
        fields = select_counts(counted, counted.top(settings.features, settings.least))
        documents = np.bincount(counted.label_of, minlength=len(counted.labels)).astype(np.uint32)
        return cls(settings, counted.labels, documents=documents, **fields)

    def check(self) -> None:
        super().check()
        if len(self.documents) != len(self.labels) or not self.documents.all():
            raise ValueError("a label without documents")

    @cached_property
    def _logs(self) -> tuple[SparseRows, NDArray[np.float64], NDArray[np.float64]]:
        """Log (count + 1) of entries, log (total + number of n-grams) and log prior of each label."""
        present = self.entries.with_values(lambda values, _: np.log(values + 1))
        priors = np.log(self.documents / self.documents.sum()) if self.settings.priors else np.zeros(len(self.labels))
        return present, np.log(self.totals + len(self.names)), priors

    def row(self, document: Document) -> NDArray[np.float64] | None:
        numbers, counts, _ = self.vocabulary.count(document)
        if not len(numbers):
            return None
        log_counts, log_totals, priors = self._logs
        row: NDArray[np.float64] = priors + log_counts.sum_rows(numbers, counts) - counts.sum() * log_totals
        return row
