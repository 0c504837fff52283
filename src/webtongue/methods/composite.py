"""Cai (2009), WLIDS: encoding declaration, then language declaration, then text.

An encoding that is used for one language names it; a declared language is believed; text is compared with profiles of bytes,
one for each encoding that a language is written in. The order is that of how often each was right (table 4-4).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue import labels
from webtongue.encodings.languages import language_of_encoding
from webtongue.encodings.names import resolve
from webtongue.errors import UsageError
from webtongue.markup import Claim, Syntax, read
from webtongue.markup.noise import COMMON
from webtongue.methods.base import NOTHING, UND, Answer
from webtongue.methods.corpus import Corpus
from webtongue.methods.document import Document, page_of, tagless
from webtongue.methods.grams import Grams
from webtongue.methods.rank_order import RankOrder, RankOrderSettings
from webtongue.methods.writings import written

__all__ = ["Composite", "CompositeSettings", "category_texts", "common_text", "declared_encoding"]

APPROACHES = ("encoding", "language", "text")  # the priority list
MANNERS = ("serial", "parallel")
# Table 4 of Chew 2011 has the same order of places as section 2.3.1 here.
ENCODING_CLAIMS = ("http-content-type", "xml-encoding", "meta-charset", "http-equiv-content-type")
LANGUAGE_CLAIMS = ("html-lang", "html-xml-lang", "meta-content-language")
SYMBOLS = re.compile(rb"[^a-z\x80-\xff]+")  # digits, punctuation, signs and spaces of lower-cased text
QUESTION_MARKS = 0.3  # share of question marks from which on a text was lost on its way
# Section 5.1.3.
SHORT = "fewer bytes of text than the floor, and no declaration"
LOST = "question marks in place of characters: improperly received"
WEAK = "a short text without a strong language"
UNCOVERED = "no language model is near, and no declaration"
UNDECLARED = "no declaration that names a language"
NO_TEXT = "not a text"


@dataclass(frozen=True, slots=True)
class CompositeSettings(RankOrderSettings):
    """``approaches`` are in the order of their priority. ``manner``: "serial" runs them in it and stops at the first that
    answers, "parallel" runs all, answers what comes first in it, and has what the others say as alternatives: the answer is
    the same."""

    grams: Grams = field(default_factory=lambda: Grams(unit="byte", sizes=(1, 2, 3, 4, 5), letters=False))
    profile: int = 400
    # Average distance of an n-gram: 99 in 100 held-out texts of 250 bytes are below it, and half of those of 60 bytes.
    border: float = 150.0
    manner: str = "serial"
    approaches: tuple[str, ...] = APPROACHES
    floor: int = 40  # bytes of text below which it is not looked at
    short: int = 200  # bytes below which a text that is near no model is called weak rather than not covered

    def __post_init__(self) -> None:
        if self.manner not in MANNERS or not set(self.approaches) <= set(APPROACHES):
            raise UsageError(f"manners are {', '.join(MANNERS)}, approaches {', '.join(APPROACHES)}")
        if not self.approaches or len(set(self.approaches)) < len(self.approaches):
            raise UsageError("approaches are one or more of " + ", ".join(APPROACHES) + ", each once")


@dataclass(frozen=True)
class Composite(RankOrder):
    """Profiles of bytes, and what declarations say before them."""

    name: ClassVar[str] = "composite"
    answering: ClassVar[frozenset[str]] = RankOrder.answering | {"manner", "approaches", "floor", "short"}

    settings: CompositeSettings

    @classmethod
    def learn(cls, corpus: Corpus, settings: RankOrderSettings) -> Self:
        """A profile for each encoding that holds a label's text."""
        return cls.profiled(category_texts(corpus), settings)

    def row(self, document: Document) -> NDArray[np.float64] | None:
        """Distances of the text alone."""
        return super().row(common_text(document))

    def answer(self, document: Document) -> Answer:
        """By the priority list; ``reason`` says why a page stays unknown: what the text says of it, if that was looked at."""
        found: dict[str, Answer] = {}
        for approach in self.settings.approaches:
            found[approach] = self.by(approach, document)
            if self.settings.manner == "serial" and found[approach].label != UND:
                break
        said = [answer for answer in found.values() if answer.label != UND]
        if not said:
            return found.get("text") or next(iter(found.values()))
        others = (label for answer in said for label in (answer.label, *answer.alternatives))
        return replace(said[0], alternatives=tuple(label for label in dict.fromkeys(others) if label != said[0].label))

    def by(self, approach: str, document: Document) -> Answer:
        """What one approach says."""
        if approach == "text":
            return self._by_text(document)
        scanned = read(page_of(document))
        if scanned.syntax is Syntax.NONE:
            return Answer(UND, reason=NO_TEXT)
        said = _by_encoding(scanned.claims) if approach == "encoding" else _by_language(scanned.claims)
        return Answer(said, 1.0) if said else Answer(UND, reason=UNDECLARED)

    def _by_text(self, document: Document) -> Answer:
        raw = _visible(document)
        if raw is None:
            return Answer(UND, reason=NO_TEXT)
        text = cleaned(raw)
        if raw.count(b"?") > QUESTION_MARKS * len(raw):
            return Answer(UND, reason=LOST)
        if len(text) < self.settings.floor:
            return Answer(UND, reason=SHORT)
        found = self.judged(text)
        if found.label != UND or found.reason == NOTHING:
            return found
        return replace(found, reason=WEAK if len(text) < self.settings.short else UNCOVERED)


def common_text(document: Document) -> bytes:
    """The visible text, ``alt`` left out, without common words and symbols, in lower case as far as that is ASCII.

    >>> common_text(b"<p>Home Page: 12 Apples<img alt=x><script>y</script> &amp; Linux")
    b'apples'
    """
    return cleaned(_visible(document) or b"")


def category_texts(corpus: Corpus) -> dict[str, list[Document]]:
    """What profiles are made of: a corpus in each encoding that holds it, as a page's text is read."""
    return {label: [cleaned(raw) for raw in raws] for label, raws in written(corpus).items()}


def cleaned(raw: bytes) -> bytes:
    """Bytes of text without common words and symbols."""
    lower = SYMBOLS.sub(b" ", raw.lower())
    return b" ".join(_common_words().sub(b" ", lower).split())


def _visible(document: Document) -> bytes | None:
    """The text between tags; None of an image or another thing that is no text."""
    if isinstance(document, str):
        return document.encode("utf-8", "replace")
    page = page_of(document)
    return None if read(page).syntax is Syntax.NONE else tagless(page.raw, references=True)


def declared_encoding(claims: tuple[Claim, ...]) -> str:
    """The encoding that a page declares, as it writes it: that of the first place that declares a known one."""
    known = (c.value for kind in ENCODING_CLAIMS for c in claims if c.kind == kind and resolve(c.value))
    return next(known, "")


def _by_encoding(claims: tuple[Claim, ...]) -> str:
    """The language that the declared encoding names."""
    return language_of_encoding(declared_encoding(claims))


def _by_language(claims: tuple[Claim, ...]) -> str:
    """The declared language, if one only."""
    for kind in LANGUAGE_CLAIMS:
        for claim in claims:
            if claim.kind == kind and (found := labels.declared(claim.value).labels):
                return found[0] if len(found) == 1 and found[0] not in labels.SPECIAL else ""
    return ""


@cache
def _common_words() -> re.Pattern[bytes]:
    lines = (line.strip().lower() for line in COMMON.read_text("utf-8").splitlines() if not line.startswith("#"))
    strings = {b" ".join(SYMBOLS.sub(b" ", line.encode()).split()) for line in lines if line}
    longest = sorted((re.escape(string) for string in strings if len(string) > 1), key=lambda s: (-len(s), s))
    return re.compile(rb"(?<![a-z\x80-\xff])(?:" + b"|".join(longest) + rb")(?![a-z\x80-\xff])")
