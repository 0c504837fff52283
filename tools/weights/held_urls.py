"""A URL model that has not seen a tenth of the domains: `python tools/weights/held_urls.py DATA OUT`.

What weighs addresses against other evidence must be learnt where the model is as wrong as it is on new domains. It is fitted on
eight tenths of the domains of ``url/train``, its parts are weighed on one tenth (fold 1), and the last one (fold 0) stays unseen.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from webtongue.train.url.config import UrlConfig
from webtongue.train.url.file import write_url_model
from webtongue.train.url.rows import fold_of
from webtongue.train.url.train import fit_corpus, manifest, mix_on, packed, read_corpus

UNSEEN, WEIGHED = 0, 1  # folds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("data", type=Path, help="the folder with url/ and train/")
    parser.add_argument("out", type=Path)
    parser.add_argument("--most", type=int, default=60, help="URLs of a domain in a language")
    parser.add_argument("--made", type=int, default=2500, help="URLs made of text for each language")
    options = parser.parse_args()
    config = replace(UrlConfig(), domain_most=options.most, made=options.made)
    corpus = read_corpus(options.data, config, print)
    folds = fold_of([row.domain for row in corpus.rows], config.folds)
    seen, weighed = np.flatnonzero(folds > WEIGHED), np.flatnonzero(folds == WEIGHED)
    fitted = fit_corpus(corpus, seen, config, print)
    mix = mix_on(fitted, corpus, seen, weighed, config)
    write_url_model(options.out, packed(fitted, corpus, mix, config), config.buckets, manifest(corpus, mix, config))


if __name__ == "__main__":
    main()
