"""Build snippets: a line of a text around the first match of a query."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Snippet", "build_snippet"]

SNIPPET_CHARS = 160  # a line or two of a terminal
CHARS_BEFORE_MATCH = 50
MAX_SEARCHED_CHARS = 200_000  # a text without a match before this is shown from its beginning
MAX_CUT_CHARS = 20  # removed at an end so that no word is cut


@dataclass(frozen=True, slots=True)
class Snippet:
    """A line of text, and the ranges of the matches in it."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    def marked(self, before: str, after: str) -> str:
        """Return the text with marks before and after each match.

        >>> Snippet("Góðan dag", ((6, 9),)).marked("<", ">")
        'Góðan <dag>'
        """
        chunks, position = [], 0
        for begin, end in self.marks:
            chunks += [self.text[position:begin], before, self.text[begin:end], after]
            position = end
        return "".join([*chunks, self.text[position:]])


def build_snippet(text: str, keys: Sequence[str], strip_accents: bool) -> Snippet:
    """Return the snippet around the first of some words or phrases; ``strip_accents`` ignores accents in the text.

    >>> build_snippet("Lína eitt.\\nBókasafnið er opið um helgar.", ["bokasafnið", "er  opið"], True).marked("[", "]")
    'Lína eitt. [Bókasafnið] [er opið] um helgar.'
    """
    line = " ".join(text[:MAX_SEARCHED_CHARS].split())
    folded, positions = _fold(line, strip_accents)
    matches = [
        (positions[match.start()], positions[match.end() - 1] + 1)
        for key in keys
        if key
        for match in _pattern(key).finditer(folded)
    ]
    first = min(matches, default=(0, 0))[0]
    begin, end = _window(line, first)
    head, tail = "…" if begin else "", "…" if end < len(line) else ""
    marks = sorted({(b - begin + len(head), e - begin + len(head)) for b, e in matches if b >= begin and e <= end})
    disjoint = [mark for i, mark in enumerate(marks) if i == 0 or mark[0] >= marks[i - 1][1]]
    return Snippet(f"{head}{line[begin:end]}{tail}", tuple(disjoint))


def _pattern(key: str) -> re.Pattern[str]:
    words = r"[\W_]+".join(re.escape(word) for word in key.split())
    return re.compile(rf"(?<!\w){words}(?!\w)|{words}")


def _fold(text: str, strip_accents: bool) -> tuple[str, list[int]]:
    """Return a text in lower case, and the position in the text of each of its characters."""
    chunks: list[str] = []
    positions: list[int] = []
    for position, char in enumerate(text):
        folded = char.lower()
        if strip_accents and not char.isascii():
            folded = "".join(c for c in unicodedata.normalize("NFD", folded) if not unicodedata.combining(c))
        chunks.append(folded)
        positions += [position] * len(folded)
    return "".join(chunks), positions


def _window(line: str, first: int) -> tuple[int, int]:
    """Return the range of a snippet, which is cut between words if possible."""
    begin = max(0, min(first - CHARS_BEFORE_MATCH, len(line) - SNIPPET_CHARS))
    end = min(len(line), begin + SNIPPET_CHARS)
    if begin and (space := line.find(" ", begin, min(begin + MAX_CUT_CHARS, first + 1))) >= 0:
        begin = space + 1
    if end < len(line) and (space := line.rfind(" ", end - MAX_CUT_CHARS, end)) > first:
        end = space
    return begin, end
