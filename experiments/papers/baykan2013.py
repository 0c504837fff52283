"""Baykan, Henzinger and Weber (2013), "A comprehensive study of techniques for URL-based web page language classification":
tables II, IV to XVI and figures 1 to 6, rebuilt on our URL list. `webtongue reproduce baykan2013 [--full] --data DIR`.

Five binary classifiers, each with as many negatives as positives, in k-fold cross-validation: at random as in the paper, and
by registered domain, since half of the paper's test domains had been seen in training. webtongue's URL model is fitted on the
same folds. In place of Flash pages, URLs of multimedia files and documents are held out of training.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from baykan_claims import claims
from baykan_crossed import cross_validate
from baykan_figures import PUBLISHED
from baykan_media import multimedia, training_size
from baykan_tables import about_urls, cross_validated, search_of_grams
from url_folds import FULL, QUICK, Size, read_tasks
from url_webtongue import FROM_TEXT, UrlModel

from webtongue.evaluate.tables import Exempt, Found, Table

__all__ = ["PUBLISHED", "run", "tables"]

EXEMPT = (
    Exempt(
        ("table I", "table III"),
        "definitions without a figure: which domains and which stop words stand for a language",
    ),
    Exempt(
        ("table XVII", "table XVIII", "table XIX", "figure 7"),
        "of crawls: `webtongue reproduce baykan2013-crawl` makes them, docs/crawl.md shows them",
    ),
)


def run(data: Path, quick: bool = True) -> Iterator[Found]:
    """Every table and figure, and the comparisons that the paper draws."""
    yield from tables(data, QUICK if quick else FULL)


def tables(data: Path, size: Size) -> Iterator[Found]:
    """The same with as many URLs and folds as are asked for."""
    yield from EXEMPT
    task, by_domain = read_tasks(data, size)
    model = UrlModel.of(task.rows, data)
    crossed = cross_validate(task, size, model, searched=True)
    domains = cross_validate(by_domain, size, model, searched=False)
    note = (
        f"{len(task.inside)} URLs in {task.count} folds; by domain {len(by_domain.inside)}, no domain of which is in two folds. "
        f"webtongue is its URL model, fitted on the same folds and on {FROM_TEXT} URLs a language made of running text. "
        f"{task.servers.attribution}"
    )
    curve_table, curve = training_size(crossed, size)
    for one in (
        *about_urls(crossed),
        *cross_validated(crossed, domains),
        *search_of_grams(crossed, domains),
        curve_table,
        *multimedia(task, by_domain, model),
    ):
        yield _noted(one, note)
    yield from claims(crossed, domains, curve)


def _noted(one: Table, note: str) -> Table:
    return replace(one, note=" ".join(filter(None, (one.note, note))))
