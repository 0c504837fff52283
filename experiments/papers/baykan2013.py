"""Baykan, Henzinger and Weber (2013), "A comprehensive study of techniques for URL-based web page language classification":
tables V to XVI and figures 2, 4, 5 and 6, rebuilt on our URL list. `webtongue reproduce baykan2013 [--full] --data DIR`.

Five binary classifiers, each with as many negatives as positives, in k-fold cross-validation: at random as in the paper, and
by registered domain, since half of the paper's test domains had been seen in training. No row of our list has an address:
rows that need one say "no data". In place of Flash pages, URLs of multimedia files and documents are held out of training.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from url_algorithms import BEST, CUSTOM, FEATURES, ON_COUNTS, ON_CUSTOM, VARIANTS, better, counted, drawn_tree, svm
from url_folds import MEDIA, Score, Split, Task, mean, read_tasks, score

from webtongue.evaluate.tables import Cell, Claim, Table
from webtongue.url.baselines import TldMajority, by_cctld, by_cctld_plus
from webtongue.url.features import FIVE, NAMES
from webtongue.url.tokens import paper_tokens

PAPER_SVM = dict(zip(FIVE, (94.2, 97.2, 94.4, 95.0, 96.1), strict=True))
TRIVIAL = frozenset({"com", "net", "www", "index", "html"})
SIZES = (0.001, 0.01, 0.1, 1.0)  # shares of the training data, figures 5 and 6
SVM_ALL = ("SVM", "allgrams-fromWord")
MEASURES = "P R p(-|-) F1"

Results = dict[tuple[str, str], dict[str, list[Score]]]  # (algorithm, features) -> language -> a score a fold
Answers = dict[
    str, list[tuple[NDArray[np.int64], NDArray[np.bool_]]]
]  # language -> test rows and answers, a pair a fold


def cross_validate(task: Task) -> tuple[Results, Answers]:
    results: Results = defaultdict(lambda: defaultdict(list))
    answers: Answers = defaultdict(list)
    known = {kind for _, kind, _ in ON_COUNTS}
    variants = tuple(("SVM", kind, svm) for kind in task.features if kind not in known)
    for language in FIVE:
        for train, test in task.splits(language):
            yes = task.truth[test] == language
            for classifier, said in task.answers(language, (train, test), ON_COUNTS + variants + ON_CUSTOM).items():
                results[classifier][language].append(score(yes, said))
                if classifier == SVM_ALL:
                    answers[language].append((test, said))
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
    inside = np.flatnonzero(task.folds != MEDIA)
    urls = [row.url for row in task.rows]
    majority = np.array([""] * len(urls), dtype=object)
    for fold in range(task.count):
        train, test = inside[task.folds[inside] != fold], np.flatnonzero(task.folds == fold)
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
            s = score(task.truth[inside] == language, found[inside] == language)
            rows.append((language, name, *s.cells))
    rows.append(("all", "IP (tables VII, VIII)", *["no data"] * 4))
    yield table("table-5-6", "top level domains", rows, f"language algorithm {MEASURES}")
    yes = {g: said["ccTLD"] == g for g in FIVE}
    yield confusion("confusion-cctld", "ccTLD", yes, task, dict.fromkeys(FIVE, task.folds != MEDIA))


def confusion(
    id: str, title: str, yes: dict[str, NDArray[np.bool_]], task: Task, seen: dict[str, NDArray[np.bool_]]
) -> Table:
    rows = []
    for true in FIVE:
        of = [(task.truth == true) & seen[g] for g in FIVE]
        rows.append((true, *(100 * float(np.mean(yes[g][which])) for g, which in zip(FIVE, of, strict=True))))
    return table(
        id, f"{title}: % of the row's URLs for which the column's classifier says yes", rows, "of " + " ".join(FIVE)
    )


def comparison(results: Results, kind: str, id: str, title: str) -> Table:
    """A table for one kind of features; * where the best is better than the second."""
    names = [name for name, found in results if found == kind]
    rows: list[tuple[Cell, ...]] = []
    for language in FIVE:
        folds = {name: [s.f1 for s in results[name, kind][language]] for name in names}
        first, second = sorted(names, key=lambda name: -float(np.mean(folds[name])))[:2]
        for name in names:
            star = "*" if name == first and better(folds[first], folds[second]) else ""
            rows.append((language, name, *mean(results[name, kind][language]).cells, star))
    return table(id, title, rows, f"language algorithm {MEASURES} best")


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
        every, full, empties, total = [], [], 0, 0
        for (train, _), (test, said) in zip(task.splits(language), answers[language], strict=True):
            yes = task.truth[test] == language
            known = {token for i in train for token in paper_tokens(task.rows[i].url)} - TRIVIAL
            empty = np.array([not known.intersection(paper_tokens(task.rows[i].url)) for i in test])
            empties, total = empties + int(empty.sum()), total + len(test)
            every.append(score(yes, said))
            full.append(score(yes[~empty], said[~empty]))
        rows.append((language, 100 * empties / total, mean(every).f1, mean(full).f1))
    return table("table-13", "SVM with allgrams", rows, "language empty% F1 F1_not_empty")


def by_size(id: str, title: str, task: Task, splits: dict[str, Split]) -> Table:
    """Figures 5 and 6: macro F1 on 0.1%, 1%, 10% and all of the training data."""
    chance = np.random.default_rng(0)
    still = {g: np.array([by_cctld(url) == g for url in task.urls_at(test)]) for g, (_, test) in splits.items()}
    rows: list[tuple[Cell, ...]] = []
    for size in SIZES:
        found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
        for language, (train, test) in splits.items():
            yes = task.truth[test] == language
            found["ccTLD", ""].append(score(yes, still[language]).f1)
            some = chance.permutation(train)[: max(10, int(size * len(train)))]
            if len(set((task.truth[some] == language).tolist())) == 2:
                for classifier, said in task.answers(language, (some, test), BEST).items():
                    found[classifier].append(score(yes, said).f1)
        cells = [found["ccTLD", ""], *(found[name, kind] for name, kind, _ in BEST)]
        rows.append((f"{100 * size:g}%", *(float(np.mean(c)) if len(c) == len(splits) else None for c in cells)))
    names = " ".join(["ccTLD", *(f"{name}_{kind}" for name, kind, _ in BEST)])
    return table(id, f"{title}: macro F1 by share of the training data", rows, f"data {names}", "lines")


def multimedia(task: Task) -> Iterator[Table]:
    """Tables XV and XVI and figure 6, on URLs of multimedia files and documents in place of Flash pages."""
    splits = {g: task.media(g) for g in FIVE}
    test = splits[FIVE[0]][1]
    sizes: list[tuple[Cell, ...]] = [(g, int(np.sum(task.truth[test] == g))) for g in FIVE]
    yield table("table-15", "URLs of multimedia files and documents, only ever tested on", sizes, "language URLs")
    rows: list[tuple[Cell, ...]] = []
    country = np.array([by_cctld(url) for url in task.urls_at(test)])
    for language, split in splits.items():
        yes = task.truth[test] == language
        rows.append((language, "ccTLD", *score(yes, country == language).cells))
        for (name, kind), said in task.answers(language, split, BEST).items():
            rows.append((language, f"{name} {kind}", *score(yes, said).cells))
    rows.append(("all", "IP; SVM allgrams + IP", *["no data"] * 4))
    yield table("table-16", "multimedia URLs", rows, f"language classifier {MEASURES}")
    yield by_size("figure-6", "multimedia URLs", task, splits)


def english_tree(task: Task) -> Table:
    """Figure 2: the top of the tree for English."""
    train, _ = next(task.splits("eng"))
    lines = drawn_tree(task.custom((train, train[:0])), task.truth[train] == "eng", list(NAMES))
    return table("figure-2", "the top of the decision tree for English", [(line,) for line in lines], "tree")


def claims(results: Results, folds: str) -> Iterator[Claim]:
    """What the paper concludes in sections 4.3 to 4.7."""
    macro = {key: float(np.mean([mean(found[g]).f1 for g in FIVE])) for key, found in results.items()}
    few = "the paper had 450,000 URLs a classifier; with few of them counting does as well"
    for text, high, low, why in (
        ("SVM with allgrams is above SVM with words", SVM_ALL, ("SVM", "words"), few),
        ("with allgrams, SVM is above RE", SVM_ALL, ("RE", "allgrams-fromWord"), few),
        ("with allgrams, SVM is above NB", SVM_ALL, ("NB", "allgrams-fromWord"), few),
        ("with custom-made features, DT is above SVM", ("DT", CUSTOM), ("SVM", CUSTOM), "its first split is by IP"),
    ):
        holds = macro[high] > macro[low]
        figures = f"{macro[high]:.1f}, {macro[low]:.1f}" + ("" if holds else f"; {why}")
        yield Claim(f"{text} ({folds})", holds, figures)


def run(data: Path, quick: bool = True) -> Iterator[Table | Claim]:
    """Every table, first with random folds as published, then by domain."""
    wanted = FEATURES if quick else FEATURES | VARIANTS
    for folds, task in read_tasks(data, quick).items():
        urls = [row.url for row in task.rows]
        task = replace(task, features={name: counted(urls, analyser) for name, analyser in wanted.items()})
        note = f"{int(np.sum(task.folds != MEDIA))} URLs, {task.count} folds, {folds}"
        for one in tables(task, folds):
            yield replace(one, id=f"{one.id}-{folds.replace(' ', '-')}", note=note) if isinstance(one, Table) else one


def tables(task: Task, folds: str) -> Iterator[Table | Claim]:
    yield from baselines(task)
    results, answers = cross_validate(task)
    yield comparison(results, "words", "table-9", "words")
    yield comparison(results, "allgrams-fromWord", "table-10", "3- to 7-grams from words")
    yield comparison(results, CUSTOM, "table-12", "60 custom-made features")
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
    yield by_size("figure-5", "first fold", task, {g: next(task.splits(g)) for g in FIVE})
    yield english_tree(task)
    yield from multimedia(task)
    yield from claims(results, folds)
