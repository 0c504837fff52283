"""Markov models (Dunning 1994; Cai 2009, 2.1.2; Baykan 2013, 2.2): the probability of each byte given the k bytes before it.

The score is the log probability of the document after its first k bytes: the sum over its (k+1)-grams of
log((count of the (k+1)-gram + 1) / (count of its first k bytes + size of the alphabet)), Dunning's estimate.

A model of bytes covers one encoding. The training text is Unicode, so bytes and pages, in EUC-JP for example, are decoded as in the
default identifier and counted in UTF-8. Models for encodings (labels `language_Script_encoding`) count bytes unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import UsageError
from webtongue.lab.methods.base import split_label
from webtongue.lab.methods.corpus import Corpus, count_corpus
from webtongue.lab.methods.counts import CountMethod, SparseRows, select_counts
from webtongue.lab.methods.document import Document, TextBytes, read_text
from webtongue.lab.methods.grams import Grams, Vocabulary

__all__ = ["Markov", "MarkovSettings"]

TRIGRAMS = Grams(unit="byte", sizes=(3,))


@dataclass(frozen=True, slots=True)
class MarkovSettings:
    order: int = 2  # k: 1 or 2 are best in Dunning's figures
    alphabet: int = 256
    least: int = 1  # minimum count of a (k+1)-gram
    grams: Grams = TRIGRAMS  # sizes follow the order
    decode: bool = True  # decode bytes and pages first; False counts their bytes unchanged


@dataclass(frozen=True)
class Markov(CountMethod):
    """Counts of (k+1)-grams; the counts of contexts of k bytes are their sums."""

    name: ClassVar[str] = "markov"
    answer_settings: ClassVar[frozenset[str]] = frozenset({"alphabet"})

    settings: MarkovSettings

    @classmethod
    def learn(cls, corpus: Corpus, settings: MarkovSettings) -> Self:
        grams = replace(settings.grams, sizes=(settings.order + 1,), edges="plain")
        if settings.grams != grams and (settings.grams.sizes, settings.grams.edges) != (TRIGRAMS.sizes, TRIGRAMS.edges):
            raise UsageError("the n-grams of markov follow from its order: set order instead of sizes or edges")
        encoded = any(split_label(label)[1] for label in corpus)
        settings = replace(settings, grams=grams, decode=settings.decode and not encoded)
        documents = {label: [_prepare_document(document, settings) for document in corpus[label]] for label in corpus}
        counted = count_corpus(documents, grams)
        return cls(settings, counted.labels, **select_counts(counted, counted.top(0, settings.least)))

    def check(self) -> None:
        super().check()
        if any(len(name) != self.settings.order + 1 for name in self.names):
            raise ValueError("the length of n-grams does not match the order")

    @cached_property
    def _present(self) -> SparseRows:
        return self.entries.with_values(lambda values, _: np.log(values + 1))

    @cached_property
    def _before(self) -> tuple[Vocabulary, SparseRows]:
        """Contexts: the first k of each (k+1)-gram, and log(count + alphabet) - log(alphabet) of their entries."""
        numbers: dict[str, int] = {}
        rows = np.array([numbers.setdefault(name[:-1], len(numbers)) for name in self.names], np.int64)
        entry_rows = np.repeat(rows, np.diff(self.entries.starts))
        cells, inverse = np.unique(entry_rows * len(self.labels) + self.entries.owners, return_inverse=True)
        sums = np.bincount(inverse.ravel(), self.entries.values, len(cells))
        starts = np.searchsorted(cells, np.arange(len(numbers) + 1) * len(self.labels))
        logs = np.log1p(sums / self.settings.alphabet)
        before = SparseRows(starts, cells % len(self.labels), logs, len(self.labels))
        return Vocabulary(replace(self.settings.grams, sizes=(max(1, self.settings.order),)), tuple(numbers)), before

    def row(self, document: Document) -> NDArray[np.float64] | None:
        grams = self.settings.grams
        text: Any = grams.prepare(_prepare_document(document, self.settings))
        is_bytes = grams.unit == "byte"
        text = TextBytes(text.encode("latin-1")) if is_bytes else text
        numbers, counts, counted = self.vocabulary.count(text)
        if not len(numbers):
            return None
        row = self._present.sum_rows(numbers, counts) - counted.total * np.log(self.settings.alphabet)
        if not self.settings.order:
            scores: NDArray[np.float64] = row - counted.total * np.log1p(self.totals / self.settings.alphabet)
            return scores
        vocabulary, context_rows = self._before
        numbers, counts, _ = vocabulary.count(TextBytes(text[:-1]) if is_bytes else text[:-1])
        scores = row - context_rows.sum_rows(numbers, counts)
        return scores


def _prepare_document(document: Document, settings: MarkovSettings) -> Document:
    """Return the document as it is counted: decoded, unless the settings ask for its bytes."""
    if settings.decode:
        return read_text(document)
    return TextBytes(document) if isinstance(document, bytes) else document
