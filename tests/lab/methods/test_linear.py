"""Maximum entropy, support vectors and trees: the values that go in by hand, and what must hold of what comes out."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest

from webtongue.errors import UsageError
from webtongue.lab.methods.corpus import count_corpus
from webtongue.lab.methods.decision_tree import DecisionTree, DecisionTreeSettings
from webtongue.lab.methods.document import Document
from webtongue.lab.methods.grams import Grams
from webtongue.lab.methods.linear import MaxEntropy, MaxEntropySettings, Svm, SvmSettings

LETTERS = Grams(sizes=(1,))
SMALL: dict[str, list[Document]] = {"x": ["aab", "a"], "y": ["bbc", "bc"], "z": ["ddc"]}


def test_tf_idf_of_footnote_6() -> None:
    """Five documents; a and c are in two and three of them, b in three, d in one: ln(5/3), ln(5/4), ln(5/4), ln(5/2)."""
    model = Svm.fit(SMALL, SvmSettings(LETTERS))
    idf = dict(zip(model.names, model.idf.tolist(), strict=True))
    assert idf == pytest.approx({"a": log(5 / 3), "b": log(5 / 4), "c": log(5 / 4), "d": log(5 / 2)})
    numbers, counts, _ = model.vocabulary.count("aab")
    vector = dict(zip([model.names[i] for i in numbers], model.vector(numbers, counts), strict=True))
    length = sqrt((2 * log(5 / 3)) ** 2 + log(5 / 4) ** 2)
    assert vector == pytest.approx({"a": 2 * log(5 / 3) / length, "b": log(5 / 4) / length})


def test_svm_scores_are_weights_times_values() -> None:
    model = Svm.fit(SMALL, SvmSettings(LETTERS))
    a = model.names.index("a")
    assert model.score("a")["x"] == pytest.approx(float(model.weights[a, 0]) + model.bias[0])
    assert model.score("a")["x"] > 0 > model.score("a")["y"]


def test_maximum_entropy_meets_its_constraints() -> None:
    """With a wide prior the expected counts under the model are those of the training data."""
    settings = MaxEntropySettings(LETTERS, variance=1e4, rounds=5000)
    overlapping: dict[str, list[Document]] = {"x": ["aab", "ab", "b"], "y": ["abb", "b", "a"]}
    model = MaxEntropy.fit(overlapping, settings)
    documents = [document for label in model.labels for document in overlapping[label]]
    probabilities = np.exp(model.score_many(documents))
    assert probabilities.sum(1) == pytest.approx(np.ones(6))
    counts = count_corpus(overlapping, LETTERS).matrix.toarray()
    observed = np.array([counts[:3].sum(0), counts[3:].sum(0)])
    assert probabilities.T @ counts == pytest.approx(observed, abs=0.01)


def test_two_labels_are_enough_and_one_is_not() -> None:
    for kind in (MaxEntropy, Svm):
        model = kind.fit({"x": ["aaaa"], "y": ["bbbb"]})
        assert model.weights.shape[1] == 2
        with pytest.raises(UsageError, match="two"):
            kind.fit({"x": ["aaaa"]})


def test_a_tree_asks_for_what_gains_most() -> None:
    """d alone tells z from the rest, b in half of the letters tells y from x: both are asked for, c and a need not be."""
    model = DecisionTree.fit({"x": ["aaaa", "aaab"], "y": ["bbbb", "abbb"]}, DecisionTreeSettings(LETTERS))
    assert len(model.names) == 1 and model.asked.tolist() == [0, -1, -1]
    assert model.threshold[0] == pytest.approx(0.5)  # between 1/4 and 3/4
    assert model.score("aab") == {"x": 1.0, "y": 0.0}


def test_leaves_hold_shares() -> None:
    model = DecisionTree.fit({"x": ["a", "a", "b"], "y": ["a"]}, DecisionTreeSettings(LETTERS, leaf=1))
    assert model.score("a") == pytest.approx({"x": 2 / 3, "y": 1 / 3})
