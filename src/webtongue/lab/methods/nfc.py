"""NFC (Hayati 2004, algorithm 4.5): n-grams chosen by the Fisher discriminant, compared by their cosine.

As published n = 3 with the best 1000 n-grams; the settings also allow n = 1..5, which the paper leaves open. It does not treat
n-grams with zero variance, by which its formula divides: they occur in languages with a single document, and rank last here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.lab.methods.base import Method
from webtongue.lab.methods.corpus import Corpus, CountTable, count_corpus
from webtongue.lab.methods.document import Document
from webtongue.lab.methods.grams import Grams, Vocabulary

__all__ = ["Nfc", "NfcSettings", "compute_fisher"]


@dataclass(frozen=True, slots=True)
class NfcSettings:
    grams: Grams = field(default_factory=lambda: Grams(sizes=(3,), edges="wrap"))
    features: int = 1000


@dataclass(frozen=True)
class Nfc(Method):
    """``counts`` are the occurrences of each chosen n-gram with each label: the numerators of equation 0.6."""

    name: ClassVar[str] = "nfc"

    settings: NfcSettings
    names: tuple[str, ...]
    counts: NDArray[np.uint32]

    @classmethod
    def learn(cls, corpus: Corpus, settings: NfcSettings) -> Self:
        counted = count_corpus(corpus, settings.grams)
        differences, spread = compute_fisher(counted)
        ratio = np.divide(differences, spread, out=np.zeros(len(spread)), where=spread > 0)
        order = np.lexsort((counted.firsts[:, 1], counted.firsts[:, 0], -differences, -ratio))
        chosen = order[: settings.features]
        by_label = counted.sum_by_label()[:, chosen].toarray().T
        return cls(settings, counted.labels, counted.names(chosen), by_label.astype(np.uint32))

    def check(self) -> None:
        super().check()
        if self.counts.shape != (len(self.names), len(self.labels)):
            raise ValueError("the shape of counts is not n-grams x labels")

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.settings.grams, self.names)

    @cached_property
    def representatives(self) -> NDArray[np.float64]:
        """Unit-length column of each label (equation 0.7)."""
        lengths = np.linalg.norm(self.counts.astype(np.float64), axis=0)
        columns: NDArray[np.float64] = self.counts / np.maximum(lengths, 1e-300)
        return columns

    def row(self, document: Document) -> NDArray[np.float64] | None:
        numbers, counts, _ = self.vocabulary.count(document)
        if not len(numbers):
            return None
        row: NDArray[np.float64] = counts / np.linalg.norm(counts) @ self.representatives[numbers]
        return row


def compute_fisher(counted: CountTable) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the numerator, over pairs of languages, and the denominator of equation 0.5 for every n-gram.

    Each pair counts once; counting both orders would double all values.
    """
    squares = np.asarray(counted.matrix.multiply(counted.matrix).sum(1)).ravel().astype(np.float64)
    frequencies = _scale_rows(counted.matrix, 1 / np.sqrt(np.maximum(squares, 1)))  # equation 0.3: |d| cancels
    members = np.bincount(counted.label_of, minlength=len(counted.labels))
    means = _label_means(frequencies, counted.label_of, members)
    square_means = _label_means(frequencies.multiply(frequencies), counted.label_of, members)
    squared_means = np.asarray(means.multiply(means).sum(0)).ravel()
    differences = len(members) * squared_means - np.asarray(means.sum(0)).ravel() ** 2
    spread = np.asarray(square_means.sum(0)).ravel() - squared_means
    spread[spread < 1e-15] = 0  # rounding errors
    return differences, spread


def _scale_rows(matrix: Any, factors: NDArray[np.float64]) -> Any:
    return matrix.multiply(factors[:, None]).tocsr()


def _label_means(rows: Any, label_of: NDArray[np.int64], members: NDArray[np.int64]) -> Any:
    """Return the means of labels (equation 0.4): a sparse matrix of labels x n-grams."""
    from scipy.sparse import csr_matrix

    count = len(label_of)
    choose = csr_matrix((1 / members[label_of], (label_of, np.arange(count))), shape=(len(members), count))
    return (choose @ rows).tocsr()
