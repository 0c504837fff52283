"""Support vectors over all n-grams of a URL: the best classifier of Baykan 2013, and what steered their crawls (section 5.2)."""

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
from webtongue.methods.base import Method
from webtongue.methods.corpus import Corpus
from webtongue.methods.document import Document, url_of
from webtongue.methods.linear import tf_idf
from webtongue.url.tokens import grams_from_word

__all__ = ["SHIPPED", "UrlSvm", "UrlSvmScorer", "UrlSvmSettings", "scorer"]

SHIPPED = MODELS / "url_svm.wtp"


@dataclass(frozen=True, slots=True)
class UrlSvmSettings:
    shortest: int = 3  # n-grams from words, whose ends are marked: "allgrams-fromWord"
    longest: int = 7
    # Of the n-grams, those whose weights are largest in any classifier: the paper keeps all, which would be half a million.
    features: int = 40_000
    cost: float = 1.0  # times 1 / n: SVMperf as it comes
    rounds: int = 3000


@dataclass(frozen=True)
class UrlSvm(Method):
    """A classifier for each language, with as many URLs of the others, evenly; the score is the distance from the border."""

    name: ClassVar[str] = "url_svm"
    of_urls: ClassVar[bool] = True

    settings: UrlSvmSettings
    names: tuple[str, ...]
    weights: NDArray[np.float32]  # n-grams x labels, with tf-idf in them
    bias: NDArray[np.float64]

    def check(self) -> None:
        super().check()
        if self.weights.shape != (len(self.names), len(self.labels)) or len(self.bias) != len(self.labels):
            raise ValueError("weights are not those of n-grams and labels")

    @classmethod
    def learn(cls, corpus: Corpus, settings: UrlSvmSettings) -> Self:
        """URLs by label; the others of a language are drawn evenly."""
        try:
            from sklearn.feature_extraction.text import CountVectorizer
            from sklearn.svm import LinearSVC
        except ImportError as error:
            raise MissingExtra("scikit-learn", "train") from error
        orders = range(settings.shortest, settings.longest + 1)
        names = sorted(corpus)
        urls = [url_of(document) for name in names for document in corpus[name]]
        truth = np.array([number for number, name in enumerate(names) for _ in corpus[name]])
        vectors = CountVectorizer(analyzer=lambda url: grams_from_word(url, orders), dtype=np.float32)
        matrix = vectors.fit_transform(urls).tocsr()
        columns = []
        bias = np.zeros(len(names))
        for number in range(len(names)):
            rows = _balanced(truth, number, len(names))
            part = matrix[rows]
            idf = tf_idf(len(rows), np.asarray((part > 0).sum(0)).ravel())
            fitted: Any = LinearSVC(loss="hinge", C=settings.cost / len(rows), max_iter=settings.rounds, random_state=0)
            with warnings.catch_warnings():  # that rounds are over is a setting, not a fault
                warnings.simplefilter("ignore")
                fitted.fit(part.multiply(idf[None, :]).tocsr(), truth[rows] == number)
            columns.append(fitted.coef_.ravel() * idf)
            bias[number] = float(fitted.intercept_[0])
        weights = np.stack(columns, 1)
        kept = np.sort(np.argsort(-np.abs(weights / np.abs(weights).max(0)).max(1), kind="stable")[: settings.features])
        grams = vectors.get_feature_names_out()[kept].tolist()
        return cls(settings, tuple(names), tuple(grams), np.ascontiguousarray(weights[kept], np.float32), bias)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    def row(self, document: Document) -> NDArray[np.float64] | None:
        numbers, orders = self._numbers, range(self.settings.shortest, self.settings.longest + 1)
        found = [numbers[gram] for gram in grams_from_word(url_of(document), orders) if gram in numbers]
        return self.weights[found].sum(0, dtype=np.float64) + self.bias if found else None


def _balanced(truth: NDArray[np.int64], number: int, count: int) -> NDArray[np.int64]:
    """Rows of one classifier: all of its language, and as many of the others, evenly."""
    own = np.flatnonzero(truth == number)
    others = [np.flatnonzero(truth == other) for other in range(count) if other != number]
    chance = np.random.default_rng(number)
    share = -(-len(own) // max(1, len(others)))
    drawn = [chance.permutation(rows)[:share] for rows in others]
    return np.sort(np.concatenate([own, *drawn]))


@dataclass(frozen=True, slots=True)
class UrlSvmScorer:
    """How far URLs are on the side of languages, as a crawler's policy asks."""

    model: UrlSvm

    def __call__(self, urls: Sequence[str], wanted: Sequence[str]) -> list[Mapping[str, float]]:
        codes = [label.partition("_")[0] for label in self.model.labels]
        columns = {}
        for name in wanted:
            parsed = labels.parse(name)
            code = labels.fold(parsed).language if parsed is not None else ""
            if code not in codes:
                known = ", ".join(sorted(labels.bcp47(label) for label in self.model.labels))
                raise UsageError(f"the policy svm knows {known}, as published, not {name!r}")
            columns[name] = codes.index(code)
        rows = [self.model.row(url) for url in urls]
        return [{name: 0.0 if row is None else float(row[at]) for name, at in columns.items()} for row in rows]


def scorer() -> UrlSvmScorer:
    """With the model that ships."""
    return UrlSvmScorer(UrlSvm.load(SHIPPED))
