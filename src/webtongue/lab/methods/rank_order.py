"""Cavnar and Trenkle (1994): profiles of the most common n-grams, compared by the sum of rank differences.

The defaults are those of Hayati 2004, section 3 (BASE: wrap-around, C = 399). Cai 2009 has padded words or bytes, a maximum
distance (border), alternatives within a factor, and a profile for each encoding: all are settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import UsageError
from webtongue.lab.methods.base import NOTHING_KNOWN, UND, Answer, Method, split_label
from webtongue.lab.methods.corpus import Corpus
from webtongue.lab.methods.document import Document
from webtongue.lab.methods.encoded_texts import encode_corpus
from webtongue.lab.methods.grams import GramCounts, Grams, Vocabulary

__all__ = ["RankOrder", "RankOrderSettings", "compute_distances"]


@dataclass(frozen=True, slots=True)
class RankOrderSettings:
    """``border`` is the maximum average distance per n-gram of an answer (0: none). With ``border_quantile`` (0: off) each model
    has its own border, the quantile of its training documents. Setting ``border`` after fitting replaces all of these."""

    grams: Grams = field(default_factory=lambda: Grams(sizes=(1, 2, 3, 4, 5), edges="wrap"))
    profile: int = 399  # C: 400 in Cavnar and Trenkle, 399 in Hayati 2004
    least: int = 1  # minimum count of an n-gram in a profile
    border: float = 0.0
    border_quantile: float = 0.0
    factor: float = 1.0  # labels within this factor of the best distance are alternatives
    # Count bytes, with a profile for each of these that can represent the text of a label.
    encodings: tuple[str, ...] = ()


@dataclass(frozen=True)
class RankOrder(Method):
    """``profiles`` holds the numbers of the n-grams of each label, most common first, -1 after the last; ``borders`` are those of
    ``border_quantile``."""

    name: ClassVar[str] = "rank_order"
    answer_settings: ClassVar[frozenset[str]] = frozenset({"border", "factor"})

    settings: RankOrderSettings
    names: tuple[str, ...]
    profiles: NDArray[np.int32]
    borders: NDArray[np.float64]

    @classmethod
    def learn(cls, corpus: Corpus, settings: RankOrderSettings) -> Self:
        if not settings.encodings:
            return cls.fit_profiles(corpus, settings)
        return cls.fit_profiles(encode_corpus(corpus), replace(settings, grams=replace(settings.grams, unit="byte")))

    @classmethod
    def fit_profiles(cls, corpus: Corpus, settings: RankOrderSettings) -> Self:
        """Return the method with profiles of the texts as they are, only of the encodings in the settings if there are any."""
        if settings.encodings:
            corpus = {label: texts for label, texts in corpus.items() if split_label(label)[1] in settings.encodings}
            if not corpus:
                raise UsageError(f"no text of a label can be written in any of {', '.join(settings.encodings)}")
        labels = tuple(sorted(label for label in corpus if corpus[label]))
        numbers: dict[str, int] = {}
        profiles = np.full((len(labels), settings.profile), -1, np.int32)
        for row, label in zip(profiles, labels, strict=True):
            top = _select_profile(corpus[label], settings)
            row[: len(top)] = [numbers.setdefault(name, len(numbers)) for name in top]
        fitted = cls(settings, labels, tuple(numbers), profiles, np.full(len(labels), settings.border or np.inf))
        return (
            replace(fitted, borders=fitted.compute_borders(corpus, settings.border_quantile))
            if settings.border_quantile
            else fitted
        )

    def check(self) -> None:
        super().check()
        if self.profiles.shape != (len(self.labels), self.settings.profile) or len(self.borders) != len(self.labels):
            raise ValueError("the shapes of profiles and borders do not match the labels")
        if self.profiles.size and not -1 <= self.profiles.min() <= self.profiles.max() < len(self.names):
            raise ValueError("a profile refers to an n-gram that does not exist")

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.settings.grams, self.names)

    @cached_property
    def ranks(self) -> NDArray[np.int32]:
        """Rank of each n-gram with each label, C+1 if it has none; the last row is for unknown n-grams."""
        ranks = np.full((len(self.names) + 1, len(self.labels)), self.settings.profile + 1, np.int32)
        for number, profile in enumerate(self.profiles):
            numbers = profile[profile >= 0]
            ranks[numbers, number] = np.arange(1, len(numbers) + 1)
        return ranks

    def row(self, document: Document) -> NDArray[np.float64] | None:
        top = self._top(document)
        return -compute_distances(self.ranks[top]) if len(top) else None

    def with_settings(self, given: Mapping[str, Any]) -> Self:
        changed = super().with_settings(given)
        return (
            replace(changed, settings=replace(changed.settings, border_quantile=0.0)) if "border" in given else changed
        )

    def border(self, number: int) -> float:
        """Return the maximum average distance of an answer with this label."""
        if self.settings.border_quantile:
            return float(self.borders[number])
        return self.settings.border or np.inf

    def answer(self, document: Document) -> Answer:
        """Return the nearest label; n-grams are counted once."""
        top = self._top(document)
        return (
            self._decide_row(-compute_distances(self.ranks[top]), len(top))
            if len(top)
            else Answer(UND, reason=NOTHING_KNOWN)
        )

    def decide(self, row: NDArray[np.float64], document: Document) -> Answer:
        return self._decide_row(row, len(self._top(document)))

    def _decide_row(self, row: NDArray[np.float64], grams: int) -> Answer:
        """Return the nearest label, unless it is beyond its border; ``grams`` is the number of n-grams in the distance."""
        best = int(np.argmax(row))
        label, encoding = split_label(self.labels[best])
        answer = Answer(label, float(row[best]), encoding)
        if -row[best] > self.border(best) * grams:
            return Answer(UND, answer.score, reason="farther than the border from every language")
        near_numbers = np.flatnonzero(-row <= self.settings.factor * -row[best])
        ranked = near_numbers[np.argsort(-row[near_numbers], kind="stable")]
        others = dict.fromkeys(split_label(self.labels[i])[0] for i in ranked)  # each language once, in any encoding
        return replace(answer, alternatives=tuple(label for label in others if label != answer.label))

    def average_distance(self, row: NDArray[np.float64], document: Document) -> float:
        """Return the distance of the best label per n-gram of a document, which is compared with the border."""
        return float(-row.max()) / max(len(self._top(document)), 1)

    def _top(self, document: Document) -> NDArray[np.int64]:
        """Return the numbers of the document's most common n-grams in order, -1 for unknown ones."""
        counted = self.settings.grams.count(document)
        return self.vocabulary.find(counted.keys[_rank_grams(counted, self.settings)])

    def compute_borders(self, corpus: Corpus, quantile: float) -> NDArray[np.float64]:
        """Return a quantile of the average distances of the documents of each label (Cai 2009, 6.2.1), infinity without any."""
        borders = np.full(len(self.labels), np.inf)
        for number, label in enumerate(self.labels):
            tops = [top for document in corpus.get(label, ()) if len(top := self._top(document))]
            averages = [compute_distances(self.ranks[top][:, [number]])[0] / len(top) for top in tops]
            if averages:
                borders[number] = np.quantile(averages, quantile)
        return borders


def compute_distances(ranks: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return for each label the sum over a document's n-grams of the difference of ranks (equation 0.1).

    >>> compute_distances(np.array([[1, 3], [3, 1]]))
    array([1., 3.])
    """
    totals: NDArray[np.float64] = np.abs(ranks - np.arange(1, len(ranks) + 1)[:, None]).sum(0).astype(np.float64)
    return totals


def _rank_grams(counted: GramCounts, settings: RankOrderSettings) -> NDArray[np.int64]:
    """Return the indices of the most common n-grams in order; ties go to the first in the text."""
    order = np.lexsort((counted.firsts, -counted.counts))
    enough: NDArray[np.int64] = order[counted.counts[order] >= settings.least][: settings.profile]
    return enough


def _select_profile(documents: Sequence[Document], settings: RankOrderSettings) -> list[str]:
    """Return the most common n-grams of some documents."""
    keys = [settings.grams.keys(document) for document in documents]
    unique, firsts, counts = np.unique(np.concatenate(keys), return_index=True, return_counts=True)
    positions = firsts[_rank_grams(GramCounts(unique, counts, firsts), settings)]
    ends = np.cumsum([len(part) for part in keys])
    document_of = np.searchsorted(ends, positions, side="right")
    name_at: dict[int, str] = {}
    for owner in np.unique(document_of).tolist():
        names = settings.grams.names(documents[owner])
        start = ends[owner] - len(keys[owner])
        name_at |= {place: names[place - start] for place in positions[document_of == owner].tolist()}
    return [name_at[place] for place in positions.tolist()]
