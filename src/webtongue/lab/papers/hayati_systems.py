"""Shared parts of Hayati's experiments: her languages, training text, labelled documents and the systems that are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from webtongue import Identifier, Verdict, labels
from webtongue.lab.evaluate import sets
from webtongue.lab.methods.base import Method
from webtongue.lab.methods.corpus import read_documents
from webtongue.lab.methods.document import Document, to_page
from webtongue.lab.methods.grams import Grams, keep_letters
from webtongue.lab.methods.nfc import Nfc, NfcSettings
from webtongue.lab.methods.rank_order import RankOrder
from webtongue.lab.papers.common import percent, sample_by_label

LANGUAGES = "dan deu eng fin fra ita nld nob por spa swe".split()
LABELS = frozenset(f"{language}_Latn" for language in LANGUAGES)
NORWEGIAN_FOLD = {"nno_Latn": "nob_Latn"}
ELEVEN = [*sorted(LABELS), *NORWEGIAN_FOLD]  # the labels of webtongue where it has to choose one of her languages

SOURCES = ("commonvoice", "mediawiki", "mozilla", "tatoeba", "udhr")  # the sources that have all eleven languages
DOCUMENT_CHARS = 1000
QUICK_CHARS, FULL_CHARS = 60_000, 300_000  # training text of a language
SHORT_SETS = ("lingua_single-words", "lingua_word-pairs", "lingua_sentences", "eld_single-words", "eld_word-pairs")
MIDDLE_CHARS, MAX_SHORT_CHARS = 25, 50  # upper bounds of her two samples of short pages
CLASSES = ("< 25", ">= 25, < 50", "< 50")
SEED = 2004


@dataclass(frozen=True, slots=True)
class Case:
    """A document with its true label."""

    document: Document
    label: str


AnswerFunction = Callable[[Sequence[Document]], list[str]]


@dataclass(frozen=True, slots=True)
class Systems:
    """The systems that are compared, each as a function from documents to labels."""

    base: AnswerFunction
    nfc: AnswerFunction
    nfc_sizes: AnswerFunction
    webtongue: AnswerFunction
    webtongue_forced: AnswerFunction


def answer_by_method(method: Method) -> AnswerFunction:
    """Return a function that answers by a method."""
    return lambda documents: [answer.label for answer in method.answer_many(documents)]


def best_label(verdict: Verdict, forced: bool) -> str:
    """Return a verdict's label with one Norwegian; ``forced`` takes the first guess where the verdict is no single language."""
    guesses = verdict.guesses if forced and verdict.label in labels.SPECIAL else ()
    label = guesses[0].label if guesses else verdict.label
    return NORWEGIAN_FOLD.get(label, label)


def answer_by_webtongue(identifier: Identifier, forced: bool = False) -> AnswerFunction:
    """Return a function that answers by an identifier, for texts and pages."""

    def get_label(document: Document) -> str:
        if isinstance(document, str):
            return best_label(identifier.identify_text(document), forced)
        return best_label(identifier.analyze(to_page(document)).verdict, forced)

    return lambda documents: [get_label(document) for document in documents]


def read_training(data: Path, size: int) -> dict[str, list[Document]]:
    """Return the training documents of the eleven languages, half of the Norwegian ones in each written form."""
    corpus = read_documents(data / "train", SOURCES, sorted(LABELS - {"nob_Latn"}), size, DOCUMENT_CHARS)
    norwegian = read_documents(data / "train", SOURCES, ("nob_Latn", "nno_Latn"), size // 2, DOCUMENT_CHARS)
    return corpus | {"nob_Latn": [document for part in norwegian.values() for document in part]}


def fit_systems(corpus: dict[str, list[Document]]) -> Systems:
    """Return the systems, fitted on a corpus."""
    sizes = NfcSettings(Grams(sizes=(1, 2, 3, 4, 5), edges="wrap"))
    return Systems(
        answer_by_method(RankOrder.fit(corpus)),
        answer_by_method(Nfc.fit(corpus)),
        answer_by_method(Nfc.fit(corpus, sizes)),
        answer_by_webtongue(Identifier()),
        answer_by_webtongue(Identifier(languages=ELEVEN), forced=True),
    )


def sample_cases(cases: Sequence[Case], max_cases: int) -> list[Case]:
    """Return a random sample of at most ``max_cases`` of each label."""
    return sample_by_label(cases, lambda case: case.label, max_cases, SEED)


def classify_length(text: str) -> str:
    """Return the length class of a text of letters and spaces, empty where it is longer than both."""
    return CLASSES[0] if len(text) < MIDDLE_CHARS else CLASSES[1] if len(text) < MAX_SHORT_CHARS else ""


def read_short_texts(data: Path, max_texts: int) -> dict[str, list[Case]]:
    """Return texts below 50 characters after normalisation, in her two classes."""
    classes: dict[str, list[Case]] = {name: [] for name in CLASSES[:2]}
    for name in SHORT_SETS:
        for item in sets.read_set(name, data).items:
            label = NORWEGIAN_FOLD.get(item.label, item.label)
            text = keep_letters(item.text)
            if label in LABELS and text and (length := classify_length(text)):
                classes[length].append(Case(item.text, label))
    return {name: sample_cases(cases, max_texts) for name, cases in classes.items()}


def check_answers(answers: AnswerFunction, cases: Sequence[Case]) -> list[bool]:
    """Return for each case whether the answer is right."""
    answered = answers([case.document for case in cases])
    return [label == case.label for label, case in zip(answered, cases, strict=True)]


def accuracy(answers: AnswerFunction, cases: Sequence[Case]) -> float:
    """Return the percentage of right answers."""
    return percent(check_answers(answers, cases))
