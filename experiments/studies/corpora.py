"""The text that the shipped model is trained on, for studies that train a model without a part of it."""

from __future__ import annotations

import argparse
from pathlib import Path

from webtongue.train.corpus.read import Corpus
from webtongue.train.corpus.romanise import add_romanised
from webtongue.train.corpus.varieties import add_varieties
from webtongue.train.text.config import TrainConfig
from webtongue.train.text.fit import Fitted, fit, write
from webtongue.train.text.train import gather

QUICK = 3  # passes: enough to compare by, in half the time of the shipped model's


def parser(study: str, description: str | None) -> argparse.ArgumentParser:
    """A parser with the options that all studies have: where the text is, and where the model goes."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--data", default="../shared/data", type=Path, help="the data folder")
    made.add_argument("--also", action="append", default=[], type=Path, help="a further corpus, as for webtongue train")
    made.add_argument("--words", action="append", default=[], type=Path, help="further word lists, likewise")
    made.add_argument("--work", default=f"build/{study}", type=Path, help="where the model goes")
    return made


def read_all(options: argparse.Namespace) -> Corpus:
    return gather(
        [options.data / "train", *options.also],
        [options.data / "words", options.data / "words_subtitles", *options.words],
    )


def train(corpus: Corpus, out: Path, config: TrainConfig) -> Fitted:
    """A model of what is left of the corpus, varieties made of it added, written to ``out``."""
    out.parent.mkdir(parents=True, exist_ok=True)
    add_varieties(corpus)
    add_romanised(corpus)
    fitted = fit(corpus, config, lambda step: print(step, flush=True))
    write(fitted, out, config, {}, print)
    return fitted
