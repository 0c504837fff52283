"""Features and algorithms of Baykan, Henzinger and Weber (2013), sections 2.1 and 2.2, fitted on and answering yes or no."""

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
    from sklearn.naive_bayes import GaussianNB
    from sklearn.preprocessing import normalize
    from sklearn.svm import LinearSVC
    from sklearn.tree import DecisionTreeClassifier
except ImportError as error:
    raise MissingExtra(error.name or "scikit-learn", "lab") from error

PROFILE_FEATURES = 400  # features of a rank order profile
WORDS, CUSTOM, NO_IP = "words", "custom-made", "custom-made without IP"
ALLGRAMS = "allgrams-fromWord"
SIGNIFICANCE = 0.025
MIN_SPREAD_POINTS = 1e-6  # a t-test needs differences in F1 that vary between folds by more than this
ALPHABET_SIZE = 26  # possible next letters, for smoothing Markov chains
ORDERS = range(3, 8)
MIN_SPLIT_ROWS = 10  # smallest tree node that is split: the default of Matlab's trees

Matrix = Any  # scipy.sparse.csr_matrix, or an array of custom-made features
Yes = NDArray[np.bool_]


def _list_gram_sets() -> dict[str, tuple[str, tuple[int, ...]]]:
    """Return the 16 kinds of n-grams of table XI: whether they are taken from the URL or from words, and their lengths."""
    gram_sets: dict[str, tuple[str, tuple[int, ...]]] = {}
    for place in ("URL", "Word"):
        for n in (3, 4, 5, 6):
            gram_sets[f"{n}-grams-from{place}"] = (place, (n,))
        for last in (4, 5, 6):
            orders = tuple(range(3, last + 1))
            gram_sets[f"{'-'.join(map(str, orders))}-grams-from{place}"] = (place, orders)
        gram_sets[f"allgrams-from{place}"] = (place, tuple(ORDERS))
    return gram_sets


GRAM_SETS = _list_gram_sets()


@dataclass(frozen=True)
class FeatureCounts:
    """Counts of features, one row for each URL."""

    matrix: Matrix
    names: list[str]

    @cached_property
    def prefixes(self) -> NDArray[np.int64]:
        """Return a number for each feature that identifies its letters before the last one."""
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(name[:-1], len(numbers)) for name in self.names], np.int64)


def count_features(urls: Sequence[str], analyser: Callable[[str], list[str]]) -> FeatureCounts:
    """Return the counts of the features that an analyser finds in URLs."""
    vectoriser = CountVectorizer(analyzer=analyser, dtype=np.float32)
    matrix = vectoriser.fit_transform(urls)
    return FeatureCounts(matrix.tocsr(), vectoriser.get_feature_names_out().tolist())


def count_all_features(urls: Sequence[str]) -> dict[str, FeatureCounts]:
    """Return the counts of words and of the 16 kinds of n-grams. Kinds of fewer lengths are columns of the counts of all
    lengths.

    A word that is shorter than all n-grams of a kind is one feature. The paper does not say so, but its 6-grams from words are
    above its words for German, which they could not be without ``de``.
    """
    features = {WORDS: count_features(urls, paper_tokens)}
    for place, grams in (("URL", grams_from_url), ("Word", grams_from_word)):
        all_lengths = count_features(urls, partial(grams, orders=ORDERS))
        lengths = np.array([len(name) for name in all_lengths.names])
        is_word = np.array([name.startswith("_") and name.endswith("_") for name in all_lengths.names])
        by_column = all_lengths.matrix.tocsc()
        for name, (where, orders) in GRAM_SETS.items():
            if where == place:
                columns = np.flatnonzero(np.isin(lengths, orders) | is_word & (lengths < orders[0]))
                features[name] = FeatureCounts(by_column[:, columns].tocsr(), [all_lengths.names[i] for i in columns])
    return features


Algorithm = Callable[[FeatureCounts, Matrix, Yes, Matrix], Yes]
Classifier = tuple[str, str, Algorithm]  # the algorithm's name, the features', and the algorithm


def weigh_tf_idf(train: Matrix, test: Matrix) -> tuple[Matrix, Matrix]:
    """Return the counts times ln(n / (n_i + 1)), as in footnote 6."""
    weights = np.log(train.shape[0] / (train.getnnz(0) + 1.0))
    scale = sparse.diags(np.maximum(weights, 0).astype(np.float32))
    return train @ scale, test @ scale


def scale_features(train: Matrix, test: Matrix) -> tuple[Matrix, Matrix]:
    """Return custom-made features divided by their standard deviation: lengths are a hundred times larger than flags."""
    spread = train.std(0)
    scale = np.where(spread > 0, spread, 1)
    return train / scale, test / scale


def column_sums(matrix: Matrix) -> NDArray[np.float64]:
    """Return the sums of the columns as an array."""
    return np.asarray(matrix.sum(0), np.float64).ravel()


def answer_by_counts(train: Matrix, yes: Yes, test: Matrix, smoothing: float, prior: float) -> Yes:
    """Answer by the log ratio of the feature probabilities of the two classes; features unseen in training are ignored."""
    class_counts = [column_sums(train[side]) for side in (yes, ~yes)]
    is_known = (class_counts[0] + class_counts[1]) > 0
    logs = [np.log((counts + smoothing) / (counts.sum() + smoothing * is_known.sum())) for counts in class_counts]
    return np.asarray(test @ np.where(is_known, logs[0] - logs[1], 0) + prior > 0)


def naive_bayes(_: FeatureCounts, train: Matrix, yes: Yes, test: Matrix) -> Yes:
    """Answer by naive Bayes with add-one smoothing."""
    return answer_by_counts(train, yes, test, 1.0, float(np.log(max(1, yes.sum()) / max(1, (~yes).sum()))))


def gaussian_naive_bayes(_: FeatureCounts, train: Matrix, yes: Yes, test: Matrix) -> Yes:
    """Answer by naive Bayes with a normal distribution of each feature, the default of Matlab's."""
    return np.asarray(GaussianNB().fit(train, yes).predict(test))


def relative_entropy(_: FeatureCounts, train: Matrix, yes: Yes, test: Matrix) -> Yes:
    """Answer with the class whose distribution is nearest to that of the URL; the URL's entropy is the same for both."""
    return answer_by_counts(train, yes, test, 0.5, 0.0)


def max_entropy(_: FeatureCounts, train: Matrix, yes: Yes, test: Matrix) -> Yes:
    """Answer by logistic regression."""
    if not sparse.issparse(train):
        train, test = scale_features(train, test)
    fitted = LogisticRegression(solver="liblinear", max_iter=1000, C=1.0, tol=1e-3).fit(train, yes)
    return np.asarray(fitted.predict(test))


def svm(_: FeatureCounts, train: Matrix, yes: Yes, test: Matrix, weight: float = 1.0) -> Yes:
    """Answer by a linear SVM with the defaults of SVMperf: hinge loss, and C = 0.01 for the loss in percent of n rows, which is
    C = 1 / n."""
    train, test = weigh_tf_idf(train, test) if sparse.issparse(train) else scale_features(train, test)
    fitted = LinearSVC(loss="hinge", C=weight / train.shape[0], max_iter=3000, random_state=0).fit(train, yes)
    return np.asarray(fitted.predict(test))


def unit_svm(_: FeatureCounts, train: Matrix, yes: Yes, test: Matrix) -> Yes:
    """Answer by a linear SVM on tf-idf vectors of unit length with C = 1, the usual setting for text."""
    rows, test_rows = (normalize(part) for part in weigh_tf_idf(train, test))
    return np.asarray(LinearSVC(loss="hinge", C=1.0, max_iter=3000, random_state=0).fit(rows, yes).predict(test_rows))


def tree(_: FeatureCounts, train: Matrix, yes: Yes, test: Matrix, leaf: int = 1) -> Yes:
    """Answer by a decision tree."""
    grown = DecisionTreeClassifier(
        criterion="entropy", min_samples_split=MIN_SPLIT_ROWS, min_samples_leaf=leaf, random_state=0
    )
    return np.asarray(grown.fit(train, yes).predict(test))


def tree_with_leaves(leaf: int) -> Algorithm:
    """Return the tree algorithm with a minimum number of rows in a leaf."""
    return partial(tree, leaf=leaf)


def markov(features: FeatureCounts, train: Matrix, yes: Yes, test: Matrix) -> Yes:
    """Answer by Markov chains (Dunning): the probability of each n-gram's last letter after the letters before it."""
    prefix = features.prefixes
    logs = []
    for side in (yes, ~yes):
        counts = column_sums(train[side])
        prefix_counts = np.bincount(prefix, weights=counts)
        logs.append(np.log((counts + 0.1) / (prefix_counts[prefix] + 0.1 * ALPHABET_SIZE)))
    return np.asarray(test @ (logs[0] - logs[1]) > 0)


def rank_order(_: FeatureCounts, train: Matrix, yes: Yes, test: Matrix) -> Yes:
    """Answer by the sum of rank differences (Cavnar and Trenkle), in profiles of 400 features."""
    row_of = np.repeat(np.arange(test.shape[0]), np.diff(test.indptr))
    order = np.lexsort((test.indices, -test.data, row_of))
    rank_in_url = np.arange(len(order)) - test.indptr[row_of]  # rank of each feature within its URL
    distances = []
    for side in (yes, ~yes):
        rank = np.full(train.shape[1], PROFILE_FEATURES)
        profile = np.argsort(-column_sums(train[side]), kind="stable")[:PROFILE_FEATURES]
        rank[profile] = np.arange(len(profile))
        differences = np.abs(rank[test.indices[order]] - rank_in_url)
        distances.append(np.bincount(row_of, weights=differences, minlength=test.shape[0]))
    return np.asarray(distances[0] < distances[1])


ON_WORDS: tuple[Classifier, ...] = tuple(
    (name, WORDS, algorithm)
    for name, algorithm in (
        ("NB", naive_bayes), ("ME", max_entropy), ("RE", relative_entropy), ("ROS", rank_order), ("SVM", svm),
    )
)  # fmt: skip
# Custom-made features with those of the server's country and without them. Matlab's naive Bayes is Gaussian, Bow's multinomial.
ON_CUSTOM: tuple[Classifier, ...] = tuple(
    (name, kind, algorithm)
    for kind in (CUSTOM, NO_IP)
    for name, algorithm in (
        ("NB", gaussian_naive_bayes), ("NB multinomial", naive_bayes), ("ME", max_entropy), ("RE", relative_entropy), ("SVM", svm),
        ("DT", tree),
    )
)  # fmt: skip
UNIT_SVM: tuple[Classifier, ...] = tuple(("SVM unit", kind, unit_svm) for kind in (WORDS, ALLGRAMS))
SVM_GRAMS: tuple[Classifier, ...] = tuple(("SVM", kind, svm) for kind in GRAM_SETS)  # table XI
OTHER_GRAMS: dict[str, Algorithm] = {  # the other algorithms of table X
    "NB": naive_bayes, "ME": max_entropy, "RE": relative_entropy, "ROS": rank_order, "Markov": markov,
}  # fmt: skip
# The classifiers of tables XIV and XVI and figures 5 and 6.
BEST: tuple[Classifier, ...] = (
    ("SVM", ALLGRAMS, svm), ("DT", CUSTOM, tree), ("DT", NO_IP, tree), ("RE", ALLGRAMS, relative_entropy),
    ("SVM unit", ALLGRAMS, unit_svm),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Leaf:
    """A leaf of a tree: the conditions that lead to it, its answer, and the percentage of positive and negative test rows that
    end there."""

    path: str
    answer: bool
    positive: float
    negative: float


def list_leaves(train: Matrix, yes: Yes, test: Matrix, truth: Yes, names: Sequence[str]) -> list[Leaf]:
    """Return the leaves of a decision tree of depth three."""
    grown = DecisionTreeClassifier(criterion="entropy", max_depth=3, random_state=0).fit(train, yes)
    nodes, leaf_of_row = grown.tree_, grown.apply(test)
    leaves = []

    def walk(node: int, path: tuple[str, ...]) -> None:
        if nodes.children_left[node] < 0:
            in_leaf = leaf_of_row == node
            answer = bool(grown.classes_[int(np.argmax(nodes.value[node][0]))])
            shares = [100 * float(np.mean(in_leaf[side])) if side.any() else 0.0 for side in (truth, ~truth)]
            leaves.append(Leaf(", ".join(path) or "always", answer, *shares))
            return
        name, limit = names[nodes.feature[node]], nodes.threshold[node]
        walk(nodes.children_left[node], (*path, f"{name} <= {limit:g}"))
        walk(nodes.children_right[node], (*path, f"{name} > {limit:g}"))

    walk(0, ())
    return leaves


def is_better(first: Sequence[float], second: Sequence[float]) -> bool:
    """Return True if the first scores are significantly above the second by a one-tailed paired t-test."""
    differences = np.subtract(first, second)
    if len(differences) < 2 or np.ptp(differences) < MIN_SPREAD_POINTS:
        return False
    return bool(stats.ttest_rel(first, second, alternative="greater").pvalue < SIGNIFICANCE)
