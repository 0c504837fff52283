"""Write a URL model that has not seen a tenth of the domains: `python tools/weights/held_urls.py DATA OUT`.

The weight of URLs beside other evidence must be fitted where the model errs as often as on new domains. The model is fitted on
eight tenths of the domains of ``url/train``, its parts are combined on one tenth (fold 1), and the last tenth (fold 0) stays
unseen."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from webtongue.lab.train.url.config import UrlConfig
from webtongue.lab.train.url.file import write_url_model
from webtongue.lab.train.url.rows import assign_folds
from webtongue.lab.train.url.train import fit_corpus, fit_mix_on_held_out, make_manifest, quantise, read_corpus

UNSEEN, CALIBRATION = 0, 1  # folds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("data", type=Path, help="folder with url/ and train/")
    parser.add_argument("out", type=Path)
    parser.add_argument(
        "--most", type=int, default=60, help="maximum number of URLs of a domain in a language (default 60)"
    )
    parser.add_argument(
        "--made", type=int, default=2500, help="synthetic URLs from text for each language (default 2500)"
    )
    options = parser.parse_args()
    config = replace(UrlConfig(), domain_most=options.most, made=options.made)
    corpus = read_corpus(options.data, config, print)
    folds = assign_folds([row.domain for row in corpus.rows], config.folds)
    seen, calibration = np.flatnonzero(folds > CALIBRATION), np.flatnonzero(folds == CALIBRATION)
    fitted = fit_corpus(corpus, seen, config, print)
    mix = fit_mix_on_held_out(fitted, corpus, seen, calibration, config)
    write_url_model(
        options.out, quantise(fitted, corpus, mix, config), config.buckets, make_manifest(corpus, mix, config)
    )


if __name__ == "__main__":
    main()
