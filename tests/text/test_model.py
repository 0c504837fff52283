"""Tests of how the shipped language model is opened."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from webtongue import _kernel
from webtongue.lab.train.corpus.pack import pack_lines
from webtongue.text import model

TEXTS = Path(__file__).parents[2] / "examples" / "crawl" / "texts"


def test_words_alone_distinguish_the_look_alikes_whose_features_are_words() -> None:
    memory = np.fromfile(model.DEFAULT, np.uint8)
    lines = [line for path in sorted(TEXTS.glob("*.txt")) for line in path.read_text("utf-8").splitlines() if line]
    packed = pack_lines(lines)
    word_labels = model._word_labels()
    assert len(word_labels) > 10 and set(word_labels) <= set(model.load().labels)
    all_kinds = _kernel.LanguageModel(memory).rank_many(*packed, 8)
    words = _kernel.LanguageModel(memory, word_labels).rank_many(*packed, 8)
    for expected, column in zip(all_kinds, words, strict=True):
        np.testing.assert_array_equal(expected, column)
