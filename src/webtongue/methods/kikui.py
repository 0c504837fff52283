"""Kikui (1996): coding system and language together; word classes for Europe, characters for East Asia.

The European part of a document is words, each in the class of its last four letters; the East-Asian part is characters. Both
are judged by the average log probability of their units, and only above a threshold. So is text in Unicode: which East-Asian
language it is in is a matter of likelihood, as with any other coding system, not of which kinds of characters it has.
"""

from __future__ import annotations

import codecs
import html
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.encodings.languages import used_for
from webtongue.markup import Syntax, read
from webtongue.methods.base import UND, Answer, Method
from webtongue.methods.corpus import Corpus
from webtongue.methods.document import Document, page_of, tagless, text_of
from webtongue.methods.east_asian import CODINGS, Strings, by_escapes, by_pattern, in_text
from webtongue.page import Page

__all__ = ["Kikui", "KikuiSettings", "Parts", "word_class", "words"]

ASIAN = frozenset(("Hans", "Hant", "Jpan", "Hang", "Kore"))
WORD = re.compile(r"[^\W\d_]+(?:[\u0300-\u036f]+[^\W\d_]*)*")
LATIN_1 = "iso-8859-1"
ELSE = "no language is likely enough"


@dataclass(frozen=True, slots=True)
class KikuiSettings:
    """The floors are the least log probabilities in tables 2 and 3, of units that training has not seen."""

    last: int = 4  # n: "fewest errors on the training set"
    threshold: float = -10.0
    unseen_class: float = -10.80
    unseen_character: float = -15.51
    classes: int = 20_000  # word classes kept of each language, the commonest: the paper does not say how many
    utf8: bool = True  # documents in UTF-8 or UTF-16, coding systems younger than the paper, are decoded as such
    characters: int = 20_000  # characters kept of each East-Asian language


@dataclass(frozen=True, slots=True)
class Parts:
    """What is said of the two parts of a document; None where there is no such part. Sizes are in bytes."""

    asian: Answer | None
    european: Answer | None
    asian_size: int
    european_size: int


@dataclass(frozen=True)
class Kikui(Method):
    """``european`` has a row a label and a column a class, ``asian`` a column a character; rows of the other kind are empty
    of sense and hold the floor."""

    name: ClassVar[str] = "kikui"
    answering: ClassVar[frozenset[str]] = frozenset({"threshold", "utf8"})

    settings: KikuiSettings
    classes: tuple[str, ...]
    characters: tuple[str, ...]
    european: NDArray[np.float32] = field(repr=False)
    asian: NDArray[np.float32] = field(repr=False)

    @classmethod
    def learn(cls, corpus: Corpus, settings: KikuiSettings) -> Self:
        labels = tuple(sorted(label for label in corpus if corpus[label]))
        counts: dict[bool, dict[str, Counter[str]]] = {True: {}, False: {}}
        for label in labels:
            texts = [text_of(document) for document in corpus[label]]
            units: Counter[str] = Counter()
            for text in texts:
                units.update(_characters(text) if is_asian(label) else word_classes(text, settings.last))
            counts[is_asian(label)][label] = units
        classes = _known(counts[False].values(), settings.classes)
        characters = _known(counts[True].values(), settings.characters)
        european = _logarithms(labels, counts[False], classes, settings.unseen_class)
        return cls(
            settings, labels, classes, characters, european,
            _logarithms(labels, counts[True], characters, settings.unseen_character),
        )  # fmt: skip

    def check(self) -> None:
        rows = len(self.labels)
        if self.european.shape != (rows, len(self.classes)) or self.asian.shape != (rows, len(self.characters)):
            raise ValueError("probabilities are not those of the labels")

    def row(self, document: Document) -> NDArray[np.float64] | None:
        """Average log probabilities: of the East-Asian part for East-Asian labels, of the European part for the others."""
        asian, rest = self.divide(document)
        european = self._european(rest)
        if asian is None and european is None:
            return None
        row = np.full(len(self.labels), min(self.settings.unseen_class, self.settings.unseen_character))
        if european is not None:
            row[self._europeans] = european[self._europeans]
        if asian is not None:
            chosen = self._rows(asian.encodings)
            row[chosen] = self._asian(asian.text)[chosen]
        return row

    def answer(self, document: Document) -> Answer:
        """The language of the larger part, the other as an alternative."""
        parts = self.parts(document)
        found = [parts.asian, parts.european]
        if parts.european_size > parts.asian_size:
            found.reverse()
        said = [part for part in found if part is not None and part.label != UND]
        if said:
            return Answer(said[0].label, said[0].score, said[0].encoding, "", tuple(part.label for part in said[1:]))
        return next((part for part in found if part is not None), Answer(UND, reason="neither words nor characters"))

    def parts(self, document: Document) -> Parts:
        """Both parts of a document and their languages (section 3.2)."""
        asian, rest = self.divide(document)
        said = None
        if asian is not None:
            score, label = self.likeliest(asian)
            said = self._above(score, label, asian.coding)
        scores = self._european(rest)
        european = None
        if scores is not None:
            best = int(self._europeans[np.argmax(scores[self._europeans])])
            european = self._above(float(scores[best]), self.labels[best], LATIN_1)
        size = sum(len(word) for word in words(rest))
        return Parts(said, european, 2 * len(asian.text) if asian else 0, size)

    def extract(self, raw: bytes) -> Strings | None:
        """Figure 1. Loop 1 tries every coding system; loop 2 takes the longest string whose score is above the threshold.

        Of strings of one length, which is the rule where codings share a pattern, the likeliest is tried first.
        """
        found = [strings for coding in CODINGS if (strings := by_pattern(raw, coding)).text]
        ranked = sorted(found, key=lambda strings: (-len(strings.text), -self.likeliest(strings)[0]))
        for strings in ranked:
            if self.likeliest(strings)[0] > self.settings.threshold:
                return strings
        return None

    def word(self, name: str, label: str) -> float:
        """The log probability of a word class in a language (table 3)."""
        return self._value(name, label, 0)

    def character(self, character: str, label: str) -> float:
        """The log probability of a character in a language (table 2)."""
        return self._value(character, label, 1)

    def _value(self, unit: str, label: str, kind: int) -> float:
        known, floor = ((self.european, self.settings.unseen_class), (self.asian, self.settings.unseen_character))[kind]
        column = self._numbers[kind].get(unit)
        return floor if column is None else float(known[self.labels.index(label), column])

    def divide(self, document: Document) -> tuple[Strings | None, str]:
        """Step 1 (section 3.2): the East-Asian strings of a document and its other text."""
        if isinstance(document, str):
            return _with_text(None, document)
        marked = by_escapes(document if isinstance(document, bytes) else _readable(document))
        raw = _cut(document, marked.rest if marked else None)
        if marked is None and self.settings.utf8 and (text := _unicode(raw)) is not None:
            return _with_text(None, html.unescape(text))
        found = None if marked else self.extract(raw)
        return _with_text(marked or found, html.unescape((found.rest if found else raw).decode(LATIN_1)))

    def likeliest(self, strings: Strings) -> tuple[float, str]:
        """Average log probability and label of the best language that a coding system is used for."""
        chosen = self._rows(strings.encodings)
        if not len(chosen):
            return -np.inf, ""
        scores = self._asian(strings.text)[chosen]
        best = int(np.argmax(scores))
        return float(scores[best]), self.labels[chosen[best]]

    def _above(self, score: float, label: str, encoding: str) -> Answer:
        if score > self.settings.threshold:
            return Answer(label, score, encoding)
        return Answer(UND, score, reason=ELSE)

    def _european(self, text: str) -> NDArray[np.float64] | None:
        found = Counter(word_classes(text, self.settings.last))
        if not found or not len(self._europeans):
            return None
        return _average(found, self._numbers[0], self.european, self.settings.unseen_class)

    def _asian(self, text: str) -> NDArray[np.float64]:
        return _average(Counter(text), self._numbers[1], self.asian, self.settings.unseen_character)

    @cached_property
    def _numbers(self) -> tuple[dict[str, int], dict[str, int]]:
        first, second = ({unit: i for i, unit in enumerate(units)} for units in (self.classes, self.characters))
        return first, second

    @cached_property
    def _europeans(self) -> NDArray[np.int64]:
        return np.array([i for i, label in enumerate(self.labels) if not is_asian(label)], np.int64)

    def _rows(self, encodings: tuple[str, ...]) -> NDArray[np.int64]:
        """The East-Asian labels that encodings were used for; all of them for no encoding."""
        asian = [i for i, label in enumerate(self.labels) if is_asian(label)]
        rows = [i for i in asian if not encodings or any(used_for(self.labels[i], e) for e in encodings)]
        return np.array(rows, np.int64)


def is_asian(label: str) -> bool:
    return label.partition("_")[2] in ASIAN


def words(text: str) -> list[str]:
    """Words of letters, capitals folded."""
    return WORD.findall(text.lower())


def word_class(word: str, last: int) -> str:
    """Section 3.4.1.

    >>> word_class("beautiful", 4), word_class("the", 4), word_class("code", 4)
    ('X-iful', 'the', 'code')
    """
    return word if len(word) <= last else "X-" + word[-last:]


def word_classes(text: str, last: int) -> list[str]:
    return [word_class(word, last) for word in words(text)]


def _characters(text: str) -> str:
    found = in_text(text)
    return found.text if found else ""


def _known(counts: Iterable[Counter[str]], most: int) -> tuple[str, ...]:
    """The commonest units of each language."""
    return tuple(sorted({unit for found in counts for unit, _ in sorted(found.items(), key=_rank)[:most]}))


def _rank(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def _logarithms(
    labels: Sequence[str], counts: dict[str, Counter[str]], units: Sequence[str], floor: float
) -> NDArray[np.float32]:
    """Log probabilities of units by label, none below that of an unseen one."""
    out = np.full((len(labels), len(units)), floor, np.float32)
    for row, label in zip(out, labels, strict=True):
        if found := counts.get(label):
            seen = np.array([found[unit] for unit in units], np.float64)
            with np.errstate(divide="ignore"):
                row[:] = np.maximum(np.log(seen / found.total()), floor)
    return out


def _average(
    found: Counter[str], numbers: dict[str, int], logarithms: NDArray[np.float32], floor: float
) -> NDArray[np.float64]:
    """The mean log probability of units with each label."""
    known = {unit: count for unit, count in found.items() if unit in numbers}
    columns = [numbers[unit] for unit in known]
    weights = np.array(list(known.values()), np.float64)
    unseen = found.total() - weights.sum()
    sums: NDArray[np.float64] = logarithms[:, columns].astype(np.float64) @ weights + floor * unseen
    return sums / found.total()


def _with_text(found: Strings | None, rest: str) -> tuple[Strings | None, str]:
    """Strings and the other text, whose own East-Asian characters (Unicode or references) join them."""
    more = in_text(rest)
    if more is None:
        return found, rest
    return (replace(found, text=found.text + more.text) if found else more), more.rest.decode()


def _unicode(raw: bytes) -> str | None:
    """A code string by a byte order mark of UTF-16, or as UTF-8; None if it is in neither, or in ASCII."""
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if raw.isascii():
        return None
    try:
        return raw.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        return None


def _readable(document: Page) -> bytes:
    """A page's source, in UTF-8 if it was in a wide Unicode; nothing of one that is not text."""
    scanned = read(page_of(document))
    if scanned.syntax is Syntax.NONE:
        return b""
    return scanned.source if scanned.transcoded.startswith(("utf-16", "utf-32")) else scanned.page.raw


def _cut(document: bytes | Page, rest: bytes | None) -> bytes:
    """The code string between tags, character references as they are written; bytes are one as they stand.

    What escapes mark is taken out before, for its bytes may look like tags; ``rest`` is what is left.
    """
    if isinstance(document, bytes):
        return document if rest is None else rest
    return tagless(_readable(document) if rest is None else rest, references=False)
