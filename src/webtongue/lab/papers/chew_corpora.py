"""Training and validation corpora of chew2011."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import webtongue
from webtongue.lab.methods.base import Answer
from webtongue.lab.methods.document import strip_tags
from webtongue.lab.methods.suzuki import Suzuki, SuzukiSettings
from webtongue.lab.papers.character_parser import extract_by_characters
from webtongue.lab.papers.chew_languages import fold_language
from webtongue.lab.papers.synthetic_pages import ValidationPage
from webtongue.lab.train.corpus.read import DROPPED_LABELS, FOLDED_LABELS, SYNTHETIC, iter_files, read_corpus

# The length of a Declaration of Human Rights: a longer text has more codons and matches any text better.
MAX_MODEL_CHARS = 12_000
CORPUS_A = ("udhr",)
CORPUS_B = ("ebible", "bible2")

Texts = dict[str, list[str]]


@dataclass(frozen=True)
class Training:
    """Training text by corpus and label: ``b`` has the Bibles of validation languages, ``bible`` all of them, ``other`` the text of
    validation languages that have neither Declaration nor Bible, and ``short`` the length of texts too short for a model."""

    a: Texts
    b: Texts
    bible: Texts
    other: Texts
    short: dict[str, int]

    @classmethod
    def read(cls, folder: Path, wanted: set[str]) -> Training:
        """Return the training text; labels without Declaration and Bible use their largest other source."""
        a, short = split_short(read_texts(folder, CORPUS_A))
        bible, short_bible = split_short(read_texts(folder, CORPUS_B))
        languages = {fold_language(label) for label in wanted}
        b = {label: documents for label, documents in bible.items() if fold_language(label) in languages}
        other: Texts = {}
        for source, labels in sorted(find_largest_sources(folder, wanted - set(a) - set(b)).items()):
            other |= split_short(read_texts(folder, [source], labels))[0]
        return cls(a, b, bible, other, short | short_bible)

    @property
    def ab(self) -> Texts:
        """Return the text of corpora A and B."""
        return join_corpora(self.a, self.b)

    @property
    def extended(self) -> Texts:
        """Return the text of A, B and of the languages that neither has."""
        return join_corpora(self.a, self.b, self.other)

    @property
    def every(self) -> Texts:
        """Return the text of A and all Bible labels."""
        return join_corpora(self.a, self.bible)


def split_short(texts: Texts) -> tuple[Texts, dict[str, int]]:
    """Return the texts that are long enough for a model, and the length in bytes of the others."""
    short = Suzuki.find_left_out(texts, SuzukiSettings(**Suzuki.training_settings))
    return {label: documents for label, documents in texts.items() if label not in short}, short


def find_largest_sources(folder: Path, wanted: set[str]) -> dict[str, list[str]]:
    """Return the labels of each source that has the most text of them, without A, B and synthetic sources."""
    sizes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for entry in iter_files(folder):
        label = FOLDED_LABELS.get(entry.label, entry.label)
        if (
            label in wanted
            and entry.label not in DROPPED_LABELS
            and entry.source not in {*CORPUS_A, *CORPUS_B, *SYNTHETIC}
        ):
            sizes[label][entry.source] += entry.path.stat().st_size
    labels_by_source: defaultdict[str, list[str]] = defaultdict(list)
    for label, source_sizes in sorted(sizes.items()):
        labels_by_source[max(sorted(source_sizes), key=source_sizes.__getitem__)].append(label)
    return labels_by_source


def read_texts(folder: Path, sources: Sequence[str], wanted: Sequence[str] | None = None) -> Texts:
    """Return a passage of each label, from the first source that has it."""
    corpus = read_corpus(folder, only=frozenset(sources), labels=wanted).group_by_label()
    return {
        label: [cut_passage(next(iter(by_source.values())))]
        for label, by_source in corpus.items()
        if any(by_source.values())
    }


def cut_passage(lines: Sequence[str]) -> str:
    """Return at most MAX_MODEL_CHARS characters from the middle, as the paper used passages too.

    Lines picked from a whole large source have far more codons than a Declaration of the same length, and attract other
    languages.
    """
    text = "\n".join(lines)
    start = max(0, len(text) - MAX_MODEL_CHARS) // 2
    return text[start : start + MAX_MODEL_CHARS]


def join_corpora(*corpora: Texts) -> Texts:
    """Return the texts of several corpora, those of one label joined and cut to the length of one model."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for corpus in corpora:
        for label, documents in corpus.items():
            texts[label] += documents
    return {label: ["\n".join(documents)[:MAX_MODEL_CHARS]] for label, documents in texts.items()}


@dataclass(frozen=True)
class Validation:
    """Pages, a statement of what was generated, their text by each parser, and a test of answers."""

    pages: list[ValidationPage]
    generated: str = ""

    @cached_property
    def texts(self) -> dict[str, list[bytes]]:
        """By characters, with a detector and without; by bytes with references as written; by bytes with references converted."""
        raws = [page.raw for page in self.pages]
        return {
            "character": [extract_by_characters(raw) for raw in raws],
            "character, no detector": [extract_by_characters(raw, detector=False) for raw in raws],
            "byte": [strip_tags(raw, decode_references=False) for raw in raws],
            "byte, converter": [strip_tags(raw, decode_references=True) for raw in raws],
        }

    @cached_property
    def verdicts(self) -> list[str]:
        """Return the labels of the default identifier."""
        return [verdict.label for verdict in webtongue.identify_many([page.raw for page in self.pages])]

    @cached_property
    def default(self) -> list[bool]:
        """Return whether each label of the default identifier is right."""
        return self.right(self.verdicts)

    @cached_property
    def uniform(self) -> list[bool]:
        """Return the same with uniform priors, since here a rare language has as many pages as English."""
        identifier = webtongue.Identifier(priors="uniform")
        return self.right(verdict.label for verdict in identifier.identify_many([page.raw for page in self.pages]))

    @property
    def labels(self) -> set[str]:
        """Return the labels of the pages."""
        return {page.label for page in self.pages}

    @property
    def languages(self) -> set[str]:
        """Return the languages of the pages."""
        return {fold_language(label) for label in self.labels}

    def check(self, answers: Iterable[Answer]) -> list[bool]:
        """Return whether each answer of a method is in the page's language."""
        return self.right(answer.label for answer in answers)

    def right(self, answers: Iterable[str]) -> list[bool]:
        """Return whether each label is in the page's language."""
        return [
            fold_language(answer) == fold_language(page.label) for answer, page in zip(answers, self.pages, strict=True)
        ]
