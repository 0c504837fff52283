"""Suzuki, Mikami, Ohsato and Chubachi (2002), as in Chew, Mikami and Nagano (2011): byte trigrams and R-values.

A model is the *set* of 3-byte shift-codons of a training text in one language, script and encoding; R is the share of a
document's codons that are in the set (Chew 2011, equation 1). Only the document has frequencies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import UsageError
from webtongue.methods.base import UND, Answer, Method
from webtongue.methods.corpus import Corpus
from webtongue.methods.document import Document, bytes_of
from webtongue.methods.writings import written

__all__ = ["Suzuki", "SuzukiSettings", "codons"]

RULES = ("best", "bounds")
CUT = b"\n"  # between documents of one model
UNABLE = "unable to detect"


@dataclass(frozen=True, slots=True)
class SuzukiSettings:
    """``rule``: "best" answers the highest R (Chew 2011); "bounds" only if that is above ``upper`` and the R of every other
    language below ``lower`` (Suzuki 2002)."""

    rule: str = "best"
    upper: float = 0.95
    lower: float = 0.92

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise UsageError(f"a rule is {' or '.join(RULES)}, not {self.rule}")


@dataclass(frozen=True)
class Suzuki(Method):
    """Models by codon: ``models[starts[i]:starts[i + 1]]`` are the numbers of the labels that have ``codons[i]``."""

    name: ClassVar[str] = "suzuki"
    answering: ClassVar[frozenset[str]] = frozenset({"rule", "upper", "lower"})

    settings: SuzukiSettings
    codons: NDArray[np.uint32]
    starts: NDArray[np.uint32]
    models: NDArray[np.uint16]

    @classmethod
    def learn(cls, corpus: Corpus, settings: SuzukiSettings) -> Self:
        """A model for each encoding that holds a label's text; a label that names its encoding has bytes and one model."""
        texts = written({label: documents for label, documents in corpus.items() if label.count("_") < 2})
        for label in corpus.keys() - texts.keys():
            if label.count("_") > 1:
                texts[label] = [bytes_of(document) for document in corpus[label]]
        labels = tuple(sorted(texts))
        if not 0 < len(labels) < 1 << 16:
            raise UsageError(f"{len(labels)} models; from 1 to 65,535 can be fitted")
        sets = [np.unique(codons(CUT.join(texts[label]))) for label in labels]
        numbers = np.repeat(np.arange(len(labels), dtype=np.uint16), [len(found) for found in sets])
        every = np.concatenate(sets)
        order = np.argsort(every, kind="stable")
        known, firsts = np.unique(every[order], return_index=True)
        starts = np.append(firsts, len(every)).astype(np.uint32)
        return cls(settings, labels, known, starts, numbers[order])

    def check(self) -> None:
        if len(self.starts) != len(self.codons) + 1 or self.starts[0] != 0 or self.starts[-1] != len(self.models):
            raise ValueError("codons and models do not fit together")
        if np.any(np.diff(self.starts.astype(np.int64)) < 0) or np.any(np.diff(self.codons.astype(np.int64)) <= 0):
            raise ValueError("codons are not in order")
        if len(self.models) and self.models.max() >= len(self.labels):
            raise ValueError("a codon names a model that is not there")

    def row(self, document: Document) -> NDArray[np.float64] | None:
        """Equation 1 for every model; None for a document without three bytes."""
        found, counts = np.unique(codons(bytes_of(document)), return_counts=True)
        if not len(found):
            return None
        at = np.minimum(np.searchsorted(self.codons, found), max(len(self.codons) - 1, 0))
        hit = self.codons[at] == found if len(self.codons) else np.zeros(len(found), bool)
        begins, ends = self.starts[at[hit]].astype(np.int64), self.starts[at[hit] + 1].astype(np.int64)
        lengths = ends - begins
        places = np.repeat(ends - np.cumsum(lengths), lengths) + np.arange(lengths.sum())
        matched = np.bincount(self.models[places], np.repeat(counts[hit], lengths), len(self.labels))
        rates: NDArray[np.float64] = matched / counts.sum()
        return rates

    def decide(self, row: NDArray[np.float64], document: Document) -> Answer:
        """The rest of the bounds rule are the models of other languages and scripts: two encodings of one language agree on
        all that is ASCII, and would bar each other."""
        found = super().decide(row, document)
        if found.score == 0:
            return Answer(UND, reason="no codon of it is known")
        if self.settings.rule == "best":
            return found
        rest = np.array([not label.startswith(found.label + "_") for label in self.labels])
        if row.max() > self.settings.upper and row[rest].max(initial=0) < self.settings.lower:
            return found
        return Answer(UND, found.score, reason=UNABLE)


def codons(raw: bytes) -> NDArray[np.uint32]:
    """Every three bytes in a row, in the order of the text, as one number each.

    >>> [f"{codon:06X}" for codon in codons(bytes.fromhex("82B182F1"))]
    ['82B182', 'B182F1']
    """
    line = np.frombuffer(raw, np.uint8).astype(np.uint32)
    first, second = np.uint32(16), np.uint32(8)
    return (line[:-2] << first) | (line[1:-1] << second) | line[2:]
