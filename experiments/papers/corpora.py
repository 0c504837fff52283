"""The text that the shipped model is trained on, for experiments that leave a part of it out."""

from __future__ import annotations

import argparse
from pathlib import Path

from webtongue.train.corpus.read import Corpus
from webtongue.train.text.train import gather


def add_arguments(parser: argparse.ArgumentParser, name: str) -> None:
    """Options that say where the text is; `name` is that of the experiment."""
    parser.add_argument("--data", default="../shared/data", type=Path)
    parser.add_argument(
        "--also", action="append", default=[], type=Path, help="a further corpus, as for webtongue train"
    )
    parser.add_argument("--words", action="append", default=[], type=Path, help="further word lists, likewise")
    parser.add_argument("--work", default=f"build/{name}", type=Path)


def read_all(options: argparse.Namespace) -> Corpus:
    return gather([options.data / "train", *options.also], [options.data / "words", *options.words])
