"""A toy model trained on tests/lab/train/text_samples.py in about a second: fixtures for tests of scoring and training."""

from __future__ import annotations

from pathlib import Path

from tests.lab.train.text_samples import SENTENCES
from webtongue.lab.train.corpus.read import Corpus
from webtongue.lab.train.text.config import TrainConfig
from webtongue.lab.train.text.fit import fit, write_calibrated

# Small tables, and rows from two labels on, so that both kinds of n-gram are there.
TINY = TrainConfig(rows=3000, lines=600, dense=2, keep=0.0, passes=2, snippets=20, held_out=4)


def tiny_corpus() -> Corpus:
    """Two sources a label: the sentences in order, and the same words the other way round."""
    corpus = Corpus()
    for label, lines in SENTENCES.items():
        corpus.lines["plain", label] = lines
        corpus.lines["turned", label] = [" ".join(reversed(line.split())) for line in lines]
    return corpus


def build_tiny(path: Path) -> Path:
    """Trains and writes the toy model."""
    fitted = fit(tiny_corpus(), TINY, progress=lambda message: None)
    write_calibrated(fitted, path, TINY, {"made for": "tests"}, progress=lambda message: None)
    return path
