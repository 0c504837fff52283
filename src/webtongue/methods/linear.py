"""Linear classifiers of n-gram counts: maximum entropy and support vectors (Baykan 2013, 2.2)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import MissingExtra, UsageError
from webtongue.methods.base import Method
from webtongue.methods.corpus import Corpus, Table, table
from webtongue.methods.document import Document
from webtongue.methods.grams import Grams, Vocabulary

__all__ = ["Linear", "MaxEntropy", "MaxEntropySettings", "Svm", "SvmSettings", "tf_idf"]

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
            raise ValueError("weights are not those of n-grams and labels")

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.settings.grams, self.names)

    def vector(self, numbers: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """The values of a document's n-grams."""
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
    features: int = 5000  # the commonest n-grams over all labels; 0: all
    variance: float = 1.0  # variance of the Gaussian prior of a weight
    rounds: int = 200


@dataclass(frozen=True)
class MaxEntropy(Linear):
    """The distribution of most entropy that has the training data's counts as expectations (Nigam et al. 1999).

    Raw counts as in Baykan 2013, and no feature but them: a label has no weight of its own. Improved iterative scaling and the
    quasi-Newton search used here have the same optimum. The score is the log probability.
    """

    name: ClassVar[str] = "max_entropy"

    settings: MaxEntropySettings

    @classmethod
    def learn(cls, corpus: Corpus, settings: MaxEntropySettings) -> Self:
        learn = _learner("LogisticRegression")
        counted = table(corpus, settings.grams)
        columns = counted.top(settings.features)
        made = learn(C=settings.variance, max_iter=settings.rounds, fit_intercept=False)
        weights, bias = _learnt(made, counted, counted.matrix[:, columns].astype(np.float64))
        if len(counted.labels) == 2:  # what tells two labels apart is shared by both
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
    features: int = 5000  # the commonest n-grams over all labels; 0: all
    cost: float = 1.0


@dataclass(frozen=True)
class Svm(Linear):
    """Linear support vectors, a language against all others, with Baykan 2013's tf-idf (footnote 6).

    Vectors have unit length, so that long and short documents weigh the same; the paper does not say. The score is the
    distance from the hyperplane, positive on the language's side.
    """

    name: ClassVar[str] = "svm"

    settings: SvmSettings
    idf: NDArray[np.float64]

    @classmethod
    def learn(cls, corpus: Corpus, settings: SvmSettings) -> Self:
        learn = _learner("LinearSVC")
        counted = table(corpus, settings.grams)
        columns = counted.top(settings.features)
        matrix = counted.matrix[:, columns].astype(np.float64)
        idf = tf_idf(matrix.shape[0], np.asarray((matrix > 0).sum(0)).ravel())
        weighed = matrix.multiply(idf[None, :]).tocsr()
        lengths = np.sqrt(np.asarray(weighed.multiply(weighed).sum(1)).ravel())
        weighed = weighed.multiply((1 / np.maximum(lengths, 1e-300))[:, None]).tocsr()
        weights, bias = _learnt(learn(C=settings.cost, random_state=0, max_iter=5000), counted, weighed)
        return cls(settings, counted.labels, counted.names(columns), weights, bias, idf)

    def check(self) -> None:
        super().check()
        if len(self.idf) != len(self.names):
            raise ValueError("document frequencies are not those of the n-grams")

    def vector(self, numbers: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
        values: NDArray[np.float64] = counts * self.idf[numbers]
        return values / max(float(np.linalg.norm(values)), 1e-300)


def tf_idf(documents: int, holding: NDArray[np.int64]) -> NDArray[np.float64]:
    """What a count is multiplied by: ln(n / (n_i + 1)), which is never below nothing here.

    >>> tf_idf(10, np.array([1, 9, 10])).round(3).tolist()
    [1.609, 0.0, 0.0]
    """
    out: NDArray[np.float64] = np.maximum(np.log(documents / (holding + 1.0)), 0.0)
    return out


def _learner(kind: str) -> Any:
    try:
        from sklearn.linear_model import LogisticRegression
        from sklearn.svm import LinearSVC
    except ImportError as error:
        raise MissingExtra("scikit-learn", "train") from error
    return {"LogisticRegression": LogisticRegression, "LinearSVC": LinearSVC}[kind]


def _learnt(learner: Any, counted: Table, matrix: Any) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Weights by n-gram and label, and biases; of two labels one has the other's with the sign turned."""
    if len(counted.labels) < 2:
        raise UsageError("telling languages apart takes two or more")
    with warnings.catch_warnings():  # that rounds are over is a setting, not a fault
        warnings.simplefilter("ignore")
        learner.fit(matrix, counted.label_of)
    weights, bias = learner.coef_, learner.intercept_
    if len(weights) == 1:
        weights, bias = np.concatenate([-weights, weights]), np.concatenate([-bias, bias])
    return np.ascontiguousarray(weights.T, np.float32), np.asarray(bias, np.float64)
