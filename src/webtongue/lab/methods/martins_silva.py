"""Martins and Silva (2005): n-grams of web pages with six heuristics, compared by Lin's similarity.

As described in Chew 2011 section 2.1, Cai 2009 section 2.3.2 (weights) and Baykan 2013 section 6.2 (declarations): i. text, markup
and metadata are extracted; ii. a declared language other than English is accepted; iii. common strings are left out; iv. n-grams of
the title count three times, of metadata twice; v. there is no answer below 40 characters; vi. where the decision is unclear, the
largest block counts three times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue import markup
from webtongue.charset import detection
from webtongue.lab.methods.base import UND, Answer, Method
from webtongue.lab.methods.corpus import Corpus, count_corpus
from webtongue.lab.methods.document import Document, to_page
from webtongue.lab.methods.grams import Grams, Vocabulary
from webtongue.markup import Syntax, noise
from webtongue.markup.declarations import declared_language

__all__ = ["Extracted", "MartinsSilva", "MartinsSilvaSettings", "extract", "lin_similarity"]

ENGLISH = "eng_Latn"  # editors declare it by default, so it is not accepted
NOISE_KINDS = frozenset({"common", "numbers", "symbols"})
TOO_SHORT = "fewer characters of text than it takes"


@dataclass(frozen=True, slots=True)
class MartinsSilvaSettings:
    """``clear`` is the ratio of the two best similarities from which a decision is clear; the papers give no value."""

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
    """Parts of a document: texts with their weights, the largest block, the declared language."""

    texts: tuple[tuple[str, int], ...]
    largest: str = ""
    declared: str = ""

    @property
    def size(self) -> int:
        return sum(len(text.strip()) for text, _ in self.texts)


@dataclass(frozen=True)
class MartinsSilva(Method):
    """``profiles`` marks the n-grams in the profile of each label, ``information`` is -log P of each n-gram."""

    name: ClassVar[str] = "martins_silva"
    answer_settings: ClassVar[frozenset[str]] = frozenset(
        {"title", "metadata", "largest", "least", "clear", "declared"}
    )

    settings: MartinsSilvaSettings
    names: tuple[str, ...]
    profiles: NDArray[np.uint8]
    information: NDArray[np.float64]
    unseen: NDArray[np.float64]

    @classmethod
    def learn(cls, corpus: Corpus, settings: MartinsSilvaSettings) -> Self:
        """Return the fitted method. P is the share of an n-gram in the training text, with equal weight for each label."""
        counted = count_corpus(corpus, settings.grams)
        counts = counted.sum_by_label()
        profile_columns = [
            _select_top(counts[i].indices, counts[i].data, settings.profile) for i in range(len(counted.labels))
        ]
        columns = np.unique(np.concatenate(profile_columns))
        profiles = np.array([np.isin(columns, columns_of_label) for columns_of_label in profile_columns], np.uint8)
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
            raise ValueError("numbers of profiles and labels differ")
        if self.unseen.shape != (1,):
            raise ValueError("the information of unseen n-grams is not one number")

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.settings.grams, self.names)

    @cached_property
    def _own(self) -> NDArray[np.float64]:
        """The information of each profile."""
        return self.profiles @ self.information

    def row(self, document: Document) -> NDArray[np.float64] | None:
        return self._score_texts(extract(document, self.settings).texts)

    def answer(self, document: Document) -> Answer:
        extracted = extract(document, self.settings)
        if self.settings.declared and extracted.declared in self.labels and extracted.declared != ENGLISH:
            return Answer(extracted.declared, 1.0)
        row = self._score_texts(extracted.texts)
        if row is None or extracted.size < self.settings.least:
            return Answer(UND, reason=TOO_SHORT)
        if extracted.largest and not self._is_clear(row):
            reweighted = self._score_texts((*extracted.texts, (extracted.largest, self.settings.largest - 1)))
            row = row if reweighted is None else reweighted
        best = int(np.argmax(row))
        return Answer(self.labels[best], float(row[best]))

    def _is_clear(self, row: NDArray[np.float64]) -> bool:
        if len(row) < 2:
            return True
        second, best = np.sort(row)[-2:]
        return bool(best >= self.settings.clear * second)

    def _score_texts(self, texts: Sequence[tuple[str, int]]) -> NDArray[np.float64] | None:
        """Return Lin's similarity of the most common n-grams of weighted texts with every profile."""
        counted = [(self.settings.grams.count(text), weight) for text, weight in texts]
        keys = np.concatenate([np.empty(0, np.uint64), *(counts.keys for counts, _ in counted)])
        if not len(keys):
            return None
        weights = np.concatenate([counts.counts * weight for counts, weight in counted])
        unique, numbers = np.unique(keys, return_inverse=True)
        top = _select_top(unique, np.bincount(numbers, weights), self.settings.profile)
        profile_numbers = self.vocabulary.find(top)
        known_numbers = profile_numbers[profile_numbers >= 0]
        own_information = self.information[known_numbers].sum() + self.unseen[0] * (
            len(profile_numbers) - len(known_numbers)
        )
        shared = self.profiles[:, known_numbers] @ self.information[known_numbers]
        return lin_similarity(shared, float(own_information), self._own)


def lin_similarity(shared: NDArray[np.float64], first: float, second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return twice the information that is shared, divided by the information of both (Lin 1998).

    >>> lin_similarity(np.array([2.0, 0.0]), 3.0, np.array([5.0, 4.0]))
    array([0.5, 0. ])
    """
    return 2 * shared / np.maximum(first + second, 1e-12)


def extract(document: Document, settings: MartinsSilvaSettings) -> Extracted:
    """Return the parts of a document by heuristics i to iv; a str is text of weight one."""
    if isinstance(document, str):
        return Extracted(((document, 1),))
    scanned, _ = detection.decode_page(markup.read(to_page(document)))
    if scanned.syntax is Syntax.NONE:
        return Extracted(())
    noise.mark_noise(scanned.scan)
    blocks = [block for block in scanned.blocks if block.kind != "alt" and not NOISE_KINDS.intersection(block.noise)]
    weights = {"title": settings.title, "meta": settings.metadata}
    texts = tuple((block.text, weights.get(block.kind, 1)) for block in blocks)
    largest = max((block.text for block in blocks if block.kind not in weights), key=len, default="")
    declaration = declared_language(scanned.declarations)
    declared = declaration.labels[0] if declaration and len(declaration.labels) == 1 else ""
    return Extracted(texts, largest, declared)


def _select_top(names: NDArray[Any], counts: NDArray[Any], max_count: int) -> NDArray[Any]:
    """Return the names with the highest counts; ties go to the smaller name."""
    return names[np.lexsort((names, -counts.astype(np.float64)))[:max_count]]
