"""Common words (Grefenstette 1995; Cai 2009, 2.1.1): short words that are frequent in a language, by their probability.

Words of fewer than six characters that occur more than three times are kept; any other word has a minimum probability.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.lab.methods.corpus import Corpus, count_corpus
from webtongue.lab.methods.counts import CountMethod, SparseRows, select_counts
from webtongue.lab.methods.document import Document
from webtongue.lab.methods.grams import Grams

__all__ = ["CommonWords", "CommonWordsSettings"]


@dataclass(frozen=True, slots=True)
class CommonWordsSettings:
    grams: Grams = field(default_factory=lambda: Grams(unit="word", fold=True))
    longest: int = 5  # maximum characters of a word
    least: int = 4  # minimum count of a word in a language
    least_probability: float = 0.0  # probability of any other word; 0: half that of the rarest word kept


@dataclass(frozen=True)
class CommonWords(CountMethod):
    name: ClassVar[str] = "common_words"
    answer_settings: ClassVar[frozenset[str]] = frozenset({"least_probability"})

    settings: CommonWordsSettings

    @classmethod
    def learn(cls, corpus: Corpus, settings: CommonWordsSettings) -> Self:
        counted = count_corpus(corpus, settings.grams)
        counts = counted.sum_by_label()
        common = np.flatnonzero(np.asarray(counts.max(0).todense()).ravel() >= settings.least)
        names = counted.names(common)
        columns = common[[len(name) <= settings.longest for name in names]]
        fields = select_counts(counted, columns)
        is_frequent = fields["counts"] >= settings.least
        fields["starts"] = np.concatenate([[0], np.cumsum(is_frequent)])[fields["starts"]].astype(np.uint32)
        return cls(
            settings,
            counted.labels,
            fields["names"],
            fields["starts"],
            fields["owners"][is_frequent],
            fields["counts"][is_frequent],
        )

    @cached_property
    def _logs(self) -> SparseRows:
        """Log ratio of the probability of each word of a label to the minimum probability."""
        shares = self.entries.with_values(lambda values, owners: values / self.totals[owners])
        min_probability = self.settings.least_probability or float(shares.values.min(initial=1.0)) / 2
        return shares.with_values(lambda values, _: np.log(values / min_probability))

    def row(self, document: Document) -> NDArray[np.float64] | None:
        """Return sums of log ratios; the minimum probability itself contributes equally to all labels and is omitted."""
        numbers, counts, _ = self.vocabulary.count(document)
        return self._logs.sum_rows(numbers, counts) if len(numbers) else None
