"""Word lists as training text, for labels that have little or none: words drawn by their frequency.

A folder of `label.tsv[.xz]`: word, frequency. What comes out is no text, but its words and their n-grams are right.
"""

from __future__ import annotations

import random
from pathlib import Path

from webtongue.train.corpus import DROPPED_LABELS, FOLDS, Corpus, read_lines

__all__ = ["SOURCE", "add_words"]

SOURCE = "words"
LINES = 1500  # a label: some 120 kB
IN_LINE = 12
FLATTER = 0.75  # power of the frequency that words are drawn by: the first few would be most of the text otherwise


def add_words(corpus: Corpus, folder: Path) -> None:
    """Adds a source of lines made from each list."""
    for path in sorted(folder.glob("*.tsv*")):
        label = path.name.split(".")[0]
        if label in DROPPED_LABELS:
            continue
        words, weights = _read_list(path)
        if words:
            rnd = random.Random(f"words/{label}")
            lines = [" ".join(rnd.choices(words, weights, k=IN_LINE)) for _ in range(LINES)]
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
