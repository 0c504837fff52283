"""Support vector machines over all n-grams of a URL: the best classifier of Baykan 2013, used in their crawls (section 5.2)."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue import labels
from webtongue.errors import MissingExtra, UsageError
from webtongue.files import MODELS
from webtongue.lab.methods.base import Method
from webtongue.lab.methods.corpus import Corpus
from webtongue.lab.methods.document import Document, get_url
from webtongue.lab.methods.linear import compute_idf
from webtongue.url.tokens import grams_from_word

__all__ = ["SHIPPED", "UrlSvm", "UrlSvmScorer", "UrlSvmSettings", "load_scorer"]

SHIPPED = MODELS / "url_svm.wtp"


@dataclass(frozen=True, slots=True)
class UrlSvmSettings:
    shortest: int = 3  # minimum length of n-grams of words with marked ends: "allgrams-fromWord"
    longest: int = 7
    # The n-grams with the largest weights in any classifier: the paper keeps all, which would be half a million.
    features: int = 40_000
    cost: float = 1.0  # times 1 / n: the default of SVMperf
    rounds: int = 3000


@dataclass(frozen=True)
class UrlSvm(Method):
    """A classifier for each language against equally many URLs of the others; the score is the distance from the hyperplane."""

    name: ClassVar[str] = "url_svm"
    reads_urls: ClassVar[bool] = True

    settings: UrlSvmSettings
    names: tuple[str, ...]
    weights: NDArray[np.float32]  # n-grams x labels, with tf-idf in them
    bias: NDArray[np.float64]

    def check(self) -> None:
        super().check()
        if self.weights.shape != (len(self.names), len(self.labels)) or len(self.bias) != len(self.labels):
            raise ValueError("the shapes of weights and bias do not match n-grams and labels")

    @classmethod
    def learn(cls, corpus: Corpus, settings: UrlSvmSettings) -> Self:
        """Return the method fitted on URLs by label; negatives are drawn evenly from the other labels."""
        try:
            from sklearn.feature_extraction.text import CountVectorizer
            from sklearn.svm import LinearSVC
        except ImportError as error:
            raise MissingExtra("scikit-learn", "lab") from error
        orders = range(settings.shortest, settings.longest + 1)
        names = sorted(corpus)
        urls = [get_url(document) for name in names for document in corpus[name]]
        truth = np.array([number for number, name in enumerate(names) for _ in corpus[name]])
        vectors = CountVectorizer(analyzer=lambda url: grams_from_word(url, orders), dtype=np.float32)
        matrix = vectors.fit_transform(urls).tocsr()
        columns = []
        bias = np.zeros(len(names))
        for number in range(len(names)):
            rows = _balance_rows(truth, number, len(names))
            features = matrix[rows]
            idf = compute_idf(len(rows), np.asarray((features > 0).sum(0)).ravel())
            fitted: Any = LinearSVC(loss="hinge", C=settings.cost / len(rows), max_iter=settings.rounds, random_state=0)
            with warnings.catch_warnings():  # reaching the maximum of rounds is expected
                warnings.simplefilter("ignore")
                fitted.fit(features.multiply(idf[None, :]).tocsr(), truth[rows] == number)
            columns.append(fitted.coef_.ravel() * idf)
            bias[number] = float(fitted.intercept_[0])
        weights = np.stack(columns, 1)
        best_columns = np.sort(
            np.argsort(-np.abs(weights / np.abs(weights).max(0)).max(1), kind="stable")[: settings.features]
        )
        grams = vectors.get_feature_names_out()[best_columns].tolist()
        return cls(settings, tuple(names), tuple(grams), np.ascontiguousarray(weights[best_columns], np.float32), bias)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    def row(self, document: Document) -> NDArray[np.float64] | None:
        numbers, orders = self._numbers, range(self.settings.shortest, self.settings.longest + 1)
        known_numbers = [numbers[gram] for gram in grams_from_word(get_url(document), orders) if gram in numbers]
        return self.weights[known_numbers].sum(0, dtype=np.float64) + self.bias if known_numbers else None


def _balance_rows(truth: NDArray[np.int64], number: int, count: int) -> NDArray[np.int64]:
    """Return the rows of one classifier: all of its language, and equally many of the others, evenly."""
    positives = np.flatnonzero(truth == number)
    others = [np.flatnonzero(truth == other) for other in range(count) if other != number]
    rng = np.random.default_rng(number)
    share = -(-len(positives) // max(1, len(others)))
    negatives = [rng.permutation(rows)[:share] for rows in others]
    return np.sort(np.concatenate([positives, *negatives]))


@dataclass(frozen=True, slots=True)
class UrlSvmScorer:
    """Scores of URLs for the wanted languages, in the form that a crawl policy uses."""

    model: UrlSvm

    def __call__(self, urls: Sequence[str], wanted: Sequence[str]) -> list[Mapping[str, float]]:
        codes = [label.partition("_")[0] for label in self.model.labels]
        columns = {}
        for name in wanted:
            parsed = labels.parse(name)
            code = labels.fold(parsed).language if parsed is not None else ""
            if code not in codes:
                supported = ", ".join(sorted(labels.bcp47(label) for label in self.model.labels))
                raise UsageError(f"the policy svm supports only {supported}, as published, not {name!r}")
            columns[name] = codes.index(code)
        rows = [self.model.row(url) for url in urls]
        return [{name: 0.0 if row is None else float(row[column]) for name, column in columns.items()} for row in rows]


def load_scorer() -> UrlSvmScorer:
    """Return a scorer with the model that ships."""
    return UrlSvmScorer(UrlSvm.load(SHIPPED))
