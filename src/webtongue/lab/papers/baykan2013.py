"""Baykan, Henzinger and Weber (2013), "A comprehensive study of techniques for URL-based web page language classification".

Tables II, IV to XVI and figures 1 to 6, rebuilt on our URL list: `webtongue reproduce baykan2013 [--full] --data DIR`.

Five binary classifiers, each with as many negatives as positives, run in k-fold cross-validation. The folds are random as in
the paper, and by registered domain, since half of the paper's test domains were also in training. webtongue's URL model is
fitted on the same folds. In place of Flash pages, URLs of multimedia files and documents are held out of training.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from webtongue.lab.evaluate.tables import Exempt, Result, Table
from webtongue.lab.papers.baykan_claims import classifier_claims
from webtongue.lab.papers.baykan_cross_validation import cross_validate
from webtongue.lab.papers.baykan_feature_claims import feature_claims, media_claims, training_claims
from webtongue.lab.papers.baykan_media import measure_multimedia, measure_training_size
from webtongue.lab.papers.baykan_published import PUBLISHED
from webtongue.lab.papers.baykan_tables import cross_validation_tables, ngram_tables
from webtongue.lab.papers.baykan_url_tables import url_tables
from webtongue.lab.papers.url_folds import FULL, QUICK, Size, read_tasks
from webtongue.lab.papers.url_model import FROM_TEXT, UrlModel

__all__ = ["PUBLISHED", "run", "tables"]

EXEMPT = (
    Exempt(
        ("table I", "table III"),
        "definitions without a figure: which domains and which stop words stand for a language",
    ),
    Exempt(
        ("table XVII", "table XVIII", "table XIX", "figure 7"),
        "of crawls: `webtongue reproduce baykan2013-crawl` makes them, docs/generated/crawl.md has those of forty seeds",
    ),
)


def run(data: Path, quick: bool = True) -> Iterator[Result]:
    """Yield every table and figure, and the comparisons that the paper draws."""
    yield from tables(data, QUICK if quick else FULL)


def tables(data: Path, size: Size) -> Iterator[Result]:
    """Yield the results for a sample of the given size."""
    yield from EXEMPT
    task, domain_task = read_tasks(data, size)
    model = UrlModel.build(task.rows, data)
    cv = cross_validate(task, size, model, search_ngrams=True)
    domain_cv = cross_validate(domain_task, size, model, search_ngrams=False)
    note = (
        f"{len(task.inside)} URLs in {task.count} folds; by domain {len(domain_task.inside)}, with each domain in one "
        f"fold only. webtongue is its URL model, fitted on the same folds and on {FROM_TEXT} URLs of each language "
        f"generated from running text. {task.servers.attribution}"
    )
    size_table, curve = measure_training_size(cv, size)
    media_tables, media_scores, media_curve = measure_multimedia(task, domain_task, model)
    for result in (
        *url_tables(cv),
        *cross_validation_tables(cv, domain_cv),
        *ngram_tables(cv),
        size_table,
        *media_tables,
    ):
        yield _add_note(result, note)
    yield from classifier_claims(cv, domain_cv)
    yield from feature_claims(cv)
    yield from training_claims(curve)
    yield from media_claims(cv, media_scores, curve, media_curve)


def _add_note(result: Table, note: str) -> Table:
    """Return the table with one more note."""
    return replace(result, note=" ".join(filter(None, (result.note, note))))
