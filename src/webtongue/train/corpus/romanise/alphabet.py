"""Words of Cyrillic, Greek, Armenian and Georgian letters: letter by letter, the longest known run of letters first."""

from __future__ import annotations

from webtongue.train.corpus.romanise.tables import Spellings
from webtongue.train.corpus.romanise.writer import Writer

__all__ = ["romanise"]


def romanise(word: str, spellings: Spellings, writer: Writer) -> str:
    """The word as this writer spells it; capitals stay capitals. `^` before a run of letters is the word's beginning, `$` its end.

    >>> import random
    >>> romanise("Тата", Spellings({"т": ("t",), "а": ("a",)}, 1), Writer(random.Random(0)))
    'Tata'
    """
    lower = word.lower()
    out, at = [], 0
    while at < len(lower):
        key, used = _longest(lower, at, spellings)
        new = spellings.write(key, writer) if key else lower[at]
        out.append(_cased(new, word, at, used))
        at += used
    return "".join(out)


def _longest(word: str, at: int, spellings: Spellings) -> tuple[str, int]:
    for size in range(min(spellings.longest, len(word) - at), 0, -1):
        run = word[at : at + size]
        first, last = at == 0, at + size == len(word)
        for key in ((f"^{run}",) if first else ()) + ((f"{run}$",) if last else ()) + (run,):
            if key in spellings:
                return key, size
    return "", 1


def _cased(new: str, word: str, at: int, used: int) -> str:
    if not word[at].isupper():
        return new
    return new.upper() if len(word) > used and word.isupper() else new[:1].upper() + new[1:]
