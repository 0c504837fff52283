"""Cai (2009), WLIDS: encoding declaration, then language declaration, then text.

An encoding that is used for one language determines it; then a declared language is accepted; then text is compared with byte
profiles, one for each encoding of a language. The order is that of their accuracy (table 4-4).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue import labels
from webtongue.charset.languages import language_of_encoding
from webtongue.charset.names import resolve
from webtongue.errors import UsageError
from webtongue.lab.methods.base import NOTHING_KNOWN, UND, Answer
from webtongue.lab.methods.corpus import Corpus
from webtongue.lab.methods.document import Document, strip_tags, to_page
from webtongue.lab.methods.encoded_texts import encode_corpus
from webtongue.lab.methods.grams import Grams
from webtongue.lab.methods.rank_order import RankOrder, RankOrderSettings
from webtongue.markup import Declaration, Syntax, read
from webtongue.markup.noise import COMMON

__all__ = ["Composite", "CompositeSettings", "encode_training_texts", "extract_text", "find_declared_encoding"]

APPROACHES = ("encoding", "language", "text")  # in order of priority
MANNERS = ("serial", "parallel")
# Table 4 of Chew 2011 has the same order of places as section 2.3.1 here.
ENCODING_KINDS = ("http-content-type", "xml-encoding", "meta-charset", "http-equiv-content-type")
LANGUAGE_KINDS = ("html-lang", "html-xml-lang", "meta-content-language")
NON_LETTERS = re.compile(rb"[^a-z\x80-\xff]+")  # digits, punctuation, signs and spaces of lower-cased text
MAX_QUESTION_MARK_SHARE = 0.3  # with more, the text was damaged in transfer
# Section 5.1.3.
BELOW_FLOOR = "fewer bytes of text than the floor, and no declaration"
BADLY_RECEIVED = "question marks in place of characters: improperly received"
WEAK_SHORT_TEXT = "a short text without a strong language"
NO_NEAR_MODEL = "no language model is near, and no declaration"
NOTHING_DECLARED = "no declaration that names a language"
NOT_TEXT = "not a text"


@dataclass(frozen=True, slots=True)
class CompositeSettings(RankOrderSettings):
    """``approaches`` are in order of priority. ``manner``: "serial" stops at the first approach with an answer; "parallel" runs
    all, with the same answer, and gives the answers of the others as alternatives."""

    grams: Grams = field(default_factory=lambda: Grams(unit="byte", sizes=(1, 2, 3, 4, 5), letters=False))
    profile: int = 400
    # Average distance per n-gram: 99% of held-out texts of 250 bytes are below it, and half of those of 60 bytes.
    border: float = 150.0
    manner: str = "serial"
    approaches: tuple[str, ...] = APPROACHES
    floor: int = 40  # minimum bytes of text
    short: int = 200  # a shorter text without a near model is reported as weak, not as uncovered

    def __post_init__(self) -> None:
        if self.manner not in MANNERS or not set(self.approaches) <= set(APPROACHES):
            raise UsageError(
                f"manner must be one of {', '.join(MANNERS)}, and approaches some of {', '.join(APPROACHES)}"
            )
        if not self.approaches or len(set(self.approaches)) < len(self.approaches):
            raise UsageError("approaches must be one or more of " + ", ".join(APPROACHES) + ", each once")


@dataclass(frozen=True)
class Composite(RankOrder):
    """Declarations first, then profiles of bytes."""

    name: ClassVar[str] = "composite"
    answer_settings: ClassVar[frozenset[str]] = RankOrder.answer_settings | {"manner", "approaches", "floor", "short"}

    settings: CompositeSettings

    @classmethod
    def learn(cls, corpus: Corpus, settings: RankOrderSettings) -> Self:
        """Return the method with a profile for each encoding of a label's text."""
        return cls.fit_profiles(encode_training_texts(corpus), settings)

    def row(self, document: Document) -> NDArray[np.float64] | None:
        """Return the negative distances of the text."""
        return super().row(extract_text(document))

    def answer(self, document: Document) -> Answer:
        """Return the first answer by priority. The reason for ``und`` is that of the text, if it was examined."""
        answers: dict[str, Answer] = {}
        for approach in self.settings.approaches:
            answers[approach] = self.answer_by(approach, document)
            if self.settings.manner == "serial" and answers[approach].label != UND:
                break
        answered = [answer for answer in answers.values() if answer.label != UND]
        if not answered:
            return answers.get("text") or next(iter(answers.values()))
        others = (label for answer in answered for label in (answer.label, *answer.alternatives))
        return replace(
            answered[0], alternatives=tuple(label for label in dict.fromkeys(others) if label != answered[0].label)
        )

    def answer_by(self, approach: str, document: Document) -> Answer:
        """Return the answer of one approach."""
        if approach == "text":
            return self._by_text(document)
        scanned = read(to_page(document))
        if scanned.syntax is Syntax.NONE:
            return Answer(UND, reason=NOT_TEXT)
        label = (
            _language_by_encoding(scanned.declarations)
            if approach == "encoding"
            else _find_declared_language(scanned.declarations)
        )
        return Answer(label, 1.0) if label else Answer(UND, reason=NOTHING_DECLARED)

    def _by_text(self, document: Document) -> Answer:
        raw = _get_visible(document)
        if raw is None:
            return Answer(UND, reason=NOT_TEXT)
        text = clean_text(raw)
        if raw.count(b"?") > MAX_QUESTION_MARK_SHARE * len(raw):
            return Answer(UND, reason=BADLY_RECEIVED)
        if len(text) < self.settings.floor:
            return Answer(UND, reason=BELOW_FLOOR)
        answer = super().answer(text)
        if answer.label != UND or answer.reason == NOTHING_KNOWN:
            return answer
        return replace(answer, reason=WEAK_SHORT_TEXT if len(text) < self.settings.short else NO_NEAR_MODEL)


def extract_text(document: Document) -> bytes:
    """Return the visible text without ``alt``, common words and symbols, with ASCII letters in lower case.

    >>> extract_text(b"<p>Home Page: 12 Apples<img alt=x><script>y</script> &amp; Linux")
    b'apples'
    """
    return clean_text(_get_visible(document) or b"")


def encode_training_texts(corpus: Corpus) -> dict[str, list[Document]]:
    """Return the training text of profiles: a corpus in each encoding, cleaned like the text of a page."""
    return {label: [clean_text(raw) for raw in raws] for label, raws in encode_corpus(corpus).items()}


def clean_text(raw: bytes) -> bytes:
    """Return text bytes without common words and symbols, ASCII letters in lower case."""
    lower_case = NON_LETTERS.sub(b" ", raw.lower())
    return b" ".join(_compile_common_words().sub(b" ", lower_case).split())


def _get_visible(document: Document) -> bytes | None:
    """Return the bytes outside tags, or None for an image or another document that is not text."""
    if isinstance(document, str):
        return document.encode("utf-8", "replace")
    page = to_page(document)
    return None if read(page).syntax is Syntax.NONE else strip_tags(page.raw, decode_references=True)


def find_declared_encoding(declarations: tuple[Declaration, ...]) -> str:
    """Return the declared encoding as the page spells it: the first known one in order of priority."""
    declared = (
        declaration.value
        for kind in ENCODING_KINDS
        for declaration in declarations
        if declaration.kind == kind and resolve(declaration.value)
    )
    return next(declared, "")


def _language_by_encoding(declarations: tuple[Declaration, ...]) -> str:
    """Return the language of the declared encoding, empty if it has several."""
    return language_of_encoding(find_declared_encoding(declarations))


def _find_declared_language(declarations: tuple[Declaration, ...]) -> str:
    """Return the declared language, empty if there are several."""
    for kind in LANGUAGE_KINDS:
        for declaration in declarations:
            if declaration.kind == kind and (declared_labels := labels.parse_declared(declaration.value).labels):
                return (
                    declared_labels[0] if len(declared_labels) == 1 and declared_labels[0] not in labels.SPECIAL else ""
                )
    return ""


@cache
def _compile_common_words() -> re.Pattern[bytes]:
    lines = (line.strip().lower() for line in COMMON.read_text("utf-8").splitlines() if not line.startswith("#"))
    strings = {b" ".join(NON_LETTERS.sub(b" ", line.encode()).split()) for line in lines if line}
    longest = sorted((re.escape(string) for string in strings if len(string) > 1), key=lambda s: (-len(s), s))
    return re.compile(rb"(?<![a-z\x80-\xff])(?:" + b"|".join(longest) + rb")(?![a-z\x80-\xff])")
