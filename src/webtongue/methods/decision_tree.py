"""Decision trees (Baykan 2013, 2.2): one n-gram asked at a time, chosen by information gain.

Baykan 2013 grows trees on its custom-made features only, since one on n-grams would be gigantic: here it asks for the shares of the
commonest n-grams, so that a tree stays small enough to be read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import MissingExtra
from webtongue.methods.base import Method
from webtongue.methods.corpus import Corpus, table
from webtongue.methods.document import Document
from webtongue.methods.grams import Grams, Vocabulary

__all__ = ["DecisionTree", "DecisionTreeSettings"]


@dataclass(frozen=True, slots=True)
class DecisionTreeSettings:
    grams: Grams = field(default_factory=lambda: Grams(sizes=(1, 2)))
    features: int = 2000  # the commonest n-grams over all labels; 0: all
    leaf: int = 1  # training documents that a leaf has at least


@dataclass(frozen=True)
class DecisionTree(Method):
    """A node asks whether the share of n-gram ``asked`` is at most ``threshold``: then ``yes``, else ``no``, both later nodes.

    In a leaf ``asked`` is -1 and ``yes`` the row of ``leaves``, the share of each label among its training documents.
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
            raise MissingExtra("scikit-learn", "train") from error
        counted = table(corpus, settings.grams)
        columns = counted.top(settings.features)
        shares = counted.matrix[:, columns].multiply(1 / np.maximum(counted.totals, 1)[:, None]).tocsr()
        grower = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=settings.leaf, random_state=0)
        tree = grower.fit(shares, counted.label_of).tree_
        is_leaf = tree.children_left < 0
        used, asked = np.unique(tree.feature[~is_leaf], return_inverse=True)
        questions = np.full(len(is_leaf), -1, np.int32)
        questions[~is_leaf] = asked.ravel()
        held = tree.value[is_leaf, 0]
        return cls(
            settings,
            counted.labels,
            counted.names(columns[used]),
            questions,
            np.where(is_leaf, 0.0, tree.threshold),
            np.where(is_leaf, np.cumsum(is_leaf) - 1, tree.children_left).astype(np.int32),
            tree.children_right.astype(np.int32),
            (held / held.sum(1, keepdims=True)).astype(np.float32),
        )

    def check(self) -> None:
        super().check()
        nodes = len(self.asked)
        if not nodes == len(self.threshold) == len(self.yes) == len(self.no) > 0:
            raise ValueError("nodes with parts missing")
        inner = self.asked >= 0
        here = np.flatnonzero(inner)
        after = np.stack([self.yes[inner], self.no[inner]])
        if (after <= here).any() or (after >= nodes).any() or (self.asked >= len(self.names)).any():
            raise ValueError("a node that leads nowhere")
        ends = self.yes[~inner]
        if self.leaves.shape[1:] != (len(self.labels),) or (ends < 0).any() or (ends >= len(self.leaves)).any():
            raise ValueError("a leaf without shares")

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.settings.grams, self.names)

    def row(self, document: Document) -> NDArray[np.float64] | None:
        numbers, counts, counted = self.vocabulary.count(document)
        if not counted.total:
            return None
        shares = np.zeros(len(self.names))
        shares[numbers] = (counts / counted.total).astype(np.float32)  # as precise as in fitting
        node = 0
        while self.asked[node] >= 0:
            node = int(self.yes[node] if shares[self.asked[node]] <= self.threshold[node] else self.no[node])
        row: NDArray[np.float64] = self.leaves[self.yes[node]].astype(np.float64)
        return row
