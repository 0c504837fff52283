"""What Hayati's experiments share: her languages, what methods learn from, documents with labels, and what is compared."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from webtongue import Identifier, Verdict, labels
from webtongue.evaluate import sets
from webtongue.methods.base import Method
from webtongue.methods.corpus import read
from webtongue.methods.document import Document, page_of
from webtongue.methods.grams import Grams, letters_only
from webtongue.methods.nfc import Nfc, NfcSettings
from webtongue.methods.rank_order import RankOrder

LANGUAGES = "dan deu eng fin fra ita nld nob por spa swe".split()
LABELS = frozenset(f"{language}_Latn" for language in LANGUAGES)
ONE_NORWEGIAN = {"nno_Latn": "nob_Latn"}
ELEVEN = [*sorted(LABELS), *ONE_NORWEGIAN]  # what webtongue may answer where it must choose as her methods do

SOURCES = ("commonvoice", "mediawiki", "mozilla", "tatoeba", "udhr")  # those that have all eleven
DOCUMENT = 1000  # characters of a training document
QUICK_SIZE, FULL_SIZE = 60_000, 300_000  # characters of a language to learn from
SHORT_SETS = ("lingua_single-words", "lingua_word-pairs", "lingua_sentences", "eld_single-words", "eld_word-pairs")
SHORTEST, SHORT = 25, 50  # characters: the bounds of her two samples of short pages
CLASSES = ("< 25", ">= 25, < 50", "< 50")
SEED = 2004


@dataclass(frozen=True, slots=True)
class Case:
    """A document whose label is known."""

    document: Document
    label: str


Answers = Callable[[Sequence[Document]], list[str]]


@dataclass(frozen=True, slots=True)
class Systems:
    """What is compared, each as a function from documents to labels."""

    base: Answers
    nfc: Answers
    nfc_sizes: Answers
    ours: Answers
    ours_forced: Answers


def by_method(method: Method) -> Answers:
    return lambda documents: [answer.label for answer in method.answer_many(documents)]


def best_label(verdict: Verdict, forced: bool) -> str:
    """A verdict's label, one Norwegian; ``forced`` takes the first guess where it is several languages, none or unknown."""
    guesses = verdict.guesses if forced and verdict.label in labels.SPECIAL else ()
    found = guesses[0].label if guesses else verdict.label
    return ONE_NORWEGIAN.get(found, found)


def by_us(identifier: Identifier, forced: bool = False) -> Answers:
    """Our verdicts on texts and pages."""

    def label(document: Document) -> str:
        is_text = isinstance(document, str)
        verdict = identifier.identify_text(document) if is_text else identifier.identify_page(page_of(document))
        return best_label(verdict, forced)

    return lambda documents: [label(document) for document in documents]


def training(data: Path, size: int) -> dict[str, list[Document]]:
    """Documents of the eleven; both kinds of Norwegian by half."""
    corpus = read(data / "train", SOURCES, LABELS - {"nob_Latn"}, size, DOCUMENT)
    norwegian = read(data / "train", SOURCES, ("nob_Latn", "nno_Latn"), size // 2, DOCUMENT)
    return corpus | {"nob_Latn": [document for part in norwegian.values() for document in part]}


def fitted(corpus: dict[str, list[Document]]) -> Systems:
    sizes = NfcSettings(Grams(sizes=(1, 2, 3, 4, 5), edges="wrap"))
    return Systems(
        by_method(RankOrder.fit(corpus)),
        by_method(Nfc.fit(corpus)),
        by_method(Nfc.fit(corpus, sizes)),
        by_us(Identifier()),
        by_us(Identifier(languages=ELEVEN), forced=True),
    )


def evenly(cases: Sequence[Case], most: int) -> list[Case]:
    """So many of a label at most, drawn by the seed."""
    by_label: defaultdict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_label[case.label].append(case)
    chosen = []
    for label, found in sorted(by_label.items()):
        random.Random(f"{SEED}:{label}").shuffle(found)
        chosen += found[:most]
    return chosen


def length_class(text: str) -> str:
    """Her two samples: which one a text without anything but letters is in; empty where it is longer."""
    return CLASSES[0] if len(text) < SHORTEST else CLASSES[1] if len(text) < SHORT else ""


def short_texts(data: Path, most: int) -> dict[str, list[Case]]:
    """Texts below 50 characters, after normalisation as hers, in her two classes."""
    classes: dict[str, list[Case]] = {name: [] for name in CLASSES[:2]}
    for name in SHORT_SETS:
        for item in sets.read(name, data).items:
            label = ONE_NORWEGIAN.get(item.label, item.label)
            text = letters_only(item.text)
            if label in LABELS and text and (found := length_class(text)):
                classes[found].append(Case(item.text, label))
    return {name: evenly(cases, most) for name, cases in classes.items()}


def accuracy(answers: Answers, cases: Sequence[Case]) -> float:
    said = answers([case.document for case in cases])
    return share(label == case.label for label, case in zip(said, cases, strict=True))


def share(found: Iterable[bool]) -> float:
    """Of how many it is true, in percent; 0 of none."""
    held = list(found)
    return 100 * sum(held) / max(len(held), 1)
