"""Features and algorithms of Baykan, Henzinger and Weber (2013), sections 2.1 and 2.2: fitted on yes and no, answering the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import MissingExtra
from webtongue.url.tokens import allgrams, grams_from_url, grams_from_word, paper_tokens

try:
    from scipy import sparse, stats
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.svm import LinearSVC
    from sklearn.tree import DecisionTreeClassifier, export_text
except ImportError as error:
    raise MissingExtra(error.name or "scikit-learn", "train") from error

PROFILE = 400  # features of a rank order profile
CUSTOM = "custom-made"
SIGNIFICANCE = 0.025

Matrix = Any  # scipy.sparse.csr_matrix, or an array of custom-made features
Analyser = Callable[[str], list[str]]

FEATURES: dict[str, Analyser] = {
    "words": paper_tokens,
    "3-grams-fromWord": partial(grams_from_word, orders=range(3, 4)),
    "3-grams-fromURL": partial(grams_from_url, orders=range(3, 4)),
    "5-grams-fromURL": partial(grams_from_url, orders=range(5, 6)),
    "allgrams-fromWord": allgrams,
}
# The rest of table XI, for --full.
VARIANTS: dict[str, Analyser] = {
    **{f"{n}-grams-fromWord": partial(grams_from_word, orders=range(n, n + 1)) for n in (4, 5, 6)},
    **{f"{n}-grams-fromURL": partial(grams_from_url, orders=range(n, n + 1)) for n in (4, 6)},
    **{f"3-{n}-grams-fromWord": partial(grams_from_word, orders=range(3, n + 1)) for n in (4, 5, 6)},
}


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts of features, a row a URL."""

    matrix: Matrix
    names: list[str]


def counted(urls: list[str], analyser: Analyser) -> Counted:
    vectoriser = CountVectorizer(analyzer=analyser, dtype=np.float32, min_df=2)
    matrix = vectoriser.fit_transform(urls)
    return Counted(matrix.tocsr(), vectoriser.get_feature_names_out().tolist())


Algorithm = Callable[[Counted, Matrix, NDArray[np.bool_], Matrix], NDArray[np.bool_]]


def tf_idf(train: Matrix, test: Matrix) -> tuple[Matrix, Matrix]:
    """Footnote 6: count times ln(n / (n_i + 1))."""
    weights = np.log(train.shape[0] / (np.asarray((train > 0).sum(0)).ravel() + 1.0))
    scale = sparse.diags(np.maximum(weights, 0).astype(np.float32))
    return train @ scale, test @ scale


def scaled(train: Matrix, test: Matrix) -> tuple[Matrix, Matrix]:
    """Custom-made features by how far they spread: a length is a hundred times a flag."""
    spread = train.std(0)
    scale = np.where(spread > 0, spread, 1)
    return train / scale, test / scale


def naive_bayes(_: Counted, train: Any, yes: NDArray[np.bool_], test: Any) -> NDArray[np.bool_]:
    return np.asarray(MultinomialNB().fit(train, yes).predict(test))


def max_entropy(_: Counted, train: Any, yes: NDArray[np.bool_], test: Any) -> NDArray[np.bool_]:
    if not sparse.issparse(train):
        train, test = scaled(train, test)
    return np.asarray(LogisticRegression(solver="liblinear", max_iter=1000, C=1.0).fit(train, yes).predict(test))


def svm(_: Counted, train: Any, yes: NDArray[np.bool_], test: Any) -> NDArray[np.bool_]:
    if sparse.issparse(train):
        train, test = tf_idf(train, test)
        norm = max(1e-9, float(np.sqrt(train.multiply(train).sum(1)).mean()))
        train, test = train / norm, test / norm
    else:
        train, test = scaled(train, test)
    return np.asarray(LinearSVC(C=0.3, max_iter=3000).fit(train, yes).predict(test))


def tree(_: Counted, train: Any, yes: NDArray[np.bool_], test: Any) -> NDArray[np.bool_]:
    return np.asarray(
        DecisionTreeClassifier(criterion="entropy", min_samples_leaf=10, random_state=0).fit(train, yes).predict(test)
    )


def relative_entropy(_: Counted, train: Any, yes: NDArray[np.bool_], test: Any) -> NDArray[np.bool_]:
    """The class whose distribution is nearest that of the URL; the URL's own entropy is the same for both."""
    logs = [
        np.log((np.asarray(train[side].sum(0)).ravel() + 0.5) / (train[side].sum() + 0.5 * train.shape[1]))
        for side in (yes, ~yes)
    ]
    return np.asarray(test @ (logs[0] - logs[1]) > 0)


def markov(counts: Counted, train: Any, yes: NDArray[np.bool_], test: Any) -> NDArray[np.bool_]:
    """Dunning: the chance of each n-gram's last letter after the ones before it."""
    numbers: dict[str, int] = {}
    prefix = np.array([numbers.setdefault(name[:-1], len(numbers)) for name in counts.names])
    logs = []
    for side in (yes, ~yes):
        seen = np.asarray(train[side].sum(0)).ravel()
        before = np.bincount(prefix, weights=seen, minlength=len(numbers))
        logs.append(np.log((seen + 0.1) / (before[prefix] + 2.6)))
    return np.asarray(test @ (logs[0] - logs[1]) > 0)


def rank_order(_: Counted, train: Any, yes: NDArray[np.bool_], test: Any) -> NDArray[np.bool_]:
    """Cavnar and Trenkle: the sum of how far out of place each feature is, in profiles of 400."""
    ranks = []
    for side in (yes, ~yes):
        rank = np.full(train.shape[1], PROFILE)
        profile = np.argsort(-np.asarray(train[side].sum(0)).ravel(), kind="stable")[:PROFILE]
        rank[profile] = np.arange(len(profile))
        ranks.append(rank)
    out = []
    for row in test:
        order = row.indices[np.argsort(-row.data, kind="stable")]
        here = np.arange(len(order))
        out.append(np.abs(ranks[0][order] - here).sum() < np.abs(ranks[1][order] - here).sum())
    return np.array(out)


ON_COUNTS: tuple[tuple[str, str, Algorithm], ...] = (
    ("NB", "words", naive_bayes),
    ("ME", "words", max_entropy),
    ("RE", "words", relative_entropy),
    ("ROS", "words", rank_order),
    ("SVM", "words", svm),
    ("SVM", "3-grams-fromURL", svm),
    ("SVM", "3-grams-fromWord", svm),
    ("Markov", "5-grams-fromURL", markov),
    ("NB", "allgrams-fromWord", naive_bayes),
    ("ME", "allgrams-fromWord", max_entropy),
    ("RE", "allgrams-fromWord", relative_entropy),
    ("ROS", "allgrams-fromWord", rank_order),
    ("SVM", "allgrams-fromWord", svm),
)
ON_CUSTOM: tuple[tuple[str, str, Algorithm], ...] = (
    ("NB", CUSTOM, naive_bayes),
    ("ME", CUSTOM, max_entropy),
    ("RE", CUSTOM, relative_entropy),
    ("SVM", CUSTOM, svm),
    ("DT", CUSTOM, tree),
)
# Of tables XIV and XVI and figures 5 and 6.
BEST: tuple[tuple[str, str, Algorithm], ...] = (
    ("SVM", "allgrams-fromWord", svm),
    ("DT", CUSTOM, tree),
    ("RE", "allgrams-fromWord", relative_entropy),
)


def drawn_tree(rows: NDArray[np.float32], yes: NDArray[np.bool_], names: list[str]) -> list[str]:
    """The top of a decision tree, a line a node."""
    pruned = DecisionTreeClassifier(criterion="entropy", max_depth=3, random_state=0).fit(rows, yes)
    return str(export_text(pruned, feature_names=names, show_weights=False)).splitlines()


def better(first: list[float], second: list[float]) -> bool:
    """Whether the first is above the second by a one-tailed paired t-test."""
    if np.allclose(first, second):
        return False
    return bool(stats.ttest_rel(first, second, alternative="greater").pvalue < SIGNIFICANCE)
