"""Hayati 2004's equations by hand."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from tests.lab.methods.texts import CORPUS, NEW
from webtongue.lab.methods.corpus import count_corpus
from webtongue.lab.methods.grams import Grams
from webtongue.lab.methods.nfc import Nfc, NfcSettings, compute_fisher

LETTERS = Grams(sizes=(1,), edges="wrap")
# Documents as (count of a, count of b): x has (3, 4) and (1, 0), y has (0, 1).
SMALL = {"x": ["aaabbbb", "a"], "y": ["b"]}


def test_fisher_by_hand() -> None:
    """Freq is (.6, .8), (1, 0) and (0, 1); mu is (.8, .4) and (0, 1).

    a: differences .8^2 = .64; spread ((.6-.8)^2 + (1-.8)^2) / 2 = .04
    b: differences .6^2 = .36; spread ((.8-.4)^2 + (0-.4)^2) / 2 = .16
    """
    counted = count_corpus(SMALL, LETTERS)
    differences, spread = compute_fisher(counted)
    order = [counted.names(np.arange(2)).index(name) for name in "ab"]
    assert differences[order].tolist() == pytest.approx([0.64, 0.36])
    assert spread[order].tolist() == pytest.approx([0.04, 0.16])


def test_the_best_are_chosen() -> None:
    assert Nfc.fit(SMALL, NfcSettings(LETTERS, 1)).names == ("a",)
    assert Nfc.fit(SMALL, NfcSettings(LETTERS, 2)).names == ("a", "b")


def test_cosine_by_hand() -> None:
    """Representatives: x (4, 4) -> (1, 1) / sqrt 2, y (0, 1); the document (3, 4) / 5."""
    model = Nfc.fit(SMALL, NfcSettings(LETTERS, 2))
    assert model.score("aaabbbb") == pytest.approx({"x": 7 / 5 / sqrt(2), "y": 4 / 5})
    assert model.score("aaabbbbccc") == pytest.approx(model.score("aaabbbb"))  # step 2 of the categorization


def test_an_ngram_without_spread_comes_last() -> None:
    """F(b) = 34, F(a) = 1; c and d are in the only document of y: nothing is known of their spread, and d differs more."""
    model = Nfc.fit({"x": ["ab", "b"], "y": ["cdd"]}, NfcSettings(LETTERS, 10))
    assert model.names == ("b", "a", "d", "c")


def test_several_sizes() -> None:
    model = Nfc.fit(CORPUS, NfcSettings(Grams(sizes=(1, 2, 3, 4, 5), edges="wrap")))
    assert {len(name) for name in model.names} == {1, 2, 3, 4, 5}
    assert [model.answer(text).label for text in NEW.values()] == list(NEW)
