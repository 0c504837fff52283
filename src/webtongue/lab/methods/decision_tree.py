"""Decision trees (Baykan 2013, 2.2): a test of one n-gram per node, chosen by information gain.

Baykan 2013 grows trees on its custom-made features only, since a tree on n-grams would be too large: here it tests the shares of
the most common n-grams, so that the tree stays readable.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import MissingExtra
from webtongue.lab.methods.base import Method
from webtongue.lab.methods.corpus import Corpus, count_corpus
from webtongue.lab.methods.document import Document
from webtongue.lab.methods.grams import Grams, Vocabulary

__all__ = ["DecisionTree", "DecisionTreeSettings"]


@dataclass(frozen=True, slots=True)
class DecisionTreeSettings:
    grams: Grams = field(default_factory=lambda: Grams(sizes=(1, 2)))
    features: int = 2000  # number of the most common n-grams over all labels; 0: all
    leaf: int = 1  # minimum training documents of a leaf


@dataclass(frozen=True)
class DecisionTree(Method):
    """A node tests whether the share of n-gram ``asked`` is at most ``threshold``; ``yes`` and ``no`` are the next nodes.

    In a leaf ``asked`` is -1 and ``yes`` is the row of ``leaves``, the shares of labels among its training documents.
    """

    name: ClassVar[str] = "decision_tree"

    settings: DecisionTreeSettings
    names: tuple[str, ...]
    asked: NDArray[np.int32]
    threshold: NDArray[np.float64]
    yes: NDArray[np.int32]
    no: NDArray[np.int32]
    leaves: NDArray[np.float32]

    @classmethod
    def learn(cls, corpus: Corpus, settings: DecisionTreeSettings) -> Self:
        try:
            from sklearn.tree import DecisionTreeClassifier
        except ImportError as error:
            raise MissingExtra("scikit-learn", "lab") from error
        counted = count_corpus(corpus, settings.grams)
        columns = counted.top(settings.features)
        shares = counted.matrix[:, columns].multiply(1 / np.maximum(counted.totals, 1)[:, None]).tocsr()
        grower = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=settings.leaf, random_state=0)
        tree = grower.fit(shares, counted.label_of).tree_
        is_leaf = tree.children_left < 0
        used, asked = np.unique(tree.feature[~is_leaf], return_inverse=True)
        questions = np.full(len(is_leaf), -1, np.int32)
        questions[~is_leaf] = asked.ravel()
        leaf_counts = tree.value[is_leaf, 0]
        return cls(
            settings,
            counted.labels,
            counted.names(columns[used]),
            questions,
            np.where(is_leaf, 0.0, tree.threshold),
            np.where(is_leaf, np.cumsum(is_leaf) - 1, tree.children_left).astype(np.int32),
            tree.children_right.astype(np.int32),
            (leaf_counts / leaf_counts.sum(1, keepdims=True)).astype(np.float32),
        )

    def check(self) -> None:
        super().check()
        nodes = len(self.asked)
        if not nodes == len(self.threshold) == len(self.yes) == len(self.no) > 0:
            raise ValueError("numbers of node fields differ")
        is_inner = self.asked >= 0
        inner_numbers = np.flatnonzero(is_inner)
        children = np.stack([self.yes[is_inner], self.no[is_inner]])
        if (children <= inner_numbers).any() or (children >= nodes).any() or (self.asked >= len(self.names)).any():
            raise ValueError("a node refers to a node or n-gram that does not exist")
        leaf_numbers = self.yes[~is_inner]
        if (
            self.leaves.shape[1:] != (len(self.labels),)
            or (leaf_numbers < 0).any()
            or (leaf_numbers >= len(self.leaves)).any()
        ):
            raise ValueError("a leaf refers to shares that do not exist")

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.settings.grams, self.names)

    def row(self, document: Document) -> NDArray[np.float64] | None:
        numbers, counts, counted = self.vocabulary.count(document)
        if not counted.total:
            return None
        shares = np.zeros(len(self.names))
        shares[numbers] = (counts / counted.total).astype(np.float32)  # the precision of fitting
        node = 0
        while self.asked[node] >= 0:
            node = int(self.yes[node] if shares[self.asked[node]] <= self.threshold[node] else self.no[node])
        row: NDArray[np.float64] = self.leaves[self.yes[node]].astype(np.float64)
        return row
