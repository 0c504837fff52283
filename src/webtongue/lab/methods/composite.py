"""Cai (2009), WLIDS: encoding declaration, then language declaration, then text.

An encoding that is used for one language determines it; then a declared language is accepted; then text is compared with byte
profiles, one for each encoding of a language. The order is that of their accuracy (table 4-4).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
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
from webtongue.lab.methods.document import Document, TextBytes, strip_tags, to_page
from webtongue.lab.methods.encoded_texts import encode_corpus
from webtongue.lab.methods.grams import Grams
from webtongue.lab.methods.rank_order import RankOrder, RankOrderSettings
from webtongue.markup import Declaration, Syntax, read
from webtongue.markup.noise import COMMON

__all__ = [
    "Composite", "CompositeSettings", "Examined", "Extracted", "encode_training_texts", "extract", "extract_text",
    "find_declared_encoding",
]  # fmt: skip

APPROACHES = ("encoding", "language", "text")  # in order of priority
MANNERS = ("serial", "parallel")
ENCODING_KINDS = ("meta-charset", "http-equiv-content-type")  # of the metadata only (sections 3.2.3.1 and 5.1.1)
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
# ASCII bytes are text of these encodings; of all others they are the same text as of UTF-8, by which an ASCII text is called.
SEVEN_BIT_ENCODINGS = ("iso-2022-jp", "iso-2022-kr", "hz-gb-2312", "utf-7")
ASCII_ENCODING = "utf-8"


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
        return self.examine(document).answer

    def examine(self, document: Document) -> Examined:
        """Return the answer, and that of each approach that was run: up to the first with an answer in the serial manner."""
        extracted = extract(document)
        answers: dict[str, Answer] = {}
        for approach in self.settings.approaches:
            answers[approach] = self._answer_by(approach, extracted)
            if self.settings.manner == "serial" and answers[approach].label != UND:
                break
        approach = next((name for name, answer in answers.items() if answer.label != UND), "")
        if not approach:
            return Examined(answers.get("text") or next(iter(answers.values())), "", answers, extracted)
        answered = [answer for answer in answers.values() if answer.label != UND]
        others = dict.fromkeys(label for answer in answered for label in (answer.label, *answer.alternatives))
        alternatives = tuple(label for label in others if label != answered[0].label)
        return Examined(replace(answered[0], alternatives=alternatives), approach, answers, extracted)

    def answer_by(self, approach: str, document: Document) -> Answer:
        """Return the answer of one approach."""
        return self._answer_by(approach, extract(document))

    def _answer_by(self, approach: str, extracted: Extracted) -> Answer:
        if extracted.visible is None:
            return Answer(UND, reason=NOT_TEXT)
        if approach == "text":
            return self._answer_by_text(extracted.visible, extracted.is_ascii)
        label = language_of_encoding(extracted.encoding) if approach == "encoding" else extracted.language
        return Answer(label, 1.0) if label else Answer(UND, reason=NOTHING_DECLARED)

    def _answer_by_text(self, raw: bytes, is_ascii: bool) -> Answer:
        text = clean_text(raw)
        if raw.count(b"?") > MAX_QUESTION_MARK_SHARE * len(raw):
            return Answer(UND, reason=BADLY_RECEIVED)
        if len(text) < self.settings.floor:
            return Answer(UND, reason=BELOW_FLOOR)
        answer = super().answer(text)
        if is_ascii and answer.encoding and answer.encoding not in SEVEN_BIT_ENCODINGS:
            answer = replace(answer, encoding=ASCII_ENCODING)
        if answer.label != UND or answer.reason == NOTHING_KNOWN:
            return answer
        return replace(answer, reason=WEAK_SHORT_TEXT if len(text) < self.settings.short else NO_NEAR_MODEL)


@dataclass(frozen=True, slots=True)
class Extracted:
    """What is extracted from a page (section 3.2.2): the encoding that its metadata declares, as written there, and its declared
    language, empty if there is none or several; the bytes outside of tags, with character references decoded, None if the document
    is not text; whether these bytes are ASCII in the page itself, where references are."""

    encoding: str
    language: str
    visible: bytes | None
    is_ascii: bool = False

    @property
    def text(self) -> TextBytes:
        """The common text: without ``alt``, common words and symbols."""
        return clean_text(self.visible or b"")


@dataclass(frozen=True, slots=True)
class Examined:
    """The answer for a page, the approach that gave it (empty for ``und``), the answers of all approaches that were run, and what
    was extracted from the page."""

    answer: Answer
    approach: str
    by_approach: Mapping[str, Answer]
    extracted: Extracted


def extract(document: Document) -> Extracted:
    """Return what the three approaches need of a document; a str has no declarations."""
    if isinstance(document, str):
        return Extracted("", "", document.encode("utf-8", "replace"), document.isascii())
    page = to_page(document)
    scanned = read(page)
    if scanned.syntax is Syntax.NONE:
        return Extracted("", "", None)
    declarations = scanned.declarations
    visible = strip_tags(page.raw, decode_references=True)
    is_ascii = visible.isascii() or strip_tags(page.raw, decode_references=False).isascii()
    return Extracted(find_declared_encoding(declarations), _find_declared_language(declarations), visible, is_ascii)


def extract_text(document: Document) -> bytes:
    """Return the visible text without ``alt``, common words and symbols, with ASCII letters in lower case.

    >>> extract_text(b"<p>Home Page: 12 Apples<img alt=x><script>y</script> &amp; Linux")
    b'apples'
    """
    return extract(document).text


def encode_training_texts(corpus: Corpus) -> dict[str, list[Document]]:
    """Return the training text of profiles: a corpus in each encoding, cleaned like the text of a page."""
    return {label: [clean_text(raw) for raw in raws] for label, raws in encode_corpus(corpus).items()}


def clean_text(raw: bytes) -> TextBytes:
    """Return text bytes without common words and symbols, ASCII letters in lower case."""
    lower_case = NON_LETTERS.sub(b" ", raw.lower())
    return TextBytes(b" ".join(_compile_common_words().sub(b" ", lower_case).split()))


def find_declared_encoding(declarations: tuple[Declaration, ...]) -> str:
    """Return the encoding that the metadata declares, as the page spells it: the first known one in order of priority."""
    declared = (
        declaration.value
        for kind in ENCODING_KINDS
        for declaration in declarations
        if declaration.kind == kind and resolve(declaration.value)
    )
    return next(declared, "")


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
