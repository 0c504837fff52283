"""Baykan, Henzinger and Weber (2013): how much training data is needed (figures 5, 6), and multimedia URLs (tables XV, XVI)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from baykan_crossed import NO_IP, PLUS_IP, WEBTONGUE, Crossed, name_of, with_server, without_server
from baykan_figures import FLASH, FLASH_SIZES
from baykan_tables import IN_TABLE_XIV, MEASURES, table
from numpy.typing import NDArray
from url_algorithms import BEST
from url_folds import FIVE, Score, Size, Split, Task, score
from url_webtongue import UrlModel

from webtongue.evaluate.tables import Cell, Table
from webtongue.url.baselines import by_cctld

__all__ = ["SHARES", "Curve", "by_size", "multimedia", "training_size"]

SHARES = (0.001, 0.01, 0.1, 1.0)  # of the training data
LEAST = 10  # URLs to train on, where a share is less
FLASH_FILES = "multimedia files and documents of the list, nearly all PDF, in place of Flash pages"


@dataclass(frozen=True, slots=True)
class Curve:
    """Macro F1 of each classifier at each share of the training data, and how many URLs that share is."""

    urls: list[int]
    f1: dict[str, list[float | None]]


def said_of(task: Task, language: str, split: Split) -> dict[str, NDArray[np.bool_]]:
    """What the classifiers of tables XIV and XVI say of the test rows."""
    test = split[1]
    said = {name_of(key): found for key, found in task.answers(language, split, BEST).items()}
    said[NO_IP] = without_server(task, language, split)
    said["ccTLD"] = np.array([by_cctld(url) == language for url in task.urls_at(test)], bool)
    return with_server(said, task.by_server()[test] == language)


def by_size(task: Task, splits: list[tuple[str, Split]]) -> Curve:
    """Macro F1 on 0.1%, 1%, 10% and all of the training data; none where a share has no URL of one of the two sides."""
    chance = np.random.default_rng(0)
    out: dict[str, list[float | None]] = {name: [] for name in (*IN_TABLE_XIV, NO_IP)}
    for share in SHARES:
        found: defaultdict[str, list[float]] = defaultdict(list)
        for language, (train, test) in splits:
            some = chance.permutation(train)[: max(LEAST, int(share * len(train)))]
            if len(set((task.truth[some] == language).tolist())) == 2:
                for name, said in said_of(task, language, (some, test)).items():
                    found[name].append(score(task.truth[test] == language, said).f1)
        for name, values in out.items():
            values.append(float(np.mean(found[name])) if found[name] else None)
    most = int(np.mean([len(train) for _, (train, _) in splits]))
    return Curve([max(LEAST, int(share * most)) for share in SHARES], out)


def _curve(curve: Curve, id: str, title: str, of: str, note: str, drawn: str) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (f"{100 * share:g}%", *(curve.f1[name][i] for name in IN_TABLE_XIV)) for i, share in enumerate(SHARES)
    ]
    return table(
        id,
        f"{title}: macro F1 by share of the training data",
        rows,
        ("data", *IN_TABLE_XIV),
        of,
        "lines",
        note=note,
        generated=drawn,
    )


def training_size(crossed: Crossed, size: Size) -> tuple[Table, Curve]:
    """Figure 5, on the first folds."""
    task = crossed.task
    splits = [(g, split) for g in FIVE for split, _ in zip(task.splits(g), range(size.few), strict=False)]
    curve = by_size(task, splits)
    most = curve.urls[-1]
    note = (
        f"{min(size.few, task.count)} folds; all is {most} URLs a classifier, and {LEAST} at least are taken. In the paper all is "
        f"450,000, and {PLUS_IP} has 90 at 0.1%. webtongue with all of the data: {crossed.macro(WEBTONGUE):.1f} over all folds."
    )
    return _curve(curve, "figure-5", "test folds", "figure 5", note, task.servers.generated), curve


def multimedia(task: Task, domains: Task, model: UrlModel) -> Iterator[Table]:
    """Tables XV and XVI and figure 6: trained on all folds, tested on URLs that are in none of them."""
    splits = {g: task.media(g) for g in FIVE}
    test = splits[FIVE[0]][1]
    truth = task.truth[test]
    sizes = [(g, FLASH_SIZES[g], int(np.sum(truth == g))) for g in FIVE]
    yield table(
        "table-15",
        f"URLs that are only ever tested on: {FLASH_FILES}",
        sizes,
        ("language", "paper", "here"),
        "table XV",
    )
    here, apart = (_scores(one, {g: one.media(g) for g in FIVE}, model) for one in (task, domains))
    rows: list[tuple[Cell, ...]] = [
        (
            g,
            name,
            *FLASH[name][g],
            *here[name][g].cells,
            apart[name][g].f1,
            here[WEBTONGUE][g].f1,
            apart[WEBTONGUE][g].f1,
        )
        for g in FIVE
        for name in IN_TABLE_XIV
    ]
    heads = ("language", "classifier", *(f"paper {m}" for m in MEASURES), *MEASURES)
    columns = (*heads, "F1, domains unseen", WEBTONGUE, "webtongue, domains unseen")
    drawn = task.servers.generated
    yield table("table-16", FLASH_FILES, rows, columns, "table XVI", generated=drawn)
    note = f"As table XVI. In the paper, of Flash pages, {PLUS_IP} has 92 at 0.1%."
    yield _curve(by_size(task, list(splits.items())), "figure-6", FLASH_FILES, "figure 6", note, drawn)


def _scores(task: Task, splits: dict[str, Split], model: UrlModel) -> dict[str, dict[str, Score]]:
    out: defaultdict[str, dict[str, Score]] = defaultdict(dict)
    test = splits[FIVE[0]][1]
    own = model.answers(task.inside, test)
    for language, split in splits.items():
        for name, said in (said_of(task, language, split) | {WEBTONGUE: own == language}).items():
            out[name][language] = score(task.truth[test] == language, said)
    return dict(out)
