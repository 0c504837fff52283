"""Training and validation corpora of chew2011."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from character_parser import character_text
from made_pages import MadePage, language_of

import webtongue
from webtongue.methods.document import tagless
from webtongue.train.corpus.read import DROPPED_LABELS, FOLDS, SYNTHETIC, entries, read_corpus

# Characters of a model's text, the length of a Declaration: a longer text has more codons and matches more of anything.
LONGEST = 12_000
A = ("udhr",)
B = ("ebible", "bible2")

Texts = dict[str, list[str]]


@dataclass(frozen=True)
class Training:
    """Training text by corpus and label; ``b`` is of validation languages only, ``bible`` of every label."""

    a: Texts
    b: Texts
    bible: Texts

    @classmethod
    def read(cls, folder: Path, wanted: set[str]) -> Training:
        """Their B was collected to fill gaps: here too, and where there is no Bible from the largest other source."""
        a, bible = texts(folder, A), texts(folder, B)
        languages = {language_of(label) for label in wanted}
        b = {label: documents for label, documents in bible.items() if language_of(label) in languages}
        for source, found in sorted(largest(folder, wanted - set(a) - set(b)).items()):
            b |= texts(folder, [source], found)
        return cls(a, b, bible)

    @property
    def ab(self) -> Texts:
        return joined(self.a, self.b)

    @property
    def every(self) -> Texts:
        return joined(self.a, self.b, self.bible)


def largest(folder: Path, wanted: set[str]) -> dict[str, list[str]]:
    """Labels by the source, neither A nor B nor synthetic, that has most text of them."""
    sizes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for entry in entries(folder):
        label = FOLDS.get(entry.label, entry.label)
        if label in wanted and entry.label not in DROPPED_LABELS and entry.source not in {*A, *B, *SYNTHETIC}:
            sizes[label][entry.source] += entry.path.stat().st_size
    out: defaultdict[str, list[str]] = defaultdict(list)
    for label, found in sorted(sizes.items()):
        out[max(sorted(found), key=found.__getitem__)].append(label)
    return out


def texts(folder: Path, sources: Sequence[str], wanted: Sequence[str] | None = None) -> Texts:
    """A passage of each label, from the first source that has it."""
    found = read_corpus(folder, only=frozenset(sources), labels=wanted).of_label()
    return {
        label: [passage(next(iter(by_source.values())))]
        for label, by_source in found.items()
        if any(by_source.values())
    }


def passage(lines: Sequence[str]) -> str:
    """At most LONGEST characters in a row, from the middle: theirs were passages too. Lines picked from all over a large source
    have far more codons than a Declaration of the same length, and draw other languages."""
    text = "\n".join(lines)
    start = max(0, len(text) - LONGEST) // 2
    return text[start : start + LONGEST]


def joined(*corpora: Texts) -> Texts:
    """Texts of a label in several corpora make one model, no longer than one text."""
    out: defaultdict[str, list[str]] = defaultdict(list)
    for corpus in corpora:
        for label, documents in corpus.items():
            out[label] += documents
    return {label: ["\n".join(found)[:LONGEST]] for label, found in out.items()}


@dataclass(frozen=True)
class Validation:
    """Pages, what of them was made, their text by each parser, and whether an answer is right."""

    pages: list[MadePage]
    generated: str = ""

    @cached_property
    def texts(self) -> dict[str, list[bytes]]:
        """By characters; by bytes with references as written; by bytes with references converted."""
        raws = [page.raw for page in self.pages]
        return {
            "character": [character_text(raw) for raw in raws],
            "byte": [tagless(raw, references=False) for raw in raws],
            "byte, converter": [tagless(raw, references=True) for raw in raws],
        }

    @cached_property
    def verdicts(self) -> list[str]:
        """The answers of the default identifier."""
        return [verdict.label for verdict in webtongue.identify_many([page.raw for page in self.pages])]

    @cached_property
    def default(self) -> list[bool]:
        """Whether they are right."""
        return self.right(self.verdicts)

    @cached_property
    def uniform(self) -> list[bool]:
        """The same with uniform priors, for here a rare language has as many pages as English."""
        identifier = webtongue.Identifier(priors="uniform")
        return self.right(verdict.label for verdict in identifier.identify_many([page.raw for page in self.pages]))

    @property
    def labels(self) -> set[str]:
        return {page.label for page in self.pages}

    @property
    def languages(self) -> set[str]:
        return {language_of(label) for label in self.labels}

    def right(self, answers: Iterable[str]) -> list[bool]:
        return [language_of(said) == language_of(page.label) for said, page in zip(answers, self.pages, strict=True)]
