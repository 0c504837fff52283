"""What the words of a link weigh against the URL they lead to: `python tools/weights/fit_anchor.py --data ../shared/data`.

Links whose target is a URL of the training list on domains held out of a fit: one anchor a URL, at most 20 URLs a domain. Prints
loss and accuracy by weight; the least loss is ANCHOR_WEIGHT in webtongue/address.py.
"""

from __future__ import annotations

import argparse
import lzma
import math
from collections import Counter
from pathlib import Path

import numpy as np

from webtongue import Identifier
from webtongue.address import LEAST
from webtongue.train.url.config import UrlConfig
from webtongue.train.url.features import chosen
from webtongue.train.url.rows import fold_of
from webtongue.train.url.train import fit_corpus, read_corpus

FOLDS, MOST_OF_DOMAIN = 5, 20
WEIGHTS = np.arange(0, 1.05, 0.05)


def anchors(path: Path, targets: set[str]) -> dict[str, str]:
    """The first anchor of each target."""
    found: dict[str, str] = {}
    with lzma.open(path, "rt", encoding="utf-8", errors="replace") as file:
        for line in file:
            cells = line.rstrip("\n").split("\t")
            if len(cells) == 5 and cells[3] in targets and cells[4].strip():
                found.setdefault(cells[3], cells[4].strip())
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    data = parser.parse_args().data
    config = UrlConfig()
    corpus = read_corpus(data, config, print)
    folds = fold_of([row.domain for row in corpus.rows], FOLDS)
    held = np.flatnonzero(folds == 0)
    fitted = fit_corpus(corpus, np.flatnonzero(folds != 0), config, print)
    scores = fitted.fit.scores(chosen(fitted.rows, held)) + fitted.priors.offsets
    words = anchors(data / "links" / "edges.tsv.xz", {corpus.rows[i].url for i in held})
    ident, of_domain = Identifier(), Counter[str]()
    said, linked, truth = [], [], []
    for score, i in zip(scores, held, strict=True):
        row = corpus.rows[i]
        if row.url not in words or of_domain[row.domain] >= MOST_OF_DOMAIN:
            continue
        of_domain[row.domain] += 1
        guessed = Counter[str]()
        for guess in ident.identify_text(words[row.url]).guesses:
            guessed[guess.label.partition("_")[0]] += guess.probability
        if guessed:
            said.append(score - np.logaddexp.reduce(score))
            linked.append([math.log(max(guessed[language], LEAST)) for language in corpus.languages])
            truth.append(corpus.truth[i])
    print(f"{len(truth)} links on {len(of_domain)} domains")
    for weight in WEIGHTS:
        both = np.array(said) + weight * np.array(linked)
        both -= np.logaddexp.reduce(both, axis=1)[:, None]
        right = np.mean(both.argmax(1) == truth)
        print(f"{weight:.2f}: loss {-both[np.arange(len(truth)), truth].mean():.4f}, accuracy {100 * right:.2f}")


if __name__ == "__main__":
    main()
