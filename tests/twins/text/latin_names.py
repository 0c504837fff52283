"""Count Latin letters of names inside text of another script: the readable twin of native/text/latin_names.cpp."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from tests.twins.text.running_words import is_upper
from tests.twins.text.sentences import group_of

MIN_RUNNING_WORDS, LONG_ROW_WORDS = 3, 6
OPENING, CLOSING = set("«“‘„‟‛‚〈《「『"), set("»”’」")
LOWER_WORDS_PER_OTHER, CJK_WORD_LETTERS, UNSPACED_WORD_LETTERS = 2, 5, 6
LATIN, CJK = group_of("a", 0), group_of("文", 0)
APOSTROPHES = set("'’‘\u02bc`\u00b4")


@dataclass
class Row:
    """Latin words without a word of another script, a number or a quotation mark between them."""

    words: int = 0
    lower_words: int = 0
    letters: int = 0

    def name_letters(self, is_quoted: bool) -> int:
        if self.words >= MIN_RUNNING_WORDS and self.lower_words * 2 > self.words:
            return self.letters // 2 if is_quoted else 0
        return self.letters // 2 if self.words >= LONG_ROW_WORDS else self.letters


def is_quote(char: str) -> bool:
    return char in '"«»' or "\u2018" <= char <= "\u201f" or "\u3008" <= char <= "\u300f"


class Counter:
    """Counts of a text: letters of names, Latin words, words of other scripts."""

    def __init__(self) -> None:
        self.names = self.words = self.lower_words = self.other_words = 0
        self.other_letters = 0  # of the current word
        self.row, self.in_word, self.is_quoted = Row(), False, False

    def end_row(self) -> None:
        self.names += self.row.name_letters(self.is_quoted)
        self.words += self.row.words
        self.lower_words += self.row.lower_words
        self.row, self.in_word = Row(), False

    def add_sign(self, char: str) -> None:
        if char in "\n()0123456789" or is_quote(char):
            self.end_row()
        if is_quote(char):
            self.is_quoted = not self.is_quoted if char == '"' else char not in CLOSING
        if char == "\n":
            self.is_quoted = False
        if char not in APOSTROPHES and char != "-":
            self.in_word, self.other_letters = False, 0

    def add_other(self, char: str, group: int) -> None:
        self.end_row()
        is_unspaced = "\u0e00" <= char < "\u10a0" or "\u1780" <= char < "\u1800"
        size = CJK_WORD_LETTERS if group == CJK else UNSPACED_WORD_LETTERS if is_unspaced else 1 << 32
        if self.other_letters == 0 or self.other_letters >= size:
            self.other_words += 1
            self.other_letters = 0
        self.other_letters += 1

    def add_latin(self, char: str) -> None:
        self.other_letters = 0
        self.row.letters += 1
        if not self.in_word:
            self.in_word = True
            self.row.words += 1
            self.row.lower_words += not is_upper(unicodedata.normalize("NFC", char))


def count_latin_names(text: str) -> int:
    counter = Counter()
    for char in text:
        group = group_of(char, 0)
        if group is None:
            counter.add_sign(char)
        elif group == LATIN:
            counter.add_latin(char)
        elif group:
            counter.add_other(char, group)
    counter.end_row()
    is_latin_text = (
        counter.words >= MIN_RUNNING_WORDS and counter.lower_words >= LOWER_WORDS_PER_OTHER * counter.other_words
    )
    return 0 if is_latin_text else counter.names
