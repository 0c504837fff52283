"""Romanise words of Cyrillic, Greek, Armenian, Georgian and Ethiopic letters: letter by letter, longest known run first."""

from __future__ import annotations

from webtongue.lab.train.corpus.romanise.tables import Spellings
from webtongue.lab.train.corpus.romanise.writer import Writer

__all__ = ["romanise"]


def romanise(word: str, spellings: Spellings, writer: Writer) -> str:
    """Return the word as this writer spells it, with its capitals. In the table `^abc` is the start of a word and `abc$` its end.

    >>> import random
    >>> romanise("Тата", Spellings({"т": ("t",), "а": ("a",)}, 1), Writer(random.Random(0)))
    'Tata'
    """
    lower = "".join(char.lower()[0] for char in word)
    spellings_of_runs, index = [], 0
    while index < len(lower):
        key, length = _find_run(lower, index, spellings)
        spelling = spellings.write(key, writer) if key else lower[index]
        spellings_of_runs.append(_copy_case(spelling, word, index, length))
        index += length
    return "".join(spellings_of_runs)


def _find_run(word: str, index: int, spellings: Spellings) -> tuple[str, int]:
    for length in range(min(spellings.longest, len(word) - index), 0, -1):
        run = word[index : index + length]
        first, last = index == 0, index + length == len(word)
        for key in ((f"^{run}",) if first else ()) + ((f"{run}$",) if last else ()) + (run,):
            if key in spellings:
                return key, length
    return "", 1


def _copy_case(spelling: str, word: str, index: int, length: int) -> str:
    if not word[index].isupper():
        return spelling
    return spelling.upper() if len(word) > length and word.isupper() else spelling[:1].upper() + spelling[1:]
