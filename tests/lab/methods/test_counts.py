"""Naive Bayes, relative entropy, Markov models and common words, by hand."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from tests.lab.methods.texts import CORPUS, NEW
from webtongue.lab.methods.common_words import CommonWords, CommonWordsSettings
from webtongue.lab.methods.counts import SparseRows
from webtongue.lab.methods.document import Document
from webtongue.lab.methods.grams import Grams
from webtongue.lab.methods.markov import Markov, MarkovSettings
from webtongue.lab.methods.naive_bayes import NaiveBayes, NaiveBayesSettings
from webtongue.lab.methods.relative_entropy import RelativeEntropy, RelativeEntropySettings

LETTERS = Grams(sizes=(1,))
# x: a 3, b 1 in two documents; y: b 2, c 1 in one. Three letters in all.
SMALL: dict[str, list[Document]] = {"x": ["aa", "ab"], "y": ["bbc"]}


def test_sparse_rows_add_up() -> None:
    rows = SparseRows(np.array([0, 2, 2, 3]), np.array([0, 1, 1]), np.array([1.0, 2.0, 5.0]), 3)
    assert rows.sum_rows(np.array([2, 0, 1]), np.array([1, 10, 7])).tolist() == [10.0, 25.0, 0.0]
    assert rows.sum_rows(np.array([], int), np.array([])).tolist() == [0.0, 0.0, 0.0]


def test_naive_bayes_by_hand() -> None:
    """One is added to each count: p(a|x) = 4/7, p(b|x) = 2/7, p(a|y) = 1/6, p(b|y) = 3/6; q was never seen."""
    scores = NaiveBayes.fit(SMALL, NaiveBayesSettings(LETTERS)).score("aabq")
    assert scores == pytest.approx(
        {"x": log(2 / 3) + 2 * log(4 / 7) + log(2 / 7), "y": log(1 / 3) + 2 * log(1 / 6) + log(3 / 6)}
    )
    without = NaiveBayes.fit(SMALL, NaiveBayesSettings(LETTERS, priors=False)).score("aab")
    assert without["x"] == pytest.approx(scores["x"] - log(2 / 3))


def test_naive_bayes_of_words() -> None:
    model = NaiveBayes.fit({"x": ["a dog"], "y": ["un chien"]}, NaiveBayesSettings(Grams(unit="word")))
    assert model.score("dog") == pytest.approx({"x": log(1 / 2) + log(2 / 6), "y": log(1 / 2) + log(1 / 6)})


def test_fewer_features() -> None:
    model = NaiveBayes.fit(SMALL, NaiveBayesSettings(LETTERS, features=2))
    assert set(model.names) == {"a", "b"}  # shares 3/4, 1/4 + 2/3, 1/3
    assert set(NaiveBayes.fit(SMALL, NaiveBayesSettings(LETTERS, least=2)).names) == {"a", "b"}


def test_relative_entropy_by_hand() -> None:
    """Half is added: q_x(a) = 3.5/5.5, q_x(b) = 1.5/5.5; the document's shares are 2/3 and 1/3."""
    scores = RelativeEntropy.fit(SMALL, RelativeEntropySettings(LETTERS)).score("aab")
    x = 2 / 3 * log(2 / 3 / (3.5 / 5.5)) + 1 / 3 * log(1 / 3 / (1.5 / 5.5))
    y = 2 / 3 * log(2 / 3 / (0.5 / 4.5)) + 1 / 3 * log(1 / 3 / (2.5 / 4.5))
    assert scores == pytest.approx({"x": -x, "y": -y})
    assert min(x, y) > 0  # a relative entropy is never negative


def test_markov_by_hand() -> None:
    """Order 1 on "abab": ab 2, ba 1; before: a 2, b 1. The document "abb" has ab and bb."""
    model = Markov.fit({"x": [b"abab"], "y": [b"bbb"]}, MarkovSettings(order=1, alphabet=10))
    expected_x = log((2 + 1) / (2 + 10)) + log((0 + 1) / (1 + 10))
    expected_y = log((0 + 1) / (0 + 10)) + log((2 + 1) / (2 + 10))
    assert model.score(b"abb") == pytest.approx({"x": expected_x, "y": expected_y})


def test_markov_of_order_nought_is_frequencies() -> None:
    model = Markov.fit({"x": [b"aab"], "y": [b"b"]}, MarkovSettings(order=0, alphabet=10))
    assert model.score(b"ab") == pytest.approx({"x": log(3 / 13) + log(2 / 13), "y": log(1 / 11) + log(2 / 11)})


@pytest.mark.parametrize("order", [0, 1, 2, 3])
@pytest.mark.parametrize("unit", ["byte", "character"])
def test_markov_against_counting_one_by_one(order: int, unit: str) -> None:
    """The sparse sums are those of the formula, read off the training text itself."""
    model = Markov.fit(CORPUS, MarkovSettings(order, grams=Grams(unit=unit)))
    grams = Grams(unit=unit, sizes=(order + 1,))
    before = [Grams(unit=unit, sizes=(1,)).prepare(text) for text in CORPUS["ita_Latn"]]
    seen = [name for text in CORPUS["ita_Latn"] for name in grams.names(text)]
    expected = 0.0
    for name in grams.names(NEW["ita_Latn"]):
        context = sum(text[i : i + order] == name[:-1] for text in before for i in range(len(text) - order))
        expected += log((seen.count(name) + 1) / (context + 256))
    assert model.score(NEW["ita_Latn"])["ita_Latn"] == pytest.approx(expected)


def test_common_words_by_hand() -> None:
    """Of x "the" 4 and "of" 4 are kept: each is 1/2; of y "der" 4, all of it. Another word has half of 1/2."""
    corpus: dict[str, list[Document]] = {
        "x": ["the the THE the", "of of of of library library library library, a a a"],
        "y": ["der der der der the"],
    }
    model = CommonWords.fit(corpus)
    assert set(model.names) == {"the", "of", "der"}
    assert model.score("The cat of der library") == pytest.approx(
        {"x": 2 * log(1 / 2 / (1 / 4)), "y": log(1 / (1 / 4))}
    )
    assert model.score("cat") == {}
    fixed = CommonWords.fit(corpus, CommonWordsSettings(least_probability=0.01))
    assert fixed.score("of") == pytest.approx({"x": log(50), "y": 0.0})
