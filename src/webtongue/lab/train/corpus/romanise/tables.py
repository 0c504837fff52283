"""Read the tables of romanisation, `data/romanise/*.tsv`.

`letters.tsv`: label, system, letter, spellings. The system `usual` is what most people write; the rows of another system replace
some of its rows, for some writers. A label may inherit the rows of another label (`like`).
`LABEL.tsv`: a word in the native script, or its end (`*abc`), and its spellings in Latin letters. A `-` in place of the word marks
words that occur only in chat. Spellings are separated by `|`; one given twice is twice as likely.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache

from webtongue.files import DATA, read_rows
from webtongue.lab.train.corpus.romanise.writer import Writer

__all__ = ["USUAL", "Spellings", "Words", "read_letters", "read_words"]

FOLDER = DATA / "romanise"
USUAL, LIKE = "usual", "like"
MIN_STEM_CHARS = 2  # before a known end

Options = tuple[str, ...]


@dataclass(slots=True)
class Words:
    """Usual spellings of full words, of ends of words, and of words that occur only in chat."""

    full: dict[str, Options] = field(default_factory=dict)
    ends: dict[str, Options] = field(default_factory=dict)
    chat: list[Options] = field(default_factory=list)

    def find(self, word: str, writer: Writer) -> str | None:
        """Return the spelling of a word, or None if the table does not have it."""
        options = self.full.get(word)
        return None if options is None else writer.pick(word, options)

    def split(self, word: str, writer: Writer) -> tuple[str, str, str]:
        """Return the stem before the longest known end, that end, and its spelling; (word, "", "") if no end is known."""
        for at in range(MIN_STEM_CHARS, len(word)):
            if (options := self.ends.get(word[at:])) is not None:
                return word[:at], word[at:], writer.pick(f"*{word[at:]}", options)
        return word, "", ""


@dataclass(frozen=True, slots=True)
class Spellings:
    """Spellings of letters and runs of letters in one system; ``longest`` is the length of the longest run."""

    options: dict[str, Options]
    longest: int

    def __contains__(self, letter: str) -> bool:
        return letter in self.options

    def write(self, letter: str, writer: Writer) -> str:
        return writer.pick(letter, self.options[letter])


@cache
def read_words(label: str) -> Words:
    """Return the word table of a label, empty if it has none."""
    words = Words()
    path = FOLDER / f"{label}.tsv"
    for native, spellings in read_rows(path) if path.exists() else []:
        options = tuple(spellings.split("|"))
        if native == "-":
            words.chat.append(options)
        elif native.startswith("*"):
            words.ends[native[1:]] = options
        else:
            words.full[native] = options
    return words


@cache
def read_letters(label: str) -> dict[str, Spellings]:
    """Return the spellings of a label by system; every label has the system `usual`."""
    systems: dict[str, dict[str, Options]] = defaultdict(dict)
    for owner, system, letter, forms in read_rows(FOLDER / "letters.tsv"):
        if owner == label and system == LIKE:
            systems = defaultdict(
                dict, {name: dict(spellings.options) for name, spellings in read_letters(letter).items()}
            )
        elif owner == label:
            systems[system][letter] = tuple(forms.split("|"))
    usual = systems[USUAL]
    complete = {name: usual | letters for name, letters in systems.items()}
    return {name: Spellings(options, max(map(len, options))) for name, options in complete.items()}
