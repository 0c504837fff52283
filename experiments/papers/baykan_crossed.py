"""Baykan, Henzinger and Weber (2013), section 4: every classifier in every fold, on the same URLs."""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from url_algorithms import ALLGRAMS, GRAM_SETS, ON_CUSTOM, ON_WORDS, OTHER_GRAMS, SVM_GRAMS, WORDS, Classifier, tree
from url_folds import FIVE, Key, Score, Size, Split, Task, mean, score
from url_webtongue import UrlModel

from webtongue.url.baselines import by_cctld, by_cctld_plus
from webtongue.url.features import NAMES

__all__ = [
    "KEPT", "NO_IP", "PLUS_IP", "SVM_ALL", "WEBTONGUE", "Crossed", "cross_validate", "name_of", "progress", "with_server",
    "without_server",
]  # fmt: skip

WEBTONGUE = "webtongue"
SVM_ALL, PLUS_IP = "SVM allgrams", "SVM allgrams + IP"
KEPT = ("SVM words", SVM_ALL, "SVM custom-made", WEBTONGUE)  # whose answers table XIII looks into
NO_IP = "DT custom-made without IP"

Answers = list[tuple[NDArray[np.int64], NDArray[np.bool_]]]  # test rows and what is said of them, a pair a fold


@dataclass(frozen=True, slots=True)
class Crossed:
    """Scores and answers by classifier and language, a fold after the other. The slow ones have fewer folds than the others."""

    task: Task
    scores: dict[str, dict[str, list[Score]]]
    answers: dict[str, dict[str, Answers]]

    def four(self, name: str, language: str) -> tuple[float, float, float, float]:
        return mean(self.scores[name][language])

    def f1(self, name: str, language: str) -> list[float]:
        return [one.f1 for one in self.scores[name][language]]

    def f1s(self, name: str) -> list[float]:
        """F1 of the five languages."""
        return [self.four(name, language)[3] for language in FIVE]

    def macro(self, name: str) -> float:
        return float(np.mean(self.f1s(name)))


def name_of(key: Key) -> str:
    """As tables name a classifier: 3- to 7-grams from words are what the paper calls allgrams."""
    return f"{key[0]} {'allgrams' if key[1] == ALLGRAMS else key[1]}"


def with_server(said: dict[str, NDArray[np.bool_]], server: NDArray[np.bool_]) -> dict[str, NDArray[np.bool_]]:
    """IP, and SVM + IP (section 4.7.1): no only where both say no."""
    return said | {"IP": server, PLUS_IP: said[SVM_ALL] | server}


def cross_validate(task: Task, size: Size, model: UrlModel, searched: bool) -> Crossed:
    """All classifiers; n-grams other than allgrams only where they are searched for the best ones (tables X and XI)."""
    scores: defaultdict[str, defaultdict[str, list[Score]]] = defaultdict(lambda: defaultdict(list))
    answers: defaultdict[str, defaultdict[str, Answers]] = defaultdict(lambda: defaultdict(list))
    fixed = _by_table(task)
    own = _by_webtongue(task, model)
    for language in FIVE:
        for fold, split in enumerate(task.splits(language)):
            test = split[1]
            said = _said(task, language, split, _classifiers(searched, fold < size.few))
            said |= {name: found[test] == language for name, found in fixed.items() if name != "IP"}
            said = with_server(said, fixed["IP"][test] == language) | {WEBTONGUE: own[test] == language}
            for name, found in said.items():
                scores[name][language].append(score(task.truth[test] == language, found))
                if name in KEPT:
                    answers[name][language].append((test, found))
        progress(f"{language} done")
    return Crossed(task, {k: dict(v) for k, v in scores.items()}, {k: dict(v) for k, v in answers.items()})


def _classifiers(searched: bool, slow: bool) -> tuple[Classifier, ...]:
    if not searched:
        few = tuple(one for one in SVM_GRAMS if one[1] == ALLGRAMS)
        return (*ON_WORDS, *few, ("RE", ALLGRAMS, OTHER_GRAMS["RE"]), *ON_CUSTOM)
    kinds = tuple(GRAM_SETS) if slow else ()
    others = tuple((name, kind, found) for name, found in OTHER_GRAMS.items() for kind in kinds)
    always = () if slow else (("RE", ALLGRAMS, OTHER_GRAMS["RE"]),)
    return (*ON_WORDS, *SVM_GRAMS, *others, *always, *ON_CUSTOM)


def _said(task: Task, language: str, split: Split, classifiers: tuple[Classifier, ...]) -> dict[str, NDArray[np.bool_]]:
    said = {name_of(key): found for key, found in task.answers(language, split, classifiers).items()}
    return said | {NO_IP: without_server(task, language, split)}


def without_server(task: Task, language: str, split: Split) -> NDArray[np.bool_]:
    """What a tree says that does not know where the server stands."""
    train, yes = split[0], task.truth[split[0]] == language
    bare = task.custom(split)
    bare[:, [NAMES.index(f"ip {g}") for g in FIVE]] = 0
    return tree(task.features[WORDS], bare[: len(train)], yes, bare[len(train) :])


def _by_table(task: Task) -> dict[str, NDArray[np.str_]]:
    """The baselines, which learn nothing."""
    urls = [row.url for row in task.rows]
    return {
        "ccTLD": np.array([by_cctld(url) for url in urls]),
        "ccTLD+": np.array([by_cctld_plus(url) for url in urls]),
        "IP": task.by_server(),
    }


def _by_webtongue(task: Task, model: UrlModel) -> NDArray[np.str_]:
    """Each URL by the model that was fitted on the other folds."""
    out = np.full(len(task.rows), "", dtype="U3")
    for fold in range(task.count):
        test = np.flatnonzero(task.folds == fold)
        out[test] = model.answers(task.inside[task.folds[task.inside] != fold], test)
        progress(f"webtongue, fold {fold + 1} of {task.count}")
    return out


def progress(line: str) -> None:
    if sys.stderr.isatty():
        print(line, file=sys.stderr)
