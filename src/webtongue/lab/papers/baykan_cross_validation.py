"""Baykan, Henzinger and Weber (2013), section 4: every classifier in every fold, on the same URLs."""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue.lab.methods.url_features import FIVE_LANGUAGES
from webtongue.lab.papers.url_algorithms import (
    ALLGRAMS,
    GRAM_SETS,
    NO_IP,
    ON_CUSTOM,
    ON_WORDS,
    OTHER_GRAMS,
    SVM_GRAMS,
    UNIT_SVM,
    Classifier,
)
from webtongue.lab.papers.url_folds import Key, Score, Size, Split, Task, mean, score
from webtongue.lab.papers.url_model import UrlModel
from webtongue.url.tld import by_cctld, by_cctld_plus

__all__ = [
    "ANSWERS_KEPT",
    "DT_NO_IP",
    "PLUS_IP",
    "SVM_ALL",
    "SVM_NO_IP",
    "SVM_UNIT",
    "WEBTONGUE",
    "CrossValidation",
    "add_server_answers",
    "classifier_name",
    "cross_validate",
    "print_progress",
]  # fmt: skip

WEBTONGUE = "webtongue"
SVM_ALL, PLUS_IP = "SVM allgrams", "SVM allgrams + IP"
SVM_UNIT = "SVM unit allgrams"  # vectors of unit length, C = 1
SVM_NO_IP, DT_NO_IP = f"SVM {NO_IP}", f"DT {NO_IP}"
# Table XIII needs their answers, not only scores.
ANSWERS_KEPT = ("SVM words", SVM_ALL, "SVM custom-made", SVM_NO_IP, WEBTONGUE)

Answers = list[tuple[NDArray[np.int64], NDArray[np.bool_]]]  # for each fold: test rows and the answers for them


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """Scores and answers by classifier and language, in the order of the folds. Slow classifiers have fewer folds."""

    task: Task
    scores: dict[str, dict[str, list[Score]]]
    answers: dict[str, dict[str, Answers]]

    def measures(self, name: str, language: str) -> tuple[float, float, float, float]:
        """Return precision, recall, p(-|-) and F1, averaged over folds."""
        return mean(self.scores[name][language])

    def f1(self, name: str, language: str) -> list[float]:
        """Return the F1 of each fold."""
        return [fold_score.f1 for fold_score in self.scores[name][language]]

    def f1_by_language(self, name: str) -> list[float]:
        """Return the F1 of each of the five languages."""
        return [self.measures(name, language)[3] for language in FIVE_LANGUAGES]

    def macro(self, name: str) -> float:
        """Return the F1 averaged over languages."""
        return float(np.mean(self.f1_by_language(name)))


def classifier_name(key: Key) -> str:
    """Return the name of a classifier in the tables: the paper calls 3- to 7-grams from words allgrams."""
    return f"{key[0]} {'allgrams' if key[1] == ALLGRAMS else key[1]}"


def add_server_answers(
    answers: dict[str, NDArray[np.bool_]], server: NDArray[np.bool_]
) -> dict[str, NDArray[np.bool_]]:
    """Return the answers with those of IP and of SVM + IP (section 4.7.1), which is no only where both answer no."""
    return answers | {"IP": server, PLUS_IP: answers[SVM_ALL] | server}


def cross_validate(task: Task, size: Size, model: UrlModel, search_ngrams: bool) -> CrossValidation:
    """Return the scores of all classifiers. Other n-grams than allgrams run only where the best ones are searched (tables X,
    XI)."""
    scores: defaultdict[str, defaultdict[str, list[Score]]] = defaultdict(lambda: defaultdict(list))
    answers: defaultdict[str, defaultdict[str, Answers]] = defaultdict(lambda: defaultdict(list))
    baselines = _answer_baselines(task)
    webtongue = _answer_webtongue(task, model)
    for language in FIVE_LANGUAGES:
        for fold, split in enumerate(task.splits(language)):
            test = split[1]
            split_answers = _answer_split(task, language, split, _classifiers(search_ngrams, fold < size.slow_folds))
            split_answers |= {name: answer[test] == language for name, answer in baselines.items() if name != "IP"}
            split_answers = add_server_answers(split_answers, baselines["IP"][test] == language) | {
                WEBTONGUE: webtongue[test] == language
            }
            for name, answer in split_answers.items():
                scores[name][language].append(score(task.truth[test] == language, answer))
                if name in ANSWERS_KEPT:
                    answers[name][language].append((test, answer))
        print_progress(f"{language} done")
    return CrossValidation(task, {k: dict(v) for k, v in scores.items()}, {k: dict(v) for k, v in answers.items()})


def _classifiers(search_ngrams: bool, with_slow: bool) -> tuple[Classifier, ...]:
    """Return the classifiers of one fold."""
    if not search_ngrams:
        allgrams = tuple(classifier for classifier in SVM_GRAMS if classifier[1] == ALLGRAMS)
        return (*ON_WORDS, *allgrams, *UNIT_SVM, ("RE", ALLGRAMS, OTHER_GRAMS["RE"]), *ON_CUSTOM)
    kinds = tuple(GRAM_SETS) if with_slow else ()
    others = tuple((name, kind, algorithm) for name, algorithm in OTHER_GRAMS.items() for kind in kinds)
    always = () if with_slow else (("RE", ALLGRAMS, OTHER_GRAMS["RE"]),)
    return (*ON_WORDS, *SVM_GRAMS, *UNIT_SVM, *others, *always, *ON_CUSTOM)


def _answer_split(
    task: Task, language: str, split: Split, classifiers: tuple[Classifier, ...]
) -> dict[str, NDArray[np.bool_]]:
    """Return the answers of the classifiers for the test rows, by the name of the classifier."""
    return {classifier_name(key): answer for key, answer in task.answers(language, split, classifiers).items()}


def _answer_baselines(task: Task) -> dict[str, NDArray[np.str_]]:
    """Return the answers of the baselines, which are not trained."""
    urls = [row.url for row in task.rows]
    return {
        "ccTLD": np.array([by_cctld(url) for url in urls]),
        "ccTLD+": np.array([by_cctld_plus(url) for url in urls]),
        "IP": task.by_server(),
    }


def _answer_webtongue(task: Task, model: UrlModel) -> NDArray[np.str_]:
    """Return the answer for each URL by the model that was fitted on the other folds."""
    answers = np.full(len(task.rows), "", dtype="U3")
    for fold in range(task.count):
        test = np.flatnonzero(task.folds == fold)
        answers[test] = model.answers(task.inside[task.folds[task.inside] != fold], test)
        print_progress(f"webtongue, fold {fold + 1} of {task.count}")
    return answers


def print_progress(line: str) -> None:
    """Print a line to standard error if that is a terminal."""
    if sys.stderr.isatty():
        print(line, file=sys.stderr)
