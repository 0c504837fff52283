"""Markov models (Dunning 1994; Cai 2009, 2.1.2; Baykan 2013, 2.2): how likely each byte is after the k bytes before it.

The score is the log probability of the document, its first k bytes apart: the sum over its (k+1)-grams of
log((count of the (k+1)-gram + 1) / (count of its first k bytes + size of the alphabet)), Dunning's estimate.

A model of bytes knows one encoding only. Text to learn from is Unicode, so all that is not yet text, a page in EUC-JP say, is
decoded as the default identifier does it, and its bytes are those of UTF-8. Models that are made for encodings (labels
`language_Script_encoding`) take bytes as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import UsageError
from webtongue.methods.base import label_parts
from webtongue.methods.corpus import Corpus, table
from webtongue.methods.counts import CountMethod, Sparse, sparse_counts
from webtongue.methods.document import Document, text_of
from webtongue.methods.grams import Grams, Vocabulary

__all__ = ["Markov", "MarkovSettings"]

TRIGRAMS = Grams(unit="byte", sizes=(3,))


@dataclass(frozen=True, slots=True)
class MarkovSettings:
    order: int = 2  # k: 1 or 2 are best in Dunning's figures
    alphabet: int = 256
    least: int = 1  # occurrences of a (k+1)-gram that is kept
    grams: Grams = TRIGRAMS  # sizes follow the order
    decode: bool = True  # bytes and pages are decoded first; False takes their bytes, whatever encoding they are in


@dataclass(frozen=True)
class Markov(CountMethod):
    """Counts of (k+1)-grams; those of the k bytes before are their sums."""

    name: ClassVar[str] = "markov"
    answering: ClassVar[frozenset[str]] = frozenset({"alphabet"})

    settings: MarkovSettings

    @classmethod
    def learn(cls, corpus: Corpus, settings: MarkovSettings) -> Self:
        grams = replace(settings.grams, sizes=(settings.order + 1,), edges="plain")
        if settings.grams != grams and (settings.grams.sizes, settings.grams.edges) != (TRIGRAMS.sizes, TRIGRAMS.edges):
            raise UsageError("n-grams of markov have one more than its order and slide over the text: set order")
        encoded = any(label_parts(label)[1] for label in corpus)
        settings = replace(settings, grams=grams, decode=settings.decode and not encoded)
        documents = {label: [_read(document, settings) for document in corpus[label]] for label in corpus}
        counted = table(documents, grams)
        return cls(settings, counted.labels, **sparse_counts(counted, counted.top(0, settings.least)))

    def check(self) -> None:
        super().check()
        if any(len(name) != self.settings.order + 1 for name in self.names):
            raise ValueError("n-grams are not of the model's order")

    @cached_property
    def _present(self) -> Sparse:
        return self.entries.with_values(lambda values, _: np.log(values + 1))

    @cached_property
    def _before(self) -> tuple[Vocabulary, Sparse]:
        """The first k of each (k+1)-gram, and log(count + alphabet) - log(alphabet) where a label has them."""
        numbers: dict[str, int] = {}
        rows = np.array([numbers.setdefault(name[:-1], len(numbers)) for name in self.names], np.int64)
        entry_rows = np.repeat(rows, np.diff(self.entries.starts))
        cells, inverse = np.unique(entry_rows * len(self.labels) + self.entries.owners, return_inverse=True)
        sums = np.bincount(inverse.ravel(), self.entries.values, len(cells))
        starts = np.searchsorted(cells, np.arange(len(numbers) + 1) * len(self.labels))
        logs = np.log1p(sums / self.settings.alphabet)
        before = Sparse(starts, cells % len(self.labels), logs, len(self.labels))
        return Vocabulary(replace(self.settings.grams, sizes=(max(1, self.settings.order),)), tuple(numbers)), before

    def row(self, document: Document) -> NDArray[np.float64] | None:
        grams = self.settings.grams
        text: Any = grams.prepared(_read(document, self.settings))
        text = text.encode("latin-1") if grams.unit == "byte" else text
        numbers, counts, counted = self.vocabulary.count(text)
        if not len(numbers):
            return None
        row = self._present.add_up(numbers, counts) - counted.total * np.log(self.settings.alphabet)
        if not self.settings.order:
            found: NDArray[np.float64] = row - counted.total * np.log1p(self.totals / self.settings.alphabet)
            return found
        vocabulary, before = self._before
        numbers, counts, _ = vocabulary.count(text[:-1])
        found = row - before.add_up(numbers, counts)
        return found


def _read(document: Document, settings: MarkovSettings) -> Document:
    """A document as it is counted: decoded, unless its bytes are wanted."""
    return text_of(document) if settings.decode else document
