"""Linear classifiers of n-gram counts: maximum entropy and support vectors (Baykan 2013, 2.2)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import MissingExtra, UsageError
from webtongue.lab.methods.base import Method
from webtongue.lab.methods.corpus import Corpus, CountTable, count_corpus
from webtongue.lab.methods.document import Document
from webtongue.lab.methods.grams import Grams, Vocabulary

__all__ = ["Linear", "MaxEntropy", "MaxEntropySettings", "Svm", "SvmSettings", "compute_idf"]

Weights = NDArray[np.float16] | NDArray[np.float32]


@dataclass(frozen=True)
class Linear(Method):
    """``weights``: n-grams x labels; ``bias``: of each label."""

    names: tuple[str, ...]
    weights: Weights
    bias: NDArray[np.float64]

    def check(self) -> None:
        super().check()
        if self.weights.shape != (len(self.names), len(self.labels)) or len(self.bias) != len(self.labels):
            raise ValueError("the shapes of weights and bias do not match n-grams and labels")

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.settings.grams, self.names)

    def vector(self, numbers: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the values of a document's n-grams."""
        return counts.astype(np.float64)

    def row(self, document: Document) -> NDArray[np.float64] | None:
        numbers, counts, _ = self.vocabulary.count(document)
        if not len(numbers):
            return None
        row: NDArray[np.float64] = self.vector(numbers, counts) @ self.weights[numbers].astype(np.float64) + self.bias
        return row


@dataclass(frozen=True, slots=True)
class MaxEntropySettings:
    grams: Grams = field(default_factory=Grams)  # n-grams; Baykan 2013 has words too
    features: int = 5000  # number of the most common n-grams over all labels; 0: all
    variance: float = 1.0  # variance of the Gaussian prior of a weight
    rounds: int = 200


@dataclass(frozen=True)
class MaxEntropy(Linear):
    """Maximum entropy with the counts of the training data as expectations (Nigam et al. 1999).

    Raw counts as in Baykan 2013, without a bias. Improved iterative scaling and the quasi-Newton search used here have the same
    optimum. The score is the log probability.
    """

    name: ClassVar[str] = "max_entropy"

    settings: MaxEntropySettings

    @classmethod
    def learn(cls, corpus: Corpus, settings: MaxEntropySettings) -> Self:
        classifier_class = _import_classifier("LogisticRegression")
        counted = count_corpus(corpus, settings.grams)
        columns = counted.top(settings.features)
        classifier = classifier_class(C=settings.variance, max_iter=settings.rounds, fit_intercept=False)
        weights, bias = _fit_classifier(classifier, counted, counted.matrix[:, columns].astype(np.float64))
        if len(counted.labels) == 2:  # the difference between two labels is divided between them
            weights, bias = weights / np.float32(2), bias / 2
        return cls(settings, counted.labels, counted.names(columns), weights, bias)

    def row(self, document: Document) -> NDArray[np.float64] | None:
        row = super().row(document)
        if row is None:
            return None
        top = row.max()
        logs: NDArray[np.float64] = row - top - np.log(np.exp(row - top).sum())
        return logs


@dataclass(frozen=True, slots=True)
class SvmSettings:
    grams: Grams = field(default_factory=Grams)
    features: int = 5000  # number of the most common n-grams over all labels; 0: all
    cost: float = 1.0


@dataclass(frozen=True)
class Svm(Linear):
    """Linear support vector machines, one language against all others, with tf-idf as in Baykan 2013 (footnote 6).

    Vectors have unit length, so that long and short documents have equal weight; the paper leaves this open. The score is the
    signed distance from the hyperplane.
    """

    name: ClassVar[str] = "svm"

    settings: SvmSettings
    idf: NDArray[np.float64]

    @classmethod
    def learn(cls, corpus: Corpus, settings: SvmSettings) -> Self:
        classifier_class = _import_classifier("LinearSVC")
        counted = count_corpus(corpus, settings.grams)
        columns = counted.top(settings.features)
        matrix = counted.matrix[:, columns].astype(np.float64)
        idf = compute_idf(matrix.shape[0], np.asarray((matrix > 0).sum(0)).ravel())
        weighted = matrix.multiply(idf[None, :]).tocsr()
        lengths = np.sqrt(np.asarray(weighted.multiply(weighted).sum(1)).ravel())
        weighted = weighted.multiply((1 / np.maximum(lengths, 1e-300))[:, None]).tocsr()
        weights, bias = _fit_classifier(
            classifier_class(C=settings.cost, random_state=0, max_iter=5000), counted, weighted
        )
        return cls(settings, counted.labels, counted.names(columns), weights, bias, idf)

    def check(self) -> None:
        super().check()
        if len(self.idf) != len(self.names):
            raise ValueError("numbers of document frequencies and n-grams differ")

    def vector(self, numbers: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
        values: NDArray[np.float64] = counts * self.idf[numbers]
        return values / max(float(np.linalg.norm(values)), 1e-300)


def compute_idf(documents: int, document_counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the factor of counts, ln(n / (n_i + 1)), but at least 0.

    >>> compute_idf(10, np.array([1, 9, 10])).round(3).tolist()
    [1.609, 0.0, 0.0]
    """
    idf: NDArray[np.float64] = np.maximum(np.log(documents / (document_counts + 1.0)), 0.0)
    return idf


def _import_classifier(kind: str) -> Any:
    try:
        from sklearn.linear_model import LogisticRegression
        from sklearn.svm import LinearSVC
    except ImportError as error:
        raise MissingExtra("scikit-learn", "lab") from error
    return {"LogisticRegression": LogisticRegression, "LinearSVC": LinearSVC}[kind]


def _fit_classifier(learner: Any, counted: CountTable, matrix: Any) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Return weights by n-gram and label, and biases; of two labels one has the negative weights of the other."""
    if len(counted.labels) < 2:
        raise UsageError("the corpus has fewer than two labels: a classifier needs at least two")
    with warnings.catch_warnings():  # reaching the maximum of rounds is expected
        warnings.simplefilter("ignore")
        learner.fit(matrix, counted.label_of)
    weights, bias = learner.coef_, learner.intercept_
    if len(weights) == 1:
        weights, bias = np.concatenate([-weights, weights]), np.concatenate([-bias, bias])
    return np.ascontiguousarray(weights.T, np.float32), np.asarray(bias, np.float64)
