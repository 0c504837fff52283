"""A toy model trained on tests/train/text_samples.py in about a second: fixtures for tests of scoring and training."""

from __future__ import annotations

from pathlib import Path

from tests.train.text_samples import SENTENCES
from webtongue.train.corpus.read import Corpus
from webtongue.train.text.config import TrainConfig
from webtongue.train.text.fit import fit, write

# Small tables, and rows from two labels on, so that both kinds of n-gram are there.
TINY = TrainConfig(rows=3000, lines=600, dense=2, keep=0.0, passes=2, snippets=20, held_out=4)


def tiny_corpus() -> Corpus:
    """Two sources a label: the sentences in order, and the same words the other way round."""
    corpus = Corpus()
    for label, lines in SENTENCES.items():
        corpus.lines["plain", label] = lines
        corpus.lines["turned", label] = [" ".join(reversed(line.split())) for line in lines]
    return corpus


def build_tiny(out: Path) -> Path:
    """Trains and writes the toy model."""
    fitted = fit(tiny_corpus(), TINY, progress=lambda message: None)
    write(fitted, out, TINY, {"made for": "tests"}, progress=lambda message: None)
    return out
