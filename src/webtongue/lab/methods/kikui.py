"""Kikui (1996): coding system and language together; word classes for Europe, characters for East Asia.

The European part of a document is words, each in the class of its last four letters; the East-Asian part is characters. Both
are classified by the average log probability of their units, which must exceed a threshold. Text in Unicode is treated alike: its
East-Asian language is chosen by likelihood, as with any other coding system, not by kinds of characters.
"""

from __future__ import annotations

import codecs
import html
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.charset.languages import is_used_for
from webtongue.lab.methods.base import UND, Answer, Method
from webtongue.lab.methods.corpus import Corpus
from webtongue.lab.methods.document import Document, read_raw, read_text, strip_tags, to_page
from webtongue.lab.methods.east_asian import CODINGS, EastAsianText, match_escapes, match_pattern, match_text
from webtongue.markup import Syntax, read
from webtongue.page import Page

__all__ = ["Division", "Kikui", "KikuiSettings", "Parts", "get_word_class", "split_words"]

EAST_ASIAN_SCRIPTS = frozenset(("Hans", "Hant", "Jpan", "Hang", "Kore"))
WORD = re.compile(r"[^\W\d_]+(?:[\u0300-\u036f]+[^\W\d_]*)*")
LATIN_1, ASCII = "iso-8859-1", "ascii"
TOO_UNLIKELY = "no language is likely enough"


@dataclass(frozen=True, slots=True)
class KikuiSettings:
    """``unseen_class`` and ``unseen_character`` are the lowest log probabilities in tables 2 and 3, used for unseen units."""

    last: int = 4  # n: "fewest errors on the training set"
    threshold: float = -10.0
    unseen_class: float = -10.80
    unseen_character: float = -15.51
    classes: int = 20_000  # most common word classes of each language; the paper gives no number
    utf8: bool = True  # decode UTF-8 and UTF-16, which are younger than the paper
    characters: int = 20_000  # most common characters of each East-Asian language


@dataclass(frozen=True, slots=True)
class Division:
    """The East-Asian text of a document, its other text and the coding system of that, empty for decoded text."""

    asian: EastAsianText | None
    rest: str
    coding: str = ""


@dataclass(frozen=True, slots=True)
class Parts:
    """The answers for the two parts of a document, None for a missing part, their sizes in bytes, and the average log probability
    of each label of a part."""

    asian: Answer | None
    european: Answer | None
    asian_size: int
    european_size: int
    asian_scores: Mapping[str, float]
    european_scores: Mapping[str, float]

    @property
    def by_size(self) -> list[tuple[Answer, Mapping[str, float]]]:
        """Return the answers and scores of the parts that the document has, the larger part first."""
        parts = [(self.asian, self.asian_scores), (self.european, self.european_scores)]
        if self.european_size > self.asian_size:
            parts.reverse()
        return [(answer, scores) for answer, scores in parts if answer is not None]

    @property
    def main(self) -> tuple[Answer, Mapping[str, float]] | None:
        """Return the larger part that has an answer; the larger part if neither has one, and None without parts."""
        parts = self.by_size
        return next((part for part in parts if part[0].label != UND), parts[0] if parts else None)


@dataclass(frozen=True)
class Kikui(Method):
    """``european`` has log probabilities of labels x classes, ``asian`` of labels x characters; rows of labels of the other part
    hold the value for unseen units."""

    name: ClassVar[str] = "kikui"
    answer_settings: ClassVar[frozenset[str]] = frozenset({"threshold", "utf8"})

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
            texts = [read_text(document) for document in corpus[label]]
            units: Counter[str] = Counter()
            for text in texts:
                units.update(
                    _extract_characters(text) if is_east_asian(label) else list_word_classes(text, settings.last)
                )
            counts[is_east_asian(label)][label] = units
        classes = _select_units(counts[False].values(), settings.classes)
        characters = _select_units(counts[True].values(), settings.characters)
        european = _compute_logs(labels, counts[False], classes, settings.unseen_class)
        return cls(
            settings, labels, classes, characters, european,
            _compute_logs(labels, counts[True], characters, settings.unseen_character),
        )  # fmt: skip

    def check(self) -> None:
        rows = len(self.labels)
        if self.european.shape != (rows, len(self.classes)) or self.asian.shape != (rows, len(self.characters)):
            raise ValueError("numbers of probabilities and labels differ")

    def row(self, document: Document) -> NDArray[np.float64] | None:
        """Return the average log probabilities of the part that ``answer`` names; labels of the other part have the lowest value.

        Words and characters are different units, so that scores of the two parts cannot be compared: ``parts`` has both.
        """
        main = self.parts(document).main
        if main is None:
            return None
        lowest = min(self.settings.unseen_class, self.settings.unseen_character)
        return np.array([main[1].get(label, lowest) for label in self.labels])

    def answer(self, document: Document) -> Answer:
        """Return the language of the larger part, with the other as an alternative."""
        parts = self.parts(document)
        if parts.main is None:
            return Answer(UND, reason="neither words nor characters")
        answered = [answer for answer, _ in parts.by_size if answer.label != UND]
        return replace(parts.main[0], alternatives=tuple(answer.label for answer in answered[1:]))

    def parts(self, document: Document) -> Parts:
        """Return both parts of a document with their languages (section 3.2)."""
        division = self.divide(document)
        asian, european = division.asian, None
        asian_scores = self._score_asian(asian) if asian else {}
        european_scores: dict[str, float] = {}
        scores = self._european(division.rest)
        if scores is not None:
            european_scores = {self.labels[i]: float(scores[i]) for i in self._europeans}
            european = self._decide(european_scores, division.coding)
        size = sum(len(word) for word in split_words(division.rest))
        asian_answer = self._decide(asian_scores, asian.coding) if asian else None
        return Parts(asian_answer, european, 2 * len(asian.text) if asian else 0, size, asian_scores, european_scores)

    def extract(self, raw: bytes) -> EastAsianText | None:
        """Return the East-Asian text of a byte string, or None (figure 1).

        Loop 1 tries every coding system; loop 2 takes the longest string whose score exceeds the threshold. Of strings of equal
        length, which are common since coding systems share patterns, the likeliest is tried first.
        """
        candidates = [strings for coding in CODINGS if (strings := match_pattern(raw, coding)).text]
        sorted_candidates = sorted(candidates, key=lambda strings: (-len(strings.text), -self.likeliest(strings)[0]))
        for strings in sorted_candidates:
            if self.likeliest(strings)[0] > self.settings.threshold:
                return strings
        return None

    def word(self, name: str, label: str) -> float:
        """Return the log probability of a word class in a language (table 3)."""
        return self._value(name, label, 0)

    def character(self, character: str, label: str) -> float:
        """Return the log probability of a character in a language (table 2)."""
        return self._value(character, label, 1)

    def _value(self, unit: str, label: str, kind: int) -> float:
        logs, floor = ((self.european, self.settings.unseen_class), (self.asian, self.settings.unseen_character))[kind]
        column = self._numbers[kind].get(unit)
        return floor if column is None else float(logs[self.labels.index(label), column])

    def divide(self, document: Document) -> Division:
        """Return the East-Asian text of a document and its other text (step 1, section 3.2).

        The coding system of the other text is ISO-8859-1 if it has bytes beyond ASCII; character references need none of these.
        """
        document = read_raw(document)
        if isinstance(document, str):
            return _divide_text(None, document, "")
        source, transcoded = (document, "") if isinstance(document, bytes) else _get_source(document)
        by_escapes = match_escapes(source)
        raw = by_escapes.rest if by_escapes else source
        if isinstance(
            document, Page
        ):  # text after escapes is removed before tags are, since its bytes may look like tags
            raw = strip_tags(raw, decode_references=False)
        if by_escapes is None and self.settings.utf8 and (decoded := _decode_unicode(raw)) is not None:
            return _divide_text(None, html.unescape(decoded[0]), transcoded or decoded[1])
        extracted = None if by_escapes else self.extract(raw)
        rest = extracted.rest if extracted else raw
        return _divide_text(
            by_escapes or extracted, html.unescape(rest.decode(LATIN_1)), ASCII if rest.isascii() else LATIN_1
        )

    def likeliest(self, strings: EastAsianText) -> tuple[float, str]:
        """Return the average log probability and the label of the best language of a coding system."""
        scores = self._score_asian(strings)
        best = max(scores, key=scores.__getitem__, default="")
        return scores.get(best, -np.inf), best

    def _score_asian(self, strings: EastAsianText) -> dict[str, float]:
        """Return the scores of the languages of a coding system."""
        scores = self._asian(strings.text)
        return {self.labels[i]: float(scores[i]) for i in self._rows(strings.encodings)}

    def _decide(self, scores: Mapping[str, float], encoding: str) -> Answer | None:
        """Return the answer for the scores of a part, None without labels of it."""
        if not scores:
            return None
        best = max(scores, key=scores.__getitem__)
        if scores[best] > self.settings.threshold:
            return Answer(best, scores[best], encoding)
        return Answer(UND, scores[best], reason=TOO_UNLIKELY)

    def _european(self, text: str) -> NDArray[np.float64] | None:
        counts = Counter(list_word_classes(text, self.settings.last))
        if not counts or not len(self._europeans):
            return None
        return _average_logs(counts, self._numbers[0], self.european, self.settings.unseen_class)

    def _asian(self, text: str) -> NDArray[np.float64]:
        return _average_logs(Counter(text), self._numbers[1], self.asian, self.settings.unseen_character)

    @cached_property
    def _numbers(self) -> tuple[dict[str, int], dict[str, int]]:
        first, second = ({unit: i for i, unit in enumerate(units)} for units in (self.classes, self.characters))
        return first, second

    @cached_property
    def _europeans(self) -> NDArray[np.int64]:
        return np.array([i for i, label in enumerate(self.labels) if not is_east_asian(label)], np.int64)

    def _rows(self, encodings: tuple[str, ...]) -> NDArray[np.int64]:
        """Return the numbers of the East-Asian labels that encodings were used for, all of them without encodings."""
        asian = [i for i, label in enumerate(self.labels) if is_east_asian(label)]
        rows = [i for i in asian if not encodings or any(is_used_for(self.labels[i], e) for e in encodings)]
        return np.array(rows, np.int64)


def is_east_asian(label: str) -> bool:
    return label.partition("_")[2] in EAST_ASIAN_SCRIPTS


def split_words(text: str) -> list[str]:
    """Return the words of letters in lower case."""
    return WORD.findall(text.lower())


def get_word_class(word: str, last: int) -> str:
    """Return the class of a word: its last letters (section 3.4.1).

    >>> get_word_class("beautiful", 4), get_word_class("the", 4), get_word_class("code", 4)
    ('X-iful', 'the', 'code')
    """
    return word if len(word) <= last else "X-" + word[-last:]


def list_word_classes(text: str, last: int) -> list[str]:
    return [get_word_class(word, last) for word in split_words(text)]


def _extract_characters(text: str) -> str:
    east_asian = match_text(text)
    return east_asian.text if east_asian else ""


def _select_units(counts: Iterable[Counter[str]], max_units: int) -> tuple[str, ...]:
    """Return the most common units of each language."""
    return tuple(sorted({unit for units in counts for unit, _ in sorted(units.items(), key=_sort_key)[:max_units]}))


def _sort_key(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def _compute_logs(
    labels: Sequence[str], counts: dict[str, Counter[str]], units: Sequence[str], floor: float
) -> NDArray[np.float32]:
    """Return log probabilities of units by label, none below that of an unseen unit."""
    logs = np.full((len(labels), len(units)), floor, np.float32)
    for row, label in zip(logs, labels, strict=True):
        if label_counts := counts.get(label):
            seen = np.array([label_counts[unit] for unit in units], np.float64)
            with np.errstate(divide="ignore"):
                row[:] = np.maximum(np.log(seen / label_counts.total()), floor)
    return logs


def _average_logs(
    counts: Counter[str], numbers: dict[str, int], logarithms: NDArray[np.float32], floor: float
) -> NDArray[np.float64]:
    """Return the mean log probability of units with each label."""
    known_counts = {unit: count for unit, count in counts.items() if unit in numbers}
    columns = [numbers[unit] for unit in known_counts]
    weights = np.array(list(known_counts.values()), np.float64)
    unseen = counts.total() - weights.sum()
    sums: NDArray[np.float64] = logarithms[:, columns].astype(np.float64) @ weights + floor * unseen
    return sums / counts.total()


def _divide_text(east_asian: EastAsianText | None, rest: str, coding: str) -> Division:
    """Return East-Asian text, extended by the East-Asian characters of the other text, and what remains of that."""
    characters = match_text(rest)
    if characters is None:
        return Division(east_asian, rest, coding)
    joined = replace(east_asian, text=east_asian.text + characters.text) if east_asian else characters
    return Division(joined, characters.rest.decode(), coding)


def _decode_unicode(raw: bytes) -> tuple[str, str] | None:
    """Return bytes decoded as UTF-16 (by byte order mark) or UTF-8, and its name; None if they are neither, or ASCII."""
    if raw.isascii():
        return None
    wide = {codecs.BOM_UTF16_LE: "utf-16le", codecs.BOM_UTF16_BE: "utf-16be"}.get(raw[:2], "")
    try:
        return raw.decode("utf-16" if wide else "utf-8-sig"), wide or "utf-8"
    except UnicodeDecodeError:
        return None


def _get_source(document: Page) -> tuple[bytes, str]:
    """Return the source of a page, empty if it is not text, and its encoding if it was transcoded from UTF-16 or UTF-32."""
    scanned = read(to_page(document))
    if scanned.syntax is Syntax.NONE:
        return b"", ""
    is_wide = scanned.transcoded.startswith(("utf-16", "utf-32"))
    return (scanned.source, scanned.transcoded) if is_wide else (scanned.page.raw, "")
