"""Baykan, Henzinger and Weber (2013): scores by amount of training data (figures 5, 6), and multimedia URLs (tables XV, XVI)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue.lab.evaluate.tables import Cell, Table
from webtongue.lab.methods.url_features import FIVE_LANGUAGES
from webtongue.lab.papers.baykan_cross_validation import (
    DT_NO_IP,
    PLUS_IP,
    SVM_ALL,
    SVM_UNIT,
    WEBTONGUE,
    CrossValidation,
    add_server_answers,
    classifier_name,
)
from webtongue.lab.papers.baykan_published import FLASH, FLASH_SIZES
from webtongue.lab.papers.baykan_tables import MAIN_CLASSIFIERS, MEASURES, make_table, published_name
from webtongue.lab.papers.url_algorithms import BEST
from webtongue.lab.papers.url_folds import Score, Size, Split, Task, score
from webtongue.lab.papers.url_model import UrlModel
from webtongue.url.tld import by_cctld

__all__ = [
    "TRAINING_SHARES", "Curve", "MediaScores", "best_without_ip", "measure_multimedia", "measure_training_size",
    "sweep_training_sizes",
]  # fmt: skip

TRAINING_SHARES = (0.001, 0.01, 0.1, 1.0)
MIN_TRAINING_URLS = 10  # smaller shares are filled up to this number
FLASH_FILES = "multimedia files and documents of the list, nearly all PDF, in place of Flash pages"


CURVES = (*MAIN_CLASSIFIERS, DT_NO_IP, SVM_UNIT)
WITHOUT_IP = (SVM_ALL, SVM_UNIT, "RE allgrams", DT_NO_IP)  # trained classifiers that do not use the generated addresses


@dataclass(frozen=True, slots=True)
class Curve:
    """Macro F1 of each classifier for each share of the training data, and the number of URLs in each share."""

    urls: list[int]
    f1: dict[str, list[float | None]]


def answer_test_rows(task: Task, language: str, split: Split) -> dict[str, NDArray[np.bool_]]:
    """Return the answers of the classifiers of tables XIV and XVI for the test rows."""
    test = split[1]
    answers = {classifier_name(key): answer for key, answer in task.answers(language, split, BEST).items()}
    answers["ccTLD"] = np.array([by_cctld(url) == language for url in task.urls_at(test)], bool)
    return add_server_answers(answers, task.by_server()[test] == language)


def sweep_training_sizes(task: Task, splits: list[tuple[str, Split]]) -> Curve:
    """Return the macro F1 for each share of the training data, None where a share has URLs of one side only."""
    rng = np.random.default_rng(0)
    curves: dict[str, list[float | None]] = {name: [] for name in CURVES}
    for share in TRAINING_SHARES:
        f1_by_name: defaultdict[str, list[float]] = defaultdict(list)
        for language, (train, test) in splits:
            sample = rng.permutation(train)[: max(MIN_TRAINING_URLS, int(share * len(train)))]
            if len(set((task.truth[sample] == language).tolist())) == 2:
                for name, answers in answer_test_rows(task, language, (sample, test)).items():
                    f1_by_name[name].append(score(task.truth[test] == language, answers).f1)
        for name, values in curves.items():
            values.append(float(np.mean(f1_by_name[name])) if f1_by_name[name] else None)
    mean_size = int(np.mean([len(train) for _, (train, _) in splits]))
    return Curve([max(MIN_TRAINING_URLS, int(share * mean_size)) for share in TRAINING_SHARES], curves)


def _curve_table(curve: Curve, id: str, title: str, of: str, note: str, generated: str) -> Table:
    """Return figure 5 or 6."""
    rows: list[tuple[Cell, ...]] = [
        (f"{100 * share:g}%", *(curve.f1[name][i] for name in CURVES)) for i, share in enumerate(TRAINING_SHARES)
    ]
    return make_table(
        id,
        f"{title}: macro F1 by share of the training data",
        rows,
        ("data", *CURVES),
        of,
        "lines",
        note=note,
        generated=generated,
    )


def measure_training_size(cv: CrossValidation, size: Size) -> tuple[Table, Curve]:
    """Return figure 5, measured on the first folds."""
    task = cv.task
    splits = [
        (g, split) for g in FIVE_LANGUAGES for split, _ in zip(task.splits(g), range(size.slow_folds), strict=False)
    ]
    curve = sweep_training_sizes(task, splits)
    all_urls = curve.urls[-1]
    note = (
        f"{min(size.slow_folds, task.count)} folds; all is {all_urls} URLs a classifier, and {MIN_TRAINING_URLS} at "
        f"least are used. In the paper all is 450,000, and {PLUS_IP} has 90 at 0.1%. webtongue with all of the data: "
        f"{cv.macro(WEBTONGUE):.1f} over all folds."
    )
    return _curve_table(curve, "figure-5", "test folds", "figure 5", note, task.servers.generated), curve


MediaScores = dict[str, dict[str, Score]]  # classifier -> language -> score


def measure_multimedia(task: Task, domain_task: Task, model: UrlModel) -> tuple[list[Table], MediaScores, Curve]:
    """Return tables XV and XVI and figure 6, with their scores: trained on all folds, tested on URLs that are in none of them."""
    splits = {g: task.media(g) for g in FIVE_LANGUAGES}
    truth = task.truth[splits[FIVE_LANGUAGES[0]][1]]
    sizes = {g: int(np.sum(truth == g)) for g in FIVE_LANGUAGES}
    scores, domain_scores = (
        _score_media(each_task, {g: each_task.media(g) for g in FIVE_LANGUAGES}, model)
        for each_task in (task, domain_task)
    )
    generated = task.servers.generated
    curve = sweep_training_sizes(task, list(splits.items()))
    note = f"As table XVI. In the paper, of Flash pages, {PLUS_IP} has 92 at 0.1%."
    tables = [
        make_table(
            "table-15",
            f"URLs that are only ever tested on: {FLASH_FILES}",
            [(g, FLASH_SIZES[g], sizes[g]) for g in FIVE_LANGUAGES],
            ("language", "paper", "here"),
            "table XV",
        ),
        _media_table(scores, domain_scores, generated),
        _best_media_table(scores, sizes),
        _curve_table(curve, "figure-6", FLASH_FILES, "figure 6", note, generated),
    ]
    return tables, scores, curve


def _media_table(scores: MediaScores, domain_scores: MediaScores, generated: str) -> Table:
    """Return table XVI."""
    rows: list[tuple[Cell, ...]] = [
        (
            g,
            name,
            *FLASH[published_name(name)][g],
            *scores[name][g].cells,
            domain_scores[name][g].f1,
            scores[WEBTONGUE][g].f1,
            domain_scores[WEBTONGUE][g].f1,
        )
        for g in FIVE_LANGUAGES
        for name in CURVES
    ]
    heads = ("language", "classifier", *(f"paper {m}" for m in MEASURES), *MEASURES)
    columns = (*heads, "F1, domains unseen", WEBTONGUE, "webtongue, domains unseen")
    return make_table("table-16", FLASH_FILES, rows, columns, "table XVI", generated=generated)


def best_without_ip(scores: MediaScores, language: str) -> str:
    """Return the trained classifier with the highest F1 that does not use the generated addresses."""
    return max(WITHOUT_IP, key=lambda name: scores[name][language].f1)


def _best_media_table(scores: MediaScores, sizes: dict[str, int]) -> Table:
    """Return the best classifier of each language, the headline of section 5.1."""
    rows: list[tuple[Cell, ...]] = []
    for g in FIVE_LANGUAGES:
        paper, best = max(FLASH, key=lambda name: FLASH[name][g][3]), best_without_ip(scores, g)
        rows.append((g, paper, FLASH[paper][g][3], best, scores[best][g].f1, scores[WEBTONGUE][g].f1, sizes[g]))
    columns = ("language", "paper: best", "paper F1", "best here, without IP", "F1", WEBTONGUE, "URLs")
    title = f"the best F1 of each language on multimedia: {FLASH_FILES}"
    return make_table("multimedia", title, rows, columns, "")


def _score_media(task: Task, splits: dict[str, Split], model: UrlModel) -> MediaScores:
    """Return the scores by classifier and language."""
    scores: defaultdict[str, dict[str, Score]] = defaultdict(dict)
    test = splits[FIVE_LANGUAGES[0]][1]
    webtongue = model.answers(task.inside, test)
    for language, split in splits.items():
        for name, answer in (answer_test_rows(task, language, split) | {WEBTONGUE: webtongue == language}).items():
            scores[name][language] = score(task.truth[test] == language, answer)
    return dict(scores)
