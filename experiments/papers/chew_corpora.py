"""Training and validation corpora of chew2011."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from character_parser import character_text
from made_pages import MadePage, language_of

import webtongue
from webtongue.methods.corpus import read
from webtongue.methods.document import tagless
from webtongue.train.corpus.read import SYNTHETIC, entries

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
        """Their B was collected to fill gaps: here too, and from other sources where there is no Bible."""
        a, bible = texts(folder, A), texts(folder, B)
        languages = {language_of(label) for label in wanted}
        b = {label: documents for label, documents in bible.items() if language_of(label) in languages}
        others = {entry.source for entry in entries(folder)} - {*A, *B, *SYNTHETIC}
        return cls(a, b | texts(folder, sorted(others), sorted(wanted - set(a) - set(b))), bible)

    @property
    def ab(self) -> Texts:
        return joined(self.a, self.b)

    @property
    def every(self) -> Texts:
        return joined(self.a, self.b, self.bible)


def texts(folder: Path, sources: Sequence[str], wanted: Sequence[str] | None = None) -> Texts:
    """At most LONGEST characters of each label, as one text."""
    found = read(folder, sources, wanted, size=LONGEST)
    return {label: ["\n".join(map(str, documents))[:LONGEST]] for label, documents in found.items()}


def joined(*corpora: Texts) -> Texts:
    """Texts of a label in several corpora make one model, no longer than one text."""
    out: defaultdict[str, list[str]] = defaultdict(list)
    for corpus in corpora:
        for label, documents in corpus.items():
            out[label] += documents
    return {label: ["\n".join(found)[:LONGEST]] for label, found in out.items()}


@dataclass(frozen=True)
class Validation:
    """Pages, their text by each parser, and whether an answer is right."""

    pages: list[MadePage]

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
    def default(self) -> list[bool]:
        """The default identifier."""
        return self._by(webtongue.Identifier())

    @cached_property
    def uniform(self) -> list[bool]:
        """The same with uniform priors, for here a rare language has as many pages as English."""
        return self._by(webtongue.Identifier(priors="uniform"))

    def _by(self, identifier: webtongue.Identifier) -> list[bool]:
        return self.right(verdict.label for verdict in identifier.identify_many([page.raw for page in self.pages]))

    @property
    def labels(self) -> set[str]:
        return {page.label for page in self.pages}

    @property
    def languages(self) -> set[str]:
        return {language_of(label) for label in self.labels}

    def right(self, answers: Iterable[str]) -> list[bool]:
        return [language_of(said) == language_of(page.label) for said, page in zip(answers, self.pages, strict=True)]
