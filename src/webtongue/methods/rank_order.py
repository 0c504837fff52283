"""Cavnar and Trenkle (1994): profiles of the commonest n-grams, compared by how far each is out of its place.

As in Hayati 2004, section 3 (BASE: wrap-around, C = 399) by default; Cai 2009 asks for padded words or bytes, a border beyond
which no language is answered, alternatives within a factor, and a profile for each encoding: all are settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import UsageError
from webtongue.methods.base import NOTHING, UND, Answer, Method, label_parts
from webtongue.methods.corpus import Corpus
from webtongue.methods.document import Document
from webtongue.methods.grams import Counted, Grams, Vocabulary
from webtongue.methods.writings import written

__all__ = ["RankOrder", "RankOrderSettings", "distances"]


@dataclass(frozen=True, slots=True)
class RankOrderSettings:
    """``border`` is the average distance of an n-gram above which no language is answered (0: none); with
    ``border_quantile`` (0: off) each model has its own in its place, below which that share of its training documents lies.
    Setting a border when answering gives all models this one again."""

    grams: Grams = field(default_factory=lambda: Grams(sizes=(1, 2, 3, 4, 5), edges="wrap"))
    profile: int = 399  # C: 400 in Cavnar and Trenkle, 399 in Hayati 2004
    least: int = 1  # occurrences below which an n-gram is left out of a profile
    border: float = 0.0
    border_quantile: float = 0.0
    factor: float = 1.0  # labels within this factor of the best distance are alternatives
    encodings: tuple[str, ...] = ()  # bytes as units, and a profile for each of these that holds a label's text


@dataclass(frozen=True)
class RankOrder(Method):
    """``profiles`` holds for each label the numbers of its n-grams, the commonest first, -1 after the last; ``borders`` are
    the models' own, where the settings ask for them."""

    name: ClassVar[str] = "rank_order"
    answering: ClassVar[frozenset[str]] = frozenset({"border", "factor"})

    settings: RankOrderSettings
    names: tuple[str, ...]
    profiles: NDArray[np.int32]
    borders: NDArray[np.float64]

    @classmethod
    def learn(cls, corpus: Corpus, settings: RankOrderSettings) -> Self:
        if not settings.encodings:
            return cls.profiled(corpus, settings)
        return cls.profiled(written(corpus), replace(settings, grams=replace(settings.grams, unit="byte")))

    @classmethod
    def profiled(cls, corpus: Corpus, settings: RankOrderSettings) -> Self:
        """Profiles of texts as they are, and of the wanted encodings only, where some are named."""
        if settings.encodings:
            corpus = {label: found for label, found in corpus.items() if label_parts(label)[1] in settings.encodings}
            if not corpus:
                raise UsageError(f"no label's text is held by an encoding of {', '.join(settings.encodings)}")
        labels = tuple(sorted(label for label in corpus if corpus[label]))
        numbers: dict[str, int] = {}
        profiles = np.full((len(labels), settings.profile), -1, np.int32)
        for row, label in zip(profiles, labels, strict=True):
            top = _profile_names(corpus[label], settings)
            row[: len(top)] = [numbers.setdefault(name, len(numbers)) for name in top]
        fitted = cls(settings, labels, tuple(numbers), profiles, np.full(len(labels), settings.border or np.inf))
        return (
            replace(fitted, borders=fitted.own_borders(corpus, settings.border_quantile))
            if settings.border_quantile
            else fitted
        )

    def check(self) -> None:
        super().check()
        if self.profiles.shape != (len(self.labels), self.settings.profile) or len(self.borders) != len(self.labels):
            raise ValueError("profiles are not those of the labels")
        if self.profiles.size and not -1 <= self.profiles.min() <= self.profiles.max() < len(self.names):
            raise ValueError("a profile names an n-gram that is not there")

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.settings.grams, self.names)

    @cached_property
    def ranks(self) -> NDArray[np.int32]:
        """The rank of each n-gram with each label, C+1 where it has none; the last row is for unknown n-grams."""
        out = np.full((len(self.names) + 1, len(self.labels)), self.settings.profile + 1, np.int32)
        for number, profile in enumerate(self.profiles):
            known = profile[profile >= 0]
            out[known, number] = np.arange(1, len(known) + 1)
        return out

    def row(self, document: Document) -> NDArray[np.float64] | None:
        top = self._top(document)
        return -distances(self.ranks[top]) if len(top) else None

    def with_settings(self, given: Mapping[str, Any]) -> Self:
        changed = super().with_settings(given)
        return (
            replace(changed, settings=replace(changed.settings, border_quantile=0.0)) if "border" in given else changed
        )

    def border(self, number: int) -> float:
        """The average distance up to which a label is answered."""
        if self.settings.border_quantile:
            return float(self.borders[number])
        return self.settings.border or np.inf

    def answer(self, document: Document) -> Answer:
        return self.judged(document)

    def judged(self, document: Document) -> Answer:
        """The answer by n-grams, which are counted once."""
        top = self._top(document)
        return self._decided(-distances(self.ranks[top]), len(top)) if len(top) else Answer(UND, reason=NOTHING)

    def decide(self, row: NDArray[np.float64], document: Document) -> Answer:
        return self._decided(row, len(self._top(document)))

    def _decided(self, row: NDArray[np.float64], grams: int) -> Answer:
        """The nearest label, unless it is beyond its border; ``grams`` is how many n-grams the distance is summed over."""
        best = int(np.argmax(row))
        label, encoding = label_parts(self.labels[best])
        found = Answer(label, float(row[best]), encoding)
        if -row[best] > self.border(best) * grams:
            return Answer(UND, found.score, reason="farther than the border from every language")
        near = np.flatnonzero(-row <= self.settings.factor * -row[best])
        order = near[np.argsort(-row[near], kind="stable")]
        others = dict.fromkeys(label_parts(self.labels[i])[0] for i in order)  # a language once, whatever its encodings
        return replace(found, alternatives=tuple(label for label in others if label != found.label))

    def average_distance(self, row: NDArray[np.float64], document: Document) -> float:
        """The distance of the best label for each n-gram of a document: what a border is held against."""
        return float(-row.max()) / max(len(self._top(document)), 1)

    def _top(self, document: Document) -> NDArray[np.int64]:
        """Numbers of the document's commonest n-grams, the commonest first, -1 for unknown ones."""
        counted = self.settings.grams.count(document)
        return self.vocabulary.find(counted.keys[_ranked(counted, self.settings)])

    def own_borders(self, corpus: Corpus, quantile: float) -> NDArray[np.float64]:
        """For each label a quantile of the average distances of its own documents (Cai 2009, 6.2.1); none without any."""
        borders = np.full(len(self.labels), np.inf)
        for number, label in enumerate(self.labels):
            tops = [top for document in corpus.get(label, ()) if len(top := self._top(document))]
            own = [distances(self.ranks[top][:, [number]])[0] / len(top) for top in tops]
            if own:
                borders[number] = np.quantile(own, quantile)
        return borders


def distances(ranks: NDArray[np.int32]) -> NDArray[np.float64]:
    """Equation 0.1: the sum over a document's n-grams, ranked from 1, of how far each is from its place with a label.

    >>> distances(np.array([[1, 3], [3, 1]]))
    array([1., 3.])
    """
    out: NDArray[np.float64] = np.abs(ranks - np.arange(1, len(ranks) + 1)[:, None]).sum(0).astype(np.float64)
    return out


def _ranked(counted: Counted, settings: RankOrderSettings) -> NDArray[np.int64]:
    """Places of the commonest n-grams, the commonest first; of equally common ones that which comes first in the text."""
    order = np.lexsort((counted.firsts, -counted.counts))
    enough: NDArray[np.int64] = order[counted.counts[order] >= settings.least][: settings.profile]
    return enough


def _profile_names(documents: Sequence[Document], settings: RankOrderSettings) -> list[str]:
    """The commonest n-grams of some documents."""
    keys = [settings.grams.keys(document) for document in documents]
    unique, firsts, counts = np.unique(np.concatenate(keys), return_index=True, return_counts=True)
    places = firsts[_ranked(Counted(unique, counts, firsts), settings)]
    ends = np.cumsum([len(part) for part in keys])
    owners = np.searchsorted(ends, places, side="right")
    found: dict[int, str] = {}
    for owner in np.unique(owners).tolist():
        names = settings.grams.names(documents[owner])
        start = ends[owner] - len(keys[owner])
        found |= {place: names[place - start] for place in places[owners == owner].tolist()}
    return [found[place] for place in places.tolist()]
