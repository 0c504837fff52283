"""A few words of a text around what was looked for in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Snippet", "snippet_of"]

WIDTH = 160  # characters: a line or two of a terminal
BEFORE = 50  # of them before the first hit
LOOKED_AT = 200_000  # characters of a text in which the first hit is looked for: a longer one is shown by its beginning
NEAR = 20  # characters within which a snippet is cut between words


@dataclass(frozen=True, slots=True)
class Snippet:
    """Text on one line, and where the hits are in it."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    def marked(self, before: str, after: str) -> str:
        """With something before and after each hit.

        >>> Snippet("Góðan dag", ((6, 9),)).marked("<", ">")
        'Góðan <dag>'
        """
        out, at = [], 0
        for begin, end in self.marks:
            out += [self.text[at:begin], before, self.text[begin:end], after]
            at = end
        return "".join([*out, self.text[at:]])


def snippet_of(text: str, keys: Sequence[str], plain: bool) -> Snippet:
    """Around the first of some words or phrases; ``plain``: they are told without their accents.

    >>> snippet_of("Lína eitt.\\nBókasafnið er opið um helgar.", ["bokasafnið", "er  opið"], True).marked("[", "]")
    'Lína eitt. [Bókasafnið] [er opið] um helgar.'
    """
    line = " ".join(text[:LOOKED_AT].split())
    folded, places = _folded(line, plain)
    found = [
        (places[hit.start()], places[hit.end() - 1] + 1)
        for key in keys
        if key
        for hit in _pattern(key).finditer(folded)
    ]
    first = min(found, default=(0, 0))[0]
    begin, end = _window(line, first)
    head, tail = "…" if begin else "", "…" if end < len(line) else ""
    marks = sorted({(b - begin + len(head), e - begin + len(head)) for b, e in found if b >= begin and e <= end})
    apart = [mark for i, mark in enumerate(marks) if i == 0 or mark[0] >= marks[i - 1][1]]
    return Snippet(f"{head}{line[begin:end]}{tail}", tuple(apart))


def _pattern(key: str) -> re.Pattern[str]:
    words = r"[\W_]+".join(re.escape(word) for word in key.split())
    return re.compile(rf"(?<!\w){words}(?!\w)|{words}")


def _folded(text: str, plain: bool) -> tuple[str, list[int]]:
    """A text for comparison, and the place in the text of each of its characters."""
    out: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        same = char.lower()
        if plain and not char.isascii():
            same = "".join(c for c in unicodedata.normalize("NFD", same) if not unicodedata.combining(c))
        out.append(same)
        places += [place] * len(same)
    return "".join(out), places


def _window(line: str, first: int) -> tuple[int, int]:
    """Where a snippet begins and ends: between words, if one ends near."""
    begin = max(0, min(first - BEFORE, len(line) - WIDTH))
    end = min(len(line), begin + WIDTH)
    if begin and (space := line.find(" ", begin, min(begin + NEAR, first + 1))) >= 0:
        begin = space + 1
    if end < len(line) and (space := line.rfind(" ", end - NEAR, end)) > first:
        end = space
    return begin, end
