"""The tables of Baykan, Henzinger and Weber (2013), with the published figures beside ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.lab.evaluate.tables import Cell, Table
from webtongue.lab.methods.url_features import FEATURE_NAMES, FIVE_LANGUAGES
from webtongue.lab.papers.baykan_cross_validation import (
    DT_NO_IP,
    PLUS_IP,
    SVM_ALL,
    SVM_UNIT,
    WEBTONGUE,
    CrossValidation,
    classifier_name,
)
from webtongue.lab.papers.baykan_published import (
    CCTLD_PLUS_ENGLISH,
    CONFUSION_CCTLD,
    CONFUSION_IP,
    CROSS_VALIDATED,
    EMPTY,
    GRAMS,
    SEARCHED,
)
from webtongue.lab.papers.url_algorithms import ALLGRAMS, CUSTOM, GRAM_SETS, NO_IP, WORDS, is_better, list_leaves
from webtongue.lab.papers.url_folds import Task, mean, score
from webtongue.url.tld import by_cctld, by_cctld_plus

__all__ = [
    "MAIN_CLASSIFIERS",
    "MEASURES",
    "best_ngrams",
    "cross_validation_tables",
    "gain_without_empty",
    "make_table",
    "measure_empty",
    "ngram_tables",
    "published_name",
]

TRIVIAL_TOKENS = frozenset({"com", "net", "www", "index", "html"})
MEASURES = ("P", "R", "p(-|-)", "F1")
NO_FIGURES: tuple[Cell, ...] = (None,) * 4
MAIN_CLASSIFIERS = ("ccTLD", "IP", SVM_ALL, "DT custom-made", "RE allgrams", PLUS_IP)
OWN_READINGS = (
    SVM_UNIT,
    DT_NO_IP,
)  # shown beside them: another setting of SVM, and trees without the generated addresses
CONFUSION_TITLE = "% of the row's URLs that the column's classifier accepts"

Rows = Iterable[tuple[Cell, ...]]


def published_name(name: str) -> str:
    """Return the name that the paper has for a classifier of which ours is another reading."""
    return name.removesuffix(" without IP").replace("SVM unit", "SVM").replace("NB multinomial", "NB")


def published(name: str, language: str) -> Sequence[Cell]:
    """Return the four measures that the paper has for a classifier."""
    original = published_name(name)
    return CROSS_VALIDATED[original][language] if original in CROSS_VALIDATED else NO_FIGURES


def make_table(id: str, title: str, rows: Rows, columns: Sequence[str], of: str, plot: str = "", **more: Any) -> Table:
    """Return a table; ``of`` lists the paper's tables and figures, separated by commas."""
    return Table(
        id, title, tuple(rows), tuple(columns), reproduces=tuple(of.split(", ")) if of else (), plot=plot, **more
    )


def comparison_table(
    cv: CrossValidation, domain_cv: CrossValidation, names: Sequence[str], id: str, title: str, of: str, **more: Any
) -> Table:
    """Return the paper's four measures of each classifier and language, ours, F1 by domain and webtongue's F1.

    A * marks the best classifier where it is significantly above the second.
    """
    rows: list[tuple[Cell, ...]] = []
    for language in FIVE_LANGUAGES:
        folds = {name: cv.f1(name, language) for name in names}
        first, *rest = sorted(names, key=lambda name: -float(np.mean(folds[name])))
        is_best = bool(rest) and is_better(folds[first], folds[rest[0]])
        webtongue_f1, webtongue_by_domain = (
            each_folds.measures(WEBTONGUE, language)[3] for each_folds in (cv, domain_cv)
        )
        for name in names:
            paper = published(name, language)
            star = "*" if is_best and name == first else ""
            f1_by_domain = domain_cv.measures(name, language)[3]
            rows.append(
                (
                    language,
                    name,
                    *paper,
                    *cv.measures(name, language),
                    star,
                    f1_by_domain,
                    webtongue_f1,
                    webtongue_by_domain,
                )
            )
    heads = ("language", "classifier", *(f"paper {m}" for m in MEASURES), *MEASURES, "best", "F1 by domain", WEBTONGUE)
    return make_table(id, title, rows, (*heads, "webtongue by domain"), of, **more)


def deviation_table(cv: CrossValidation, names: Sequence[str], id: str, title: str, of: str, **more: Any) -> Table:
    """Return figure 1 or 3: F1 and its standard deviation over folds."""
    rows: list[tuple[Cell, ...]] = []
    for language in FIVE_LANGUAGES:
        for name in names:
            folds = cv.f1(name, language)
            paper = published(name, language)[3]
            rows.append((f"{language} {name}", paper, float(np.mean(folds)), f"{np.std(folds):.2f}"))
    columns = ("classifier", "paper", "its method", "standard deviation")
    return make_table(id, title, rows, columns, of, "bars", **more)


def confusion_table(
    id: str,
    title: str,
    answers: dict[str, NDArray[np.str_]],
    paper: Mapping[str, Mapping[str, Sequence[int]]],
    cv: CrossValidation,
    of: str,
    **more: Any,
) -> Table:
    """Return table VI or VIII: rows of the paper, of the same algorithm here and of webtongue."""
    truth, inside = cv.task.truth, cv.task.folds >= 0
    rows: list[tuple[Cell, ...]] = []
    for true in FIVE_LANGUAGES:
        for name, answer in answers.items():
            rows.append((true, f"paper: {name}", *map(float, paper[name][true])))
            answers_for_true = answer[(truth == true) & inside]
            rows.append(
                (true, f"its method: {name}", *(100 * float(np.mean(answers_for_true == g)) for g in FIVE_LANGUAGES))
            )
        rows.append((true, WEBTONGUE, *(_yes_share(cv, true, g) for g in FIVE_LANGUAGES)))
    return make_table(id, f"{title}: {CONFUSION_TITLE}", rows, ("URLs of", "by", *FIVE_LANGUAGES), of, **more)


def _yes_share(cv: CrossValidation, true: str, language: str) -> float:
    """Return the percentage of one language's URLs that webtongue assigns to ``language``, in the latter's test sets."""
    pairs = cv.answers[WEBTONGUE][language]
    answers = np.concatenate([answer[cv.task.truth[test] == true] for test, answer in pairs])
    return 100 * float(np.mean(answers)) if len(answers) else 0.0


def overview_table(cv: CrossValidation, domain_cv: CrossValidation) -> Table:
    """Return figure 4: F1 averaged over languages."""
    rows: list[tuple[Cell, ...]] = []
    for name in (*MAIN_CLASSIFIERS, *OWN_READINGS, "SVM words", "SVM unit words", WEBTONGUE):
        figures = [figure for language in FIVE_LANGUAGES if isinstance(figure := published(name, language)[3], float)]
        paper = float(np.mean(figures)) if len(figures) == len(FIVE_LANGUAGES) else None
        rows.append((name, paper, cv.macro(name), domain_cv.macro(name)))
    columns = ("classifier", "paper", "here, random folds", "here, by domain")
    title = "macro-averaged F1: the paper's figure, its methods and webtongue on the same URLs"
    note = "SVM unit: vectors of unit length and C = 1 instead of the defaults of SVMperf. IP: generated addresses, no result."
    return make_table(
        "figure-4",
        title,
        rows,
        columns,
        "figure 4",
        "bars",
        note=note,
        generated=cv.task.servers.generated,
        headline=True,
    )


def language_table(cv: CrossValidation) -> Table:
    """Return F1 by language of the classifiers that do not use the generated addresses, the paper's beside ours."""
    names = ("ccTLD", "SVM words", SVM_ALL, SVM_UNIT, "RE allgrams", DT_NO_IP)
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        pairs = ((published(name, g)[3], cv.measures(name, g)[3]) for g in FIVE_LANGUAGES)
        rows.append((name, *(cell for pair in pairs for cell in pair)))
    rows.append((WEBTONGUE, *(cell for f1 in cv.f1_by_language(WEBTONGUE) for cell in (None, f1))))
    columns = ("classifier", *(head for g in FIVE_LANGUAGES for head in (f"{g}, paper", g)))
    note = "Random folds. The paper's trees have the country of the server among their features, ours here do not."
    return make_table("by-language", "F1 by language, without addresses", rows, columns, "", note=note, headline=True)


def no_ip_table(cv: CrossValidation, domain_cv: CrossValidation) -> Table:
    """Return what the generated addresses change: F1 with custom-made features with and without them."""
    rows: list[tuple[Cell, ...]] = []
    for name in ("NB", "NB multinomial", "ME", "RE", "SVM", "DT"):
        paper = float(np.mean([float(published(f"{name} {CUSTOM}", g)[3] or 0) for g in FIVE_LANGUAGES]))
        figures = (folds.macro(f"{name} {kind}") for folds in (cv, domain_cv) for kind in (CUSTOM, NO_IP))
        rows.append((name, paper, *figures))
    columns = ("algorithm", "paper", "with IP", "without IP", "with IP, by domain", "without IP, by domain")
    title = "macro F1 with custom-made features, with and without the generated addresses"
    note = "NB is Gaussian, as Matlab's; NB multinomial is that of the Bow toolkit, which the paper uses for words and n-grams."
    return make_table(
        "custom-made-without-ip", title, rows, columns, "", note=note, generated=cv.task.servers.generated
    )


def cross_validation_tables(cv: CrossValidation, domain_cv: CrossValidation) -> Iterator[Table]:
    """Yield tables V to IX, XII to XIV and figures 1 to 4."""
    task = cv.task
    generated = task.servers.generated
    urls = [row.url for row in task.rows]
    yield comparison_table(cv, domain_cv, ("ccTLD", "ccTLD+"), "table-5", "top level domains", "table V")
    answers = {"ccTLD": np.array([by_cctld(u) for u in urls]), "ccTLD+": np.array([by_cctld_plus(u) for u in urls])}
    plus = {g: (CCTLD_PLUS_ENGLISH[g], *CONFUSION_CCTLD[g][1:]) for g in FIVE_LANGUAGES}
    yield confusion_table("table-6", "ccTLD", answers, {"ccTLD": CONFUSION_CCTLD, "ccTLD+": plus}, cv, "table VI")
    names: tuple[str, ...] = ("ccTLD", "IP")
    yield deviation_table(cv, names, "figure-1", "F1 over folds, ccTLD and IP", "figure 1", generated=generated)
    yield comparison_table(
        cv, domain_cv, ("IP",), "table-7", "the country of the server", "table VII", generated=generated
    )
    answers = {"IP": task.by_server()}
    yield confusion_table("table-8", "IP", answers, {"IP": CONFUSION_IP}, cv, "table VIII", generated=generated)
    names = tuple(f"{name} words" for name in ("NB", "ME", "RE", "ROS", "SVM", "SVM unit"))
    yield comparison_table(cv, domain_cv, names, "table-9", "words as features", "table IX")
    names = tuple(f"{name} {CUSTOM}" for name in ("NB", "NB multinomial", "ME", "RE", "SVM", "DT"))
    title = "60 custom-made features, five of them of generated addresses"
    yield comparison_table(cv, domain_cv, names, "table-12", title, "table XII", generated=generated)
    yield no_ip_table(cv, domain_cv)
    yield english_tree_table(task)
    names = ("SVM words", SVM_ALL, "DT custom-made", DT_NO_IP, WEBTONGUE)
    yield deviation_table(cv, names, "figure-3", "F1 over folds, the best classifiers", "figure 3", generated=generated)
    yield empty_url_table(cv)
    yield overview_table(cv, domain_cv)
    yield language_table(cv)
    title = "the best classifiers and the baselines"
    names = (*MAIN_CLASSIFIERS, *OWN_READINGS)
    yield comparison_table(cv, domain_cv, names, "table-14", title, "table XIV", generated=generated)


def ngram_tables(cv: CrossValidation) -> Iterator[Table]:
    """Yield table X, the best n-grams of each algorithm, and table XI, all n-grams with SVM."""
    rows: list[tuple[Cell, ...]] = []
    for language in FIVE_LANGUAGES:
        best = {name: best_ngrams(cv, name, language)[0] for name in SEARCHED}
        folds = {name: cv.f1(classifier_name((name, kind)), language) for name, kind in best.items()}
        folds_used = min(map(len, folds.values()))
        first, second = sorted(folds, key=lambda name: -float(np.mean(folds[name][:folds_used])))[:2]
        is_best = is_better(folds[first][:folds_used], folds[second][:folds_used])
        webtongue_f1 = cv.measures(WEBTONGUE, language)[3]
        for name, kind in best.items():
            star = "*" if is_best and name == first else ""
            rows.append(
                (
                    language,
                    name,
                    *SEARCHED[name][language],
                    kind,
                    float(np.mean(folds[name][:folds_used])),
                    star,
                    webtongue_f1,
                )
            )
    columns = ("language", "algorithm", "paper: n-grams", "paper F1", "here: n-grams", "F1", "best", WEBTONGUE)
    note = f"The best of all 16 kinds of n-grams for each algorithm and language, in {folds_used} folds."
    yield make_table("table-10", "the best n-grams of each algorithm", rows, columns, "table X", note=note)
    kind_rows: list[tuple[Cell, ...]] = []
    for kind, paper in GRAMS.items():
        f1_here = cv.f1_by_language(classifier_name(("SVM", kind)))
        pairs = [cell for pair in zip(paper, f1_here, strict=True) for cell in pair]
        kind_rows.append((kind, *pairs, float(np.mean(paper)), float(np.mean(f1_here))))
    webtongue_cells = [cell for f1 in cv.f1_by_language(WEBTONGUE) for cell in (None, f1)]
    kind_rows.append((WEBTONGUE, *webtongue_cells, None, cv.macro(WEBTONGUE)))
    heads = [head for g in (*FIVE_LANGUAGES, "macro") for head in (f"{g} paper", g)]
    note = "allgrams are 3- to 7-grams. webtongue, the last row, has features of its own."
    yield make_table(
        "table-11", "F1 of SVM with words and n-grams", kind_rows, ("features", *heads), "table XI", note=note
    )


def best_ngrams(cv: CrossValidation, name: str, language: str) -> tuple[str, float]:
    """Return the n-grams with the highest F1 and this F1, in the folds in which all algorithms were searched."""
    folds_used = len(cv.scores[classifier_name(("NB", ALLGRAMS))][language])
    f1 = {kind: float(np.mean(cv.f1(classifier_name((name, kind)), language)[:folds_used])) for kind in GRAM_SETS}
    return max(f1.items(), key=lambda item: item[1])


def empty_url_table(cv: CrossValidation) -> Table:
    """Return table XIII: URLs whose tokens are all trivial or unseen in training."""
    rows: list[tuple[Cell, ...]] = []
    for language in FIVE_LANGUAGES:
        for name in cv.answers:
            kind = name.removeprefix("SVM ")
            if (language, kind) in EMPTY:
                rows.append((language, kind, "paper", *CROSS_VALIDATED[name][language], *EMPTY[language, kind]))
            source = "its method" if kind != name else WEBTONGUE
            rows.append((language, kind, source, *cv.measures(name, language), *measure_empty(cv, name, language)))
    columns = (
        "language",
        "features",
        "figure",
        *MEASURES,
        "% empty",
        "% empty and yes",
        *(f"{m} not empty" for m in MEASURES),
    )
    title = "SVM by features, and without URLs that have no known word"
    generated = cv.task.servers.generated
    return make_table("table-13", title, rows, columns, "table XIII", generated=generated)


def gain_without_empty(cv: CrossValidation, name: str, language: str) -> float:
    """Return by how much the F1 of a classifier rises without empty URLs."""
    return measure_empty(cv, name, language)[-1] - cv.measures(name, language)[3]


def measure_empty(cv: CrossValidation, name: str, language: str) -> tuple[float, ...]:
    """Return the % of empty URLs, the % that are empty and answered yes, and the four measures of the others."""
    task = cv.task
    scores, empty_shares, positive_shares = [], [], []
    for split, (test, answer) in zip(task.splits(language), cv.answers[name][language], strict=True):
        is_empty = _find_empty(task, *split)
        is_positive = task.truth[test] == language
        scores.append(score(is_positive[~is_empty], answer[~is_empty]))
        empty_shares.append(100 * float(np.mean(is_empty)))
        positive_shares.append(100 * float(np.mean(is_empty & answer)))
    return float(np.mean(empty_shares)), float(np.mean(positive_shares)), *mean(scores)


def _find_empty(task: Task, train: NDArray[np.int64], test: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which test URLs have no informative word that was seen in training."""
    words = task.features[WORDS]
    is_informative = np.array([name not in TRIVIAL_TOKENS for name in words.names])
    is_known = is_informative & (words.matrix[train].getnnz(0) > 0)
    return np.asarray(words.matrix[test] @ is_known == 0)


def english_tree_table(task: Task) -> Table:
    """Return figure 2: the leaves of the top of the decision tree for English."""
    train, test = next(task.splits("eng"))
    features = task.custom((train, test))
    truth = task.truth[train] == "eng"
    rows = [
        (leaf.path, "English" if leaf.answer else "not English", leaf.positive, leaf.negative)
        for leaf in list_leaves(
            features[: len(train)], truth, features[len(train) :], task.truth[test] == "eng", FEATURE_NAMES
        )
    ]
    columns = ("leads to", "answer", "f(+)", "f(-)")
    title = "the top of the decision tree for English: a leaf, its answer, the % of positive and negative test URLs that end there"
    note = (
        "The paper's tree tests English IP first, then words of the not-English trained dictionary and Spanish domains."
    )
    return make_table("figure-2", title, rows, columns, "figure 2", note=note, generated=task.servers.generated)
