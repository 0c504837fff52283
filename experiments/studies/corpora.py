"""The training text of the shipped model, for studies that train a model without a part of it."""

from __future__ import annotations

import argparse
from pathlib import Path

from webtongue.lab.train.corpus.read import Corpus
from webtongue.lab.train.corpus.romanise import add_romanised
from webtongue.lab.train.corpus.varieties import add_varieties
from webtongue.lab.train.text.config import TrainConfig
from webtongue.lab.train.text.fit import Fitted, fit, write_calibrated
from webtongue.lab.train.text.train import read_texts

QUICK_PASSES = 3  # enough for comparisons, in half the time of the shipped model


def options_parser(study: str, description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options of all studies: the folders of the text and of the model."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="../shared/data", type=Path, help="data folder")
    parser.add_argument("--also", action="append", default=[], type=Path, help="another corpus, as for webtongue train")
    parser.add_argument(
        "--words", action="append", default=[], type=Path, help="other word lists, as for webtongue train"
    )
    parser.add_argument("--work", default=f"build/{study}", type=Path, help="folder for the model")
    return parser


def read_all(options: argparse.Namespace) -> Corpus:
    return read_texts(
        [options.data / "train", *options.also],
        [options.data / "words", options.data / "words_subtitles", *options.words],
    )


def train(corpus: Corpus, path: Path, config: TrainConfig) -> Fitted:
    """Train a model on the corpus and the varieties derived from it, and write it to ``path``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    add_varieties(corpus)
    add_romanised(corpus)
    fitted = fit(corpus, config, lambda step: print(step, flush=True))
    write_calibrated(fitted, path, config, {}, print)
    return fitted
