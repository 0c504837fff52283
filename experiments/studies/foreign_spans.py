"""Spans of corpus files in another language, by models trained without their source.

    python experiments/studies/foreign_spans.py [--data DIR]

This prints spans that are not recognised as the file's label, to be checked by hand; those that were dropped are in
lab/train/corpus/read.py (DROPPED_SPANS) and are not printed any more.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from webtongue.lab.train.corpus.audit import audit
from webtongue.lab.train.corpus.read import read_corpus
from webtongue.lab.train.text.foreign_spans import find_foreign_spans, most_common

# Sources of the shipped models and of the papers' experiments; sources that share texts are held out together.
FOLDS = (("udhr",), ("tatoeba", "mozilla"), ("commonvoice", "mediawiki"), ("ebible", "bible2"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    options = parser.parse_args()
    clean, _ = audit(read_corpus(options.data / "train"))
    raw = read_corpus(options.data / "train", only=frozenset(source for fold in FOLDS for source in fold))
    corpus = type(clean)(clean.lines | raw.lines)  # the files are checked as methods read them
    for span in sorted(
        find_foreign_spans(corpus, FOLDS, set(clean.labels)), key=lambda span: (span.source, span.label)
    ):
        lines = corpus.lines[span.source, span.label]
        size = sum(map(len, lines[span.begin : span.end]))
        print(
            f"{span.source:12} {span.label:10} lines {span.begin}-{span.end} of {len(lines)}, {size:,} characters: "
            f"{most_common(span.answers)} ({len(span.answers)} spans); {span.recognised:.0%} of the file recognised",
            flush=True,
        )


if __name__ == "__main__":
    main()
