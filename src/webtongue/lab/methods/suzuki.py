"""Suzuki, Mikami, Ohsato and Chubachi (2002), as in Chew, Mikami and Nagano (2011): byte trigrams and R-values.

A model is the *set* of 3-byte shift-codons of a training text in one language, script and encoding; R is the share of a
document's codons that are in the set (Chew 2011, equation 1). Only the document has frequencies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import UsageError
from webtongue.lab.methods.base import UND, Answer, Method
from webtongue.lab.methods.corpus import Corpus
from webtongue.lab.methods.document import Document, TextBytes, find_wide_encoding, read_bytes
from webtongue.lab.methods.encoded_texts import encode_corpus

__all__ = ["Suzuki", "SuzukiSettings", "extract_codons"]

RULES = ("best", "bounds")
SEPARATOR = b"\n"  # between the documents of one model
UNABLE_TO_DETECT = "unable to detect"


@dataclass(frozen=True, slots=True)
class SuzukiSettings:
    """``rule``: "best" answers the label with the highest R (Chew 2011); "bounds" only if it is above ``upper`` and the R of every
    other language below ``lower`` (Suzuki 2002). Labels with less than ``min_bytes`` of training text in UTF-8 are left out."""

    rule: str = "best"
    upper: float = 0.95
    lower: float = 0.92
    min_bytes: int = 0

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise UsageError(f"rule must be {' or '.join(RULES)}, not {self.rule}")


@dataclass(frozen=True)
class Suzuki(Method):
    """Models by codon: ``models[starts[i]:starts[i + 1]]`` are the numbers of the labels that have ``codons[i]``."""

    name: ClassVar[str] = "suzuki"
    answer_settings: ClassVar[frozenset[str]] = frozenset({"rule", "upper", "lower"})
    # Half the length of the shortest Declaration of Chew 2011. The set of a shorter text has so few codons that the models of other
    # languages match its pages better.
    training_settings: ClassVar[Mapping[str, Any]] = {"min_bytes": 2000}

    settings: SuzukiSettings
    codons: NDArray[np.uint32]
    starts: NDArray[np.uint32]
    models: NDArray[np.uint16]

    @classmethod
    def learn(cls, corpus: Corpus, settings: SuzukiSettings) -> Self:
        """Return a model for each encoding of a label's text; a label with an encoding has bytes and one model."""
        left_out = cls.find_left_out(corpus, settings)
        kept = {label: documents for label, documents in corpus.items() if label not in left_out}
        if left_out and not kept:
            raise UsageError(
                f"every label has less than {settings.min_bytes:,} bytes of text: lower the setting min_bytes"
            )
        texts = encode_corpus({label: documents for label, documents in kept.items() if label.count("_") < 2})
        for label in kept.keys() - texts.keys():
            if label.count("_") > 1:
                texts[label] = [TextBytes(d if isinstance(d, bytes) else read_bytes(d)) for d in kept[label]]
        labels = tuple(sorted(texts))
        if not 0 < len(labels) < 1 << 16:
            raise UsageError(f"{len(labels)} models: the number must be from 1 to 65,535")
        sets = [np.unique(extract_codons(SEPARATOR.join(texts[label]))) for label in labels]
        numbers = np.repeat(np.arange(len(labels), dtype=np.uint16), [len(codon_set) for codon_set in sets])
        all_codons = np.concatenate(sets)
        order = np.argsort(all_codons, kind="stable")
        unique_codons, firsts = np.unique(all_codons[order], return_index=True)
        starts = np.append(firsts, len(all_codons)).astype(np.uint32)
        return cls(settings, labels, unique_codons, starts, numbers[order])

    @classmethod
    def find_left_out(cls, corpus: Corpus, settings: SuzukiSettings) -> dict[str, int]:
        """Return the labels whose text is too short for a model, with its length in bytes."""
        sizes = {label: sum(len(read_bytes(document)) for document in corpus[label]) for label in sorted(corpus)}
        return {label: size for label, size in sizes.items() if size < settings.min_bytes}

    def check(self) -> None:
        if len(self.starts) != len(self.codons) + 1 or self.starts[0] != 0 or self.starts[-1] != len(self.models):
            raise ValueError("numbers of codons and models differ")
        if np.any(np.diff(self.starts.astype(np.int64)) < 0) or np.any(np.diff(self.codons.astype(np.int64)) <= 0):
            raise ValueError("codons are not sorted")
        if len(self.models) and self.models.max() >= len(self.labels):
            raise ValueError("a codon refers to a model that does not exist")

    def row(self, document: Document) -> NDArray[np.float64] | None:
        """Return R of every model (equation 1), or None for a document of fewer than three bytes."""
        document_codons, counts = np.unique(extract_codons(read_bytes(document)), return_counts=True)
        if not len(document_codons):
            return None
        positions = np.minimum(np.searchsorted(self.codons, document_codons), max(len(self.codons) - 1, 0))
        is_known = (
            self.codons[positions] == document_codons if len(self.codons) else np.zeros(len(document_codons), bool)
        )
        begins, ends = (
            self.starts[positions[is_known]].astype(np.int64),
            self.starts[positions[is_known] + 1].astype(np.int64),
        )
        lengths = ends - begins
        indices = np.repeat(ends - np.cumsum(lengths), lengths) + np.arange(lengths.sum())
        matched = np.bincount(self.models[indices], np.repeat(counts[is_known], lengths), len(self.labels))
        rates: NDArray[np.float64] = matched / counts.sum()
        return rates

    def decide(self, row: NDArray[np.float64], document: Document) -> Answer:
        """Return the answer by the rule. The bounds rule compares with models of other languages and scripts only: two encodings of
        one language agree on ASCII, and would exclude each other."""
        best = super().decide(row, document)
        if best.score == 0:
            return Answer(UND, reason="no codon of it is known")
        if best.encoding == "utf-8" and (wide := find_wide_encoding(document)):
            best = replace(best, encoding=wide)  # the page was read as UTF-8
        if self.settings.rule == "best":
            return best
        is_other = np.array([not label.startswith(best.label + "_") for label in self.labels])
        if row.max() > self.settings.upper and row[is_other].max(initial=0) < self.settings.lower:
            return best
        return Answer(UND, best.score, reason=UNABLE_TO_DETECT)


def extract_codons(raw: bytes) -> NDArray[np.uint32]:
    """Return every three consecutive bytes as one number, in the order of the text.

    >>> [f"{codon:06X}" for codon in extract_codons(bytes.fromhex("82B182F1"))]
    ['82B182', 'B182F1']
    """
    bytes_ = np.frombuffer(raw, np.uint8).astype(np.uint32)
    high_shift, low_shift = np.uint32(16), np.uint32(8)
    return (bytes_[:-2] << high_shift) | (bytes_[1:-1] << low_shift) | bytes_[2:]
