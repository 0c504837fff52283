"""Write src/webtongue/data/stop_words.tsv: the commonest words of each label in the training corpus.

    python tools/tables/make_stop_words.py CORPUS

CORPUS is a folder of SOURCE/LABEL.txt.xz. Every source counts alike, so that a word has to be common in several of them. Sources of
interface text have no sentences and are left out. Labels in scripts without spaces between words have no list.
"""

from __future__ import annotations

import lzma
import sys
from collections import Counter, defaultdict
from itertools import islice
from pathlib import Path

from webtongue.content.quality import WORD

OUT = Path(__file__).parents[2] / "src" / "webtongue" / "data" / "stop_words.tsv"
WORDS_PER_LABEL = 25
MAX_LINES = 4000  # Lines that are read of one label in one source.
MIN_WORDS = 5000  # A source with fewer words of a label is left out.
MAX_WORD_CHARS = 8  # Longer words are rare, or text without spaces.
INTERFACE_SOURCES = frozenset(
    ("gnomedocs", "langdata", "libreoffice", "mediawiki", "mozilla", "uistrings", "webmenu", "wesnoth")
)
WITHOUT_SPACES = frozenset(("Hans", "Hant", "Jpan", "Khmr", "Laoo", "Mymr", "Thai", "Tibt"))


def main() -> None:
    shares: dict[str, Counter[str]] = defaultdict(Counter)
    for path in sorted(Path(sys.argv[1]).glob("*/*.txt.xz")):
        label = path.name.partition(".")[0]
        if path.parent.name in INTERFACE_SOURCES or label.partition("_")[2] in WITHOUT_SPACES:
            continue
        with lzma.open(path, "rt", encoding="utf-8") as file:
            words = Counter(word for line in islice(file, MAX_LINES) for word in WORD.findall(line.lower()))
        total = words.total()
        if total >= MIN_WORDS:
            for word, count in words.most_common(200):
                if len(word) <= MAX_WORD_CHARS and not any(char.isdigit() for char in word):
                    shares[label][word] += round(1e6 * count / total)
    lines = [
        f"{label}\t{' '.join(word for word, _ in shares[label].most_common(WORDS_PER_LABEL))}"
        for label in sorted(shares)
    ]
    OUT.write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{len(lines)} labels, {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
