"""Common words (Grefenstette 1995; Cai 2009, 2.1.1): short words that are frequent in a language, by their probability.

Words of less than six characters that occur more than three times are kept; any other word has a least probability.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.methods.corpus import Corpus, table
from webtongue.methods.counts import CountMethod, Sparse, sparse_counts
from webtongue.methods.document import Document
from webtongue.methods.grams import Grams

__all__ = ["CommonWords", "CommonWordsSettings"]


@dataclass(frozen=True, slots=True)
class CommonWordsSettings:
    grams: Grams = field(default_factory=lambda: Grams(unit="word", fold=True))
    longest: int = 5  # characters of a word that is kept, at most
    least: int = 4  # occurrences in a language of a word that is kept
    least_probability: float = 0.0  # probability of any other word; 0: half that of the rarest word kept


@dataclass(frozen=True)
class CommonWords(CountMethod):
    name: ClassVar[str] = "common_words"
    answering: ClassVar[frozenset[str]] = frozenset({"least_probability"})

    settings: CommonWordsSettings

    @classmethod
    def learn(cls, corpus: Corpus, settings: CommonWordsSettings) -> Self:
        counted = table(corpus, settings.grams)
        counts = counted.by_label()
        common = np.flatnonzero(np.asarray(counts.max(0).todense()).ravel() >= settings.least)
        names = counted.names(common)
        columns = common[[len(name) <= settings.longest for name in names]]
        kept = sparse_counts(counted, columns)
        enough = kept["counts"] >= settings.least
        kept["starts"] = np.concatenate([[0], np.cumsum(enough)])[kept["starts"]].astype(np.uint32)
        return cls(
            settings, counted.labels, kept["names"], kept["starts"], kept["owners"][enough], kept["counts"][enough]
        )

    @cached_property
    def _logs(self) -> Sparse:
        """How much likelier than another word each word of a label is, in logarithms."""
        shares = self.entries.with_values(lambda values, owners: values / self.totals[owners])
        least = self.settings.least_probability or float(shares.values.min(initial=1.0)) / 2
        return shares.with_values(lambda values, _: np.log(values / least))

    def row(self, document: Document) -> NDArray[np.float64] | None:
        """Sums of logarithms, those of the least probability left out: all labels have as many of them."""
        numbers, counts, _ = self.vocabulary.count(document)
        return self._logs.add_up(numbers, counts) if len(numbers) else None
