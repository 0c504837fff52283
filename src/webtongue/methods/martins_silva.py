"""Martins and Silva (2005): n-grams of web pages with six heuristics, compared by Lin's similarity.

As told in Chew 2011 section 2.1, Cai 2009 section 2.3.2 (weights) and Baykan 2013 section 6.2 (declarations): i. text, markup and
metadata are extracted; ii. a declared language other than English is believed; iii. common strings are left out; iv. n-grams
of the title count three times, of metadata twice; v. below 40 characters nothing is said; vi. where it is hard to decide, the
largest block counts three times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue import coding, markup
from webtongue.hints.declared import declared_language
from webtongue.markup import Syntax, noise
from webtongue.methods.base import UND, Answer, Method
from webtongue.methods.corpus import Corpus, table
from webtongue.methods.document import Document, page_of
from webtongue.methods.grams import Grams, Vocabulary

__all__ = ["Extracted", "MartinsSilva", "MartinsSilvaSettings", "extract", "lin"]

ENGLISH = "eng_Latn"  # declared by editors without being asked, and so not believed
LEFT_OUT = frozenset({"common", "numbers", "symbols"})
SHORT = "fewer characters of text than it takes"


@dataclass(frozen=True, slots=True)
class MartinsSilvaSettings:
    """``clear`` is how much more similar the best language must be than the next not to be hard to decide: the papers do not
    say."""

    grams: Grams = field(default_factory=lambda: Grams(sizes=(1, 2, 3, 4, 5), edges="pad", fold=True))
    profile: int = 400
    title: int = 3
    metadata: int = 2
    largest: int = 3
    least: int = 40
    clear: float = 1.05
    declared: bool = True


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a document gives: texts with their weights, the largest block, the declared language."""

    texts: tuple[tuple[str, int], ...]
    largest: str = ""
    declared: str = ""

    @property
    def size(self) -> int:
        return sum(len(text.strip()) for text, _ in self.texts)


@dataclass(frozen=True)
class MartinsSilva(Method):
    """``profiles`` says of each label which n-grams are in its profile, ``information`` is -log P of each n-gram."""

    name: ClassVar[str] = "martins_silva"
    answering: ClassVar[frozenset[str]] = frozenset({"title", "metadata", "largest", "least", "clear", "declared"})

    settings: MartinsSilvaSettings
    names: tuple[str, ...]
    profiles: NDArray[np.uint8]
    information: NDArray[np.float64]
    unseen: NDArray[np.float64]

    @classmethod
    def learn(cls, corpus: Corpus, settings: MartinsSilvaSettings) -> Self:
        """P is the share of an n-gram in the training text, each label weighing the same."""
        counted = table(corpus, settings.grams)
        counts = counted.by_label()
        kept = [_top(counts[i].indices, counts[i].data, settings.profile) for i in range(len(counted.labels))]
        columns = np.unique(np.concatenate(kept))
        profiles = np.array([np.isin(columns, found) for found in kept], np.uint8)
        totals = np.asarray(counts.sum(1)).ravel()
        shares = np.asarray(counts[:, columns].multiply(1 / np.maximum(totals, 1)[:, None]).sum(0)).ravel()
        information = -np.log(shares / len(counted.labels))
        return cls(
            settings,
            counted.labels,
            counted.names(columns),
            profiles,
            information,
            np.array([np.log(totals.sum() + 1)]),
        )

    def check(self) -> None:
        if self.profiles.shape != (len(self.labels), len(self.names)) or self.information.shape != (len(self.names),):
            raise ValueError("profiles are not those of the labels")
        if self.unseen.shape != (1,):
            raise ValueError("there is one information of what is not seen")

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.settings.grams, self.names)

    @cached_property
    def _own(self) -> NDArray[np.float64]:
        """The information of each profile."""
        return self.profiles @ self.information

    def row(self, document: Document) -> NDArray[np.float64] | None:
        return self._similar(extract(document, self.settings).texts)

    def answer(self, document: Document) -> Answer:
        found = extract(document, self.settings)
        if self.settings.declared and found.declared in self.labels and found.declared != ENGLISH:
            return Answer(found.declared, 1.0)
        row = self._similar(found.texts)
        if row is None or found.size < self.settings.least:
            return Answer(UND, reason=SHORT)
        if found.largest and not self._clear(row):
            again = self._similar((*found.texts, (found.largest, self.settings.largest - 1)))
            row = row if again is None else again
        best = int(np.argmax(row))
        return Answer(self.labels[best], float(row[best]))

    def _clear(self, row: NDArray[np.float64]) -> bool:
        if len(row) < 2:
            return True
        second, best = np.sort(row)[-2:]
        return bool(best >= self.settings.clear * second)

    def _similar(self, texts: Sequence[tuple[str, int]]) -> NDArray[np.float64] | None:
        """Lin's similarity of the commonest n-grams of some weighted texts with every profile."""
        counted = [(self.settings.grams.count(text), weight) for text, weight in texts]
        keys = np.concatenate([np.empty(0, np.uint64), *(found.keys for found, _ in counted)])
        if not len(keys):
            return None
        weights = np.concatenate([found.counts * weight for found, weight in counted])
        unique, numbers = np.unique(keys, return_inverse=True)
        top = _top(unique, np.bincount(numbers, weights), self.settings.profile)
        known = self.vocabulary.find(top)
        seen = known[known >= 0]
        mine = self.information[seen].sum() + self.unseen[0] * (len(known) - len(seen))
        shared = self.profiles[:, seen] @ self.information[seen]
        return lin(shared, float(mine), self._own)


def lin(shared: NDArray[np.float64], first: float, second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lin (1998): twice the information of what is shared, over the information of both.

    >>> lin(np.array([2.0, 0.0]), 3.0, np.array([5.0, 4.0]))
    array([0.5, 0. ])
    """
    return 2 * shared / np.maximum(first + second, 1e-12)


def extract(document: Document, settings: MartinsSilvaSettings) -> Extracted:
    """Heuristics i to iv; a str is text of weight one."""
    if isinstance(document, str):
        return Extracted(((document, 1),))
    scanned, _ = coding.decode(markup.read(page_of(document)))
    if scanned.syntax is Syntax.NONE:
        return Extracted(())
    noise.mark(scanned.scan)
    kept = [block for block in scanned.blocks if block.kind != "alt" and not LEFT_OUT.intersection(block.noise)]
    weights = {"title": settings.title, "meta": settings.metadata}
    texts = tuple((block.text, weights.get(block.kind, 1)) for block in kept)
    largest = max((block.text for block in kept if block.kind not in weights), key=len, default="")
    said = declared_language(scanned.claims)
    declared = said.labels[0] if said and len(said.labels) == 1 else ""
    return Extracted(texts, largest, declared)


def _top(names: NDArray[Any], counts: NDArray[Any], most: int) -> NDArray[Any]:
    """The commonest; of equally common ones the first in order."""
    return names[np.lexsort((names, -counts.astype(np.float64)))[:most]]
