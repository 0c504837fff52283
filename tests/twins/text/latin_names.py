"""Count Latin letters of names inside text of another script: the readable twin of native/text/latin_names.cpp."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from tests.twins.text.running_words import is_upper
from tests.twins.text.sentences import group_of

MIN_RUNNING_WORDS, LONG_ROW_WORDS = 3, 6
OPENING, CLOSING = set("«“‘„‟‛‚〈《「『"), set("»”’」")
LATIN = group_of("a", 0)
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


def count_latin_names(text: str) -> int:
    names, row, is_quoted, in_word = 0, Row(), False, False
    for char in text:
        group = group_of(char, 0)
        if group is None:
            if char in "\n()0123456789" or is_quote(char):
                names, row, in_word = names + row.name_letters(is_quoted), Row(), False
            if is_quote(char):
                is_quoted = not is_quoted if char == '"' else char not in CLOSING
            if char == "\n":
                is_quoted = False
            in_word = in_word and (char in APOSTROPHES or char == "-")
        elif group == 0:
            continue
        elif group != LATIN:
            names, row, in_word = names + row.name_letters(is_quoted), Row(), False
        else:
            row.letters += 1
            if not in_word:
                in_word = True
                row.words += 1
                row.lower_words += not is_upper(unicodedata.normalize("NFC", char))
    return names + row.name_letters(is_quoted)
