"""Features and algorithms of Baykan, Henzinger and Weber (2013), sections 2.1 and 2.2: fitted on yes and no, answering the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import MissingExtra
from webtongue.url.tokens import grams_from_url, grams_from_word, paper_tokens

try:
    from scipy import sparse, stats
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC
    from sklearn.tree import DecisionTreeClassifier
except ImportError as error:
    raise MissingExtra(error.name or "scikit-learn", "train") from error

PROFILE = 400  # features of a rank order profile
WORDS, CUSTOM = "words", "custom-made"
ALLGRAMS = "allgrams-fromWord"
SIGNIFICANCE = 0.025
ALIKE = 1e-6  # points of F1: where folds differ by less among themselves, there is nothing to test
LETTERS = 26  # that may come next, for smoothing Markov chains
ORDERS = range(3, 8)
LEAST_PARENT = 10  # rows that a node must have to be split: the default of Matlab's trees

Matrix = Any  # scipy.sparse.csr_matrix, or an array of custom-made features
Yes = NDArray[np.bool_]


def _sets() -> dict[str, tuple[str, tuple[int, ...]]]:
    """The 16 kinds of n-grams of table XI: where they are taken from and which lengths."""
    out = {}
    for place in ("URL", "Word"):
        for n in (3, 4, 5, 6):
            out[f"{n}-grams-from{place}"] = (place, (n,))
        for last in (4, 5, 6):
            orders = tuple(range(3, last + 1))
            out[f"{'-'.join(map(str, orders))}-grams-from{place}"] = (place, orders)
        out[f"allgrams-from{place}"] = (place, tuple(ORDERS))
    return out


GRAM_SETS = _sets()


@dataclass(frozen=True)
class Counted:
    """Counts of features, a row a URL."""

    matrix: Matrix
    names: list[str]

    @cached_property
    def prefixes(self) -> NDArray[np.int64]:
        """A number for what stands before the last letter of each feature."""
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(name[:-1], len(numbers)) for name in self.names], np.int64)


def counted(urls: Sequence[str], analyser: Callable[[str], list[str]]) -> Counted:
    vectoriser = CountVectorizer(analyzer=analyser, dtype=np.float32)
    matrix = vectoriser.fit_transform(urls)
    return Counted(matrix.tocsr(), vectoriser.get_feature_names_out().tolist())


def all_features(urls: Sequence[str]) -> dict[str, Counted]:
    """Words and the 16 kinds of n-grams. Those of fewer lengths are columns of all lengths, which are counted once.

    A word that is shorter than all n-grams of a kind is kept whole. The paper does not say so, but its 6-grams from words are
    above its words for German, which they could not be without ``de``.
    """
    out = {WORDS: counted(urls, paper_tokens)}
    for place, grams in (("URL", grams_from_url), ("Word", grams_from_word)):
        whole = counted(urls, lambda url, grams=grams: grams(url, ORDERS))
        lengths = np.array([len(name) for name in whole.names])
        words = np.array([name.startswith("_") and name.endswith("_") for name in whole.names])
        by_column = whole.matrix.tocsc()
        for name, (where, orders) in GRAM_SETS.items():
            if where == place:
                kept = np.flatnonzero(np.isin(lengths, orders) | words & (lengths < orders[0]))
                out[name] = Counted(by_column[:, kept].tocsr(), [whole.names[i] for i in kept])
    return out


Algorithm = Callable[[Counted, Matrix, Yes, Matrix], Yes]
Classifier = tuple[str, str, Algorithm]  # the algorithm's name, the features', and the algorithm


def tf_idf(train: Matrix, test: Matrix) -> tuple[Matrix, Matrix]:
    """Footnote 6: count times ln(n / (n_i + 1))."""
    weights = np.log(train.shape[0] / (train.getnnz(0) + 1.0))
    scale = sparse.diags(np.maximum(weights, 0).astype(np.float32))
    return train @ scale, test @ scale


def scaled(train: Matrix, test: Matrix) -> tuple[Matrix, Matrix]:
    """Custom-made features by how far they spread: a length is a hundred times a flag."""
    spread = train.std(0)
    scale = np.where(spread > 0, spread, 1)
    return train / scale, test / scale


def sums(matrix: Matrix) -> NDArray[np.float64]:
    return np.asarray(matrix.sum(0), np.float64).ravel()


def by_counts(train: Matrix, yes: Yes, test: Matrix, added: float, prior: float) -> Yes:
    """By how much likelier the features are in one class than in the other; those that training never saw say nothing."""
    seen = [sums(train[side]) for side in (yes, ~yes)]
    known = (seen[0] + seen[1]) > 0
    logs = [np.log((one + added) / (one.sum() + added * known.sum())) for one in seen]
    return np.asarray(test @ np.where(known, logs[0] - logs[1], 0) + prior > 0)


def naive_bayes(_: Counted, train: Matrix, yes: Yes, test: Matrix) -> Yes:
    return by_counts(train, yes, test, 1.0, float(np.log(max(1, yes.sum()) / max(1, (~yes).sum()))))


def relative_entropy(_: Counted, train: Matrix, yes: Yes, test: Matrix) -> Yes:
    """The class whose distribution is nearest that of the URL; the URL's own entropy is the same for both."""
    return by_counts(train, yes, test, 0.5, 0.0)


def max_entropy(_: Counted, train: Matrix, yes: Yes, test: Matrix) -> Yes:
    if not sparse.issparse(train):
        train, test = scaled(train, test)
    fitted = LogisticRegression(solver="liblinear", max_iter=1000, C=1.0, tol=1e-3).fit(train, yes)
    return np.asarray(fitted.predict(test))


def svm(_: Counted, train: Matrix, yes: Yes, test: Matrix, weight: float = 1.0) -> Yes:
    """SVMperf as it comes: hinge loss, and C = 0.01 of the loss in percent of n rows, which is C = 1 / n of their sum."""
    train, test = tf_idf(train, test) if sparse.issparse(train) else scaled(train, test)
    fitted = LinearSVC(loss="hinge", C=weight / train.shape[0], max_iter=3000, random_state=0).fit(train, yes)
    return np.asarray(fitted.predict(test))


def svm_with(weight: float) -> Algorithm:
    """The same with errors weighed so many times as much."""
    return partial(svm, weight=weight)


def tree(_: Counted, train: Matrix, yes: Yes, test: Matrix, leaf: int = 1) -> Yes:
    grown = DecisionTreeClassifier(
        criterion="entropy", min_samples_split=LEAST_PARENT, min_samples_leaf=leaf, random_state=0
    )
    return np.asarray(grown.fit(train, yes).predict(test))


def tree_with(leaf: int) -> Algorithm:
    """The same with at least so many rows a leaf."""
    return partial(tree, leaf=leaf)


def markov(counts: Counted, train: Matrix, yes: Yes, test: Matrix) -> Yes:
    """Dunning: the chance of each n-gram's last letter after the ones before it."""
    prefix = counts.prefixes
    logs = []
    for side in (yes, ~yes):
        seen = sums(train[side])
        before = np.bincount(prefix, weights=seen)
        logs.append(np.log((seen + 0.1) / (before[prefix] + 0.1 * LETTERS)))
    return np.asarray(test @ (logs[0] - logs[1]) > 0)


def rank_order(_: Counted, train: Matrix, yes: Yes, test: Matrix) -> Yes:
    """Cavnar and Trenkle: the sum of how far out of place each feature is, in profiles of 400."""
    row_of = np.repeat(np.arange(test.shape[0]), np.diff(test.indptr))
    order = np.lexsort((test.indices, -test.data, row_of))
    here = np.arange(len(order)) - test.indptr[row_of]  # the rank of each feature within its URL
    out = []
    for side in (yes, ~yes):
        rank = np.full(train.shape[1], PROFILE)
        profile = np.argsort(-sums(train[side]), kind="stable")[:PROFILE]
        rank[profile] = np.arange(len(profile))
        apart = np.abs(rank[test.indices[order]] - here)
        out.append(np.bincount(row_of, weights=apart, minlength=test.shape[0]))
    return np.asarray(out[0] < out[1])


ON_WORDS: tuple[Classifier, ...] = tuple(
    (name, WORDS, found)
    for name, found in (
        ("NB", naive_bayes), ("ME", max_entropy), ("RE", relative_entropy), ("ROS", rank_order), ("SVM", svm),
    )
)  # fmt: skip
ON_CUSTOM: tuple[Classifier, ...] = tuple(
    (name, CUSTOM, found)
    for name, found in (
        ("NB", naive_bayes), ("ME", max_entropy), ("RE", relative_entropy), ("SVM", svm), ("DT", tree),
    )
)  # fmt: skip
SVM_GRAMS: tuple[Classifier, ...] = tuple(("SVM", kind, svm) for kind in GRAM_SETS)  # table XI
OTHER_GRAMS: dict[str, Algorithm] = {  # the rest of table X
    "NB": naive_bayes, "ME": max_entropy, "RE": relative_entropy, "ROS": rank_order, "Markov": markov,
}  # fmt: skip
# Of tables XIV and XVI and figures 5 and 6.
BEST: tuple[Classifier, ...] = (
    ("SVM", ALLGRAMS, svm),
    ("DT", CUSTOM, tree),
    ("RE", ALLGRAMS, relative_entropy),
)


@dataclass(frozen=True, slots=True)
class Leaf:
    """What leads to a leaf of a tree, what it says, and the share of positive and of negative test rows that end there."""

    path: str
    says: bool
    positive: float
    negative: float


def leaves(train: Matrix, yes: Yes, test: Matrix, truth: Yes, names: Sequence[str]) -> list[Leaf]:
    """The top of a decision tree, three questions deep."""
    grown = DecisionTreeClassifier(criterion="entropy", max_depth=3, random_state=0).fit(train, yes)
    nodes, ends = grown.tree_, grown.apply(test)
    out = []

    def walk(node: int, path: tuple[str, ...]) -> None:
        if nodes.children_left[node] < 0:
            here = ends == node
            says = bool(grown.classes_[int(np.argmax(nodes.value[node][0]))])
            shares = [100 * float(np.mean(here[side])) if side.any() else 0.0 for side in (truth, ~truth)]
            out.append(Leaf(", ".join(path) or "always", says, *shares))
            return
        name, limit = names[nodes.feature[node]], nodes.threshold[node]
        walk(nodes.children_left[node], (*path, f"{name} <= {limit:g}"))
        walk(nodes.children_right[node], (*path, f"{name} > {limit:g}"))

    walk(0, ())
    return out


def better(first: Sequence[float], second: Sequence[float]) -> bool:
    """Whether the first is above the second by a one-tailed paired t-test."""
    apart = np.subtract(first, second)
    if len(apart) < 2 or np.ptp(apart) < ALIKE:
        return False
    return bool(stats.ttest_rel(first, second, alternative="greater").pvalue < SIGNIFICANCE)
