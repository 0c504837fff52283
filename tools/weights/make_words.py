"""Write word lists for training from the package wordfreq.

    pip install wordfreq
    python tools/weights/make_words.py [--output build/words]
    webtongue train CORPUS --words build/words --words OTHER_LISTS -o MODEL

This writes LABEL.tsv (word, occurrences per billion) and licence.txt. Training text of large languages is mostly interface text and
short sentences; the lists were counted on subtitles, encyclopedias, news, books and the web. Languages without spaces between
words are excluded, and Serbo-Croatian, which is three labels here.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import wordfreq

from webtongue import labels

MAX_WORDS = 200_000  # of a list
EXCLUDED = ("ja", "ko", "sh", "zh")
LICENCE = "wordfreq 3 (Robyn Speer), CC BY-SA 4.0"


def word_list(language: str) -> list[tuple[str, int]]:
    """Return words without digits, most frequent first, with their count per billion."""
    frequencies = wordfreq.get_frequency_dict(language, wordlist="best")
    counts = [(word, round(share * 1e9)) for word, share in frequencies.items() if not any(map(str.isdigit, word))]
    return sorted(counts, key=lambda item: (-item[1], item[0]))[:MAX_WORDS]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", default="build/words", type=Path)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for language in sorted(wordfreq.available_languages("best")):
        if language not in EXCLUDED:
            label = str(labels.fold(language))
            rows = word_list(language)
            text = "".join(f"{word}\t{count}\n" for word, count in rows)
            (options.output / f"{label}.tsv").write_text(text, "utf-8")
            print(f"{label}: {len(rows)} words")
    (options.output / "licence.txt").write_text(LICENCE + "\n", "utf-8")


if __name__ == "__main__":
    main()
