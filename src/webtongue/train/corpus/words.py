"""Word lists as training text: words drawn by their frequency.

A folder of `label.tsv[.xz]`: word, frequency. What comes out is no text, but its words and their n-grams are right. Terms of use
are taken from `licence.txt` beside the lists. tools/weights/make_words.py writes lists of well-known languages.
"""

from __future__ import annotations

import random
from itertools import accumulate
from pathlib import Path

from webtongue.train.corpus.read import DROPPED_LABELS, FOLDS, Corpus, read_lines

__all__ = ["SOURCE", "add_words", "terms"]

SOURCE = "words"
UNSPACED = ("_Hans", "_Hant", "_Jpan")  # written without spaces: a list's words are not what a reader meets
CUT = frozenset({"mal_Mlym"})  # lists of it were counted on words cut into pieces
SHORT = 12_000  # words up to which a list is short: it was counted on little text
LINES = 1_500  # lines made of a short list, some 120 kB
MOST_LINES = 20_000  # lines made of a long list at most; it gives one for every two words
IN_LINE = 12  # words of a line
FLATTER = 0.9  # power of the frequency that words are drawn by: the first few would be most of the text otherwise


def add_words(corpus: Corpus, folder: Path) -> None:
    """Adds a source of lines made from each list."""
    for path in sorted(folder.glob("*.tsv*")):
        label = path.name.split(".")[0]
        if label in DROPPED_LABELS or label.endswith(UNSPACED) or label in CUT:
            continue
        words, weights = _read_list(path)
        if words:
            rnd = random.Random(f"words/{label}")
            count = LINES if len(words) <= SHORT else min(MOST_LINES, len(words) // 2)
            sums = list(accumulate(weights))
            lines = [" ".join(rnd.choices(words, cum_weights=sums, k=IN_LINE)) for _ in range(count)]
            corpus.lines.setdefault((SOURCE, FOLDS.get(label, label)), []).extend(lines)


def _read_list(path: Path) -> tuple[list[str], list[float]]:
    words: list[str] = []
    weights: list[float] = []
    for line in read_lines(path):
        word, _, frequency = line.partition("\t")
        if word and frequency.strip().isdecimal():
            words.append(word)
            weights.append(int(frequency) ** FLATTER)
    return words, weights


def terms(folder: Path) -> list[str]:
    """The licence that a folder of lists states."""
    path = folder / "licence.txt"
    return [path.read_text("utf-8").strip()] if path.exists() else []
