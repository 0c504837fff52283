"""Files that methods are fitted on, read stretch by stretch by models that were trained without their source.

    python experiments/studies/foreign_stretches.py [--data DIR]

Prints what is not recognised as the file's label, for a person to judge; what is left out since stands in
train/corpus/read.py (DROPPED_STRETCHES) and is not read here any more.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from webtongue.train.corpus.audit import audit
from webtongue.train.corpus.read import read_corpus
from webtongue.train.text.stretches import commonest, read_by_others

# Sources of the shipped models and of the papers' experiments; those that share texts are left out together.
FOLDS = (("udhr",), ("tatoeba", "mozilla"), ("commonvoice", "mediawiki"), ("ebible", "bible2"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    options = parser.parse_args()
    clean, _ = audit(read_corpus(options.data / "train"))
    raw = read_corpus(options.data / "train", only=frozenset(source for fold in FOLDS for source in fold))
    corpus = type(clean)(clean.lines | raw.lines)  # what is judged are the files as methods read them
    for found in sorted(read_by_others(corpus, FOLDS, set(clean.labels)), key=lambda one: (one.source, one.label)):
        lines = corpus.lines[found.source, found.label]
        size = sum(map(len, lines[found.begin : found.end]))
        print(
            f"{found.source:12} {found.label:10} lines {found.begin}-{found.end} of {len(lines)}, {size:,} characters: "
            f"{commonest(found.answers)} ({len(found.answers)} stretches); {found.of_file:.0%} of the file recognised",
            flush=True,
        )


if __name__ == "__main__":
    main()
