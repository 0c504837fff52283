"""Fit the weight of a link's anchor text beside its URL: `python tools/weights/fit_anchor.py --data ../shared/data`.

The links lead to URLs of the training list on domains held out of a fit: one anchor for each URL, at most 20 URLs of a domain. This
prints loss and accuracy by weight; the weight of least loss is ``EVIDENCE.anchor_weight`` in webtongue/policy.py.
"""

from __future__ import annotations

import argparse
import lzma
import math
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from webtongue import Identifier
from webtongue.lab.train.url.config import UrlConfig
from webtongue.lab.train.url.features import select_rows
from webtongue.lab.train.url.rows import assign_folds
from webtongue.lab.train.url.train import fit_corpus, read_corpus
from webtongue.policy import EVIDENCE

FOLDS, MAX_URLS_PER_DOMAIN = 5, 20
WEIGHTS = np.arange(0, 1.05, 0.05)


def read_anchors(path: Path, targets: set[str]) -> dict[str, str]:
    """Return the first anchor of each target."""
    anchor_by_url: dict[str, str] = {}
    with lzma.open(path, "rt", encoding="utf-8", errors="replace") as file:
        for line in file:
            cells = line.rstrip("\n").split("\t")
            if len(cells) == 5 and cells[3] in targets and cells[4].strip():
                anchor_by_url.setdefault(cells[3], cells[4].strip())
    return anchor_by_url


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    data = parser.parse_args().data
    config = UrlConfig()
    corpus = read_corpus(data, config, print)
    folds = assign_folds([row.domain for row in corpus.rows], FOLDS)
    held_out = np.flatnonzero(folds == 0)
    fitted = fit_corpus(corpus, np.flatnonzero(folds != 0), config, print)
    scores = fitted.fit.scores(select_rows(fitted.rows, held_out)) + fitted.priors.offsets
    anchor_by_url = read_anchors(data / "links" / "edges.tsv.xz", {corpus.rows[i].url for i in held_out})
    ident, urls_by_domain = Identifier(), Counter[str]()
    url_logs, anchor_logs, truth = [], [], []
    for score, i in zip(scores, held_out, strict=True):
        row = corpus.rows[i]
        if row.url not in anchor_by_url or urls_by_domain[row.domain] >= MAX_URLS_PER_DOMAIN:
            continue
        urls_by_domain[row.domain] += 1
        probabilities: defaultdict[str, float] = defaultdict(float)
        for guess in ident.identify_text(anchor_by_url[row.url]).guesses:
            probabilities[guess.label.partition("_")[0]] += guess.probability
        if probabilities:
            url_logs.append(score - np.logaddexp.reduce(score))
            anchor_logs.append(
                [
                    math.log(max(probabilities[language], EVIDENCE.min_anchor_probability))
                    for language in corpus.languages
                ]
            )
            truth.append(corpus.truth[i])
    print(f"{len(truth)} links on {len(urls_by_domain)} domains")
    for weight in WEIGHTS:
        combined = np.array(url_logs) + weight * np.array(anchor_logs)
        combined -= np.logaddexp.reduce(combined, axis=1)[:, None]
        right = np.mean(combined.argmax(1) == truth)
        print(f"{weight:.2f}: loss {-combined[np.arange(len(truth)), truth].mean():.4f}, accuracy {100 * right:.2f}")


if __name__ == "__main__":
    main()
