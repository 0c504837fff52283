"""The tables of romanisation, `data/romanise/*.tsv`.

`letters.tsv`: label, system, letter, spellings. The system `usual` is what most people write; another is a set of rows that
replace some of its, for some writers. A label may take over the rows of another (`like`).
`LABEL.tsv`: a word as it is written in the native script, or its end (`*abc`), and how people write it in Latin letters. A `-` in
place of the word is for what is only ever written in chat. Spellings are parted by `|`; one given twice is twice as likely.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache

from webtongue.files import DATA, rows
from webtongue.train.corpus.romanise.writer import Writer

__all__ = ["USUAL", "Spellings", "Words", "letters_of", "words_of"]

FOLDER = DATA / "romanise"
USUAL, LIKE = "usual", "like"
LEAST_STEM = 2  # characters that must be left before a known end

Options = tuple[str, ...]


@dataclass(slots=True)
class Words:
    """Usual spellings of common words and of ends of words."""

    whole: dict[str, Options] = field(default_factory=dict)
    ends: dict[str, Options] = field(default_factory=dict)
    chat: list[Options] = field(default_factory=list)

    def find(self, word: str, writer: Writer) -> str | None:
        options = self.whole.get(word)
        return None if options is None else writer.pick(word, options)

    def split(self, word: str, writer: Writer) -> tuple[str, str, str]:
        """The word before its longest known end, that end, and its spelling; the whole word and nothing if it has none."""
        for at in range(LEAST_STEM, len(word)):
            if (options := self.ends.get(word[at:])) is not None:
                return word[:at], word[at:], writer.pick(f"*{word[at:]}", options)
        return word, "", ""


@dataclass(frozen=True, slots=True)
class Spellings:
    """How letters are written, by one system."""

    options: dict[str, Options]
    longest: int

    def __contains__(self, letter: str) -> bool:
        return letter in self.options

    def write(self, letter: str, writer: Writer) -> str:
        return writer.pick(letter, self.options[letter])


@cache
def words_of(label: str) -> Words:
    """The word table of a label, empty if it has none."""
    words = Words()
    path = FOLDER / f"{label}.tsv"
    for native, forms in rows(path) if path.exists() else []:
        options = tuple(forms.split("|"))
        if native == "-":
            words.chat.append(options)
        elif native.startswith("*"):
            words.ends[native[1:]] = options
        else:
            words.whole[native] = options
    return words


@cache
def letters_of(label: str) -> dict[str, Spellings]:
    """System -> spellings of a label; all have `usual`."""
    found: dict[str, dict[str, Options]] = defaultdict(dict)
    for owner, system, letter, forms in rows(FOLDER / "letters.tsv"):
        if owner == label and system == LIKE:
            found = defaultdict(dict, {name: dict(known.options) for name, known in letters_of(letter).items()})
        elif owner == label:
            found[system][letter] = tuple(forms.split("|"))
    usual = found[USUAL]
    systems = {name: usual | own for name, own in found.items()}
    return {name: Spellings(options, max(map(len, options))) for name, options in systems.items()}
