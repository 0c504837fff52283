"""Generate training text from word lists: words drawn by their frequency.

Word lists are files `label.tsv[.xz]` with a word and its frequency per row. The lines are not real text, but their words and
n-grams are right. The licence is read from `licence.txt` beside the lists. tools/weights/make_words.py writes lists of
well-known languages.
"""

from __future__ import annotations

import random
from itertools import accumulate
from pathlib import Path

from webtongue.lab.train.corpus.read import DROPPED_LABELS, FOLDED_LABELS, Corpus, read_lines

__all__ = ["SOURCE", "add_words", "read_licence"]

SOURCE = "words"
UNSPACED_SUFFIXES = ("_Hans", "_Hant", "_Jpan")  # written without spaces: listed words are not visible in running text
EXCLUDED_LABELS = frozenset({"mal_Mlym"})  # the lists were counted on words cut into pieces
MAX_SHORT_LIST_WORDS = 12_000  # a list with so few words was counted on little text
LINES_OF_SHORT_LIST = 1_500  # about 120 kB
MAX_LINES = 20_000  # a long list gives one line for every two words, up to this limit
WORDS_PER_LINE = 12
FREQUENCY_POWER = 0.9  # with power 1 the first few words would be most of the text


def add_words(corpus: Corpus, folder: Path) -> None:
    """Add a source of generated lines for each word list of a folder."""
    for path in sorted(folder.glob("*.tsv*")):
        label = path.name.split(".")[0]
        if label in DROPPED_LABELS or label.endswith(UNSPACED_SUFFIXES) or label in EXCLUDED_LABELS:
            continue
        words, weights = _read_list(path)
        if words:
            rng = random.Random(f"words/{label}")
            line_count = LINES_OF_SHORT_LIST if len(words) <= MAX_SHORT_LIST_WORDS else min(MAX_LINES, len(words) // 2)
            cumulative_weights = list(accumulate(weights))
            lines = [
                " ".join(rng.choices(words, cum_weights=cumulative_weights, k=WORDS_PER_LINE))
                for _ in range(line_count)
            ]
            corpus.lines.setdefault((SOURCE, FOLDED_LABELS.get(label, label)), []).extend(lines)


def _read_list(path: Path) -> tuple[list[str], list[float]]:
    words: list[str] = []
    weights: list[float] = []
    for line in read_lines(path):
        word, _, frequency = line.partition("\t")
        if word and frequency.strip().isdecimal():
            words.append(word)
            weights.append(int(frequency) ** FREQUENCY_POWER)
    return words, weights


def read_licence(folder: Path) -> list[str]:
    """Return the licence that a folder of word lists states, as a list of one item or none."""
    path = folder / "licence.txt"
    return [path.read_text("utf-8").strip()] if path.exists() else []
