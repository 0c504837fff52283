"""Count pages of a census by languages and countries as Cai (2009) has them, and build tables with the thesis's figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from webtongue import files, labels
from webtongue.census.tables import run
from webtongue.lab.evaluate.tables import Table
from webtongue.lab.papers.common import fold_language, percent_of

COLUMNS = ("", "paper", "portals, its method", "pages, its method", "pages, webtongue")
MAX_OTHER_ROWS = 10  # rows that the thesis does not have
UND, ENGLISH, NORWEGIAN = "und", "eng", "nob"

Counts = Counter[str]


def comparison_table(
    name: str,
    title: str,
    paper: Mapping[str, float],
    counts: Sequence[Counts],
    get_name: Callable[[str], str],
    note: str,
    columns: tuple[str, ...] = COLUMNS,
) -> Table:
    """Return the rows of the thesis in its order, then our most frequent other rows; without its column where it has no such
    table."""
    last_counts = counts[-1]
    other_codes = sorted(
        {code for column in counts for code in column if code not in paper}, key=lambda code: (-last_counts[code], code)
    )
    codes = [*paper, *other_codes[:MAX_OTHER_ROWS]]
    rows = [
        (get_name(code), paper.get(code), *(percent_of(column[code], column.total()) for column in counts))
        for code in codes
    ]
    columns_kept = [i for i in range(len(columns)) if i != 1 or paper]
    return Table(
        name,
        title,
        tuple(tuple(row[i] for i in columns_kept) for row in rows),
        tuple(columns[i] for i in columns_kept),
        note,
    )


def read_counts(store: Any, name: str, key: str, count: str = "pages", *, of: str = "", **parameters: str) -> Counts:
    """Return a column of counts of a census table by another column, labels as languages; ``of`` limits it to one language."""
    result = run(store, name, **parameters)
    counts: Counts = Counter()
    for row in result.rows:
        cells = dict(zip(result.columns, row, strict=True))
        if not of or thesis_language(cells["label"]) == of:
            counts[thesis_language(cells[key]) if key == "label" else cells[key]] += cells[count]
    return counts


def thesis_language(label: str) -> str:
    """Return a label's language as in the thesis: without script, one Norwegian, and ``und`` for everything that is no
    language.

    >>> thesis_language("zho_Hant"), thesis_language("nno_Latn"), thesis_language("zxx")
    ('zho', 'nob', 'und')
    """
    code = fold_language(label)
    return UND if code in labels.SPECIAL else NORWEGIAN if code in ("nno", "nor") else code


def language_name(code: str) -> str:
    """Return a language's name as in the thesis."""
    return {UND: "Unknown", NORWEGIAN: "Norwegian"}.get(code) or labels.name(code)


def country_name(code: str) -> str:
    """Return a country's name in English."""
    return dict(files.read_rows("country_names.tsv")).get(code, "Unknown")


def format_percent(part: int, total: int) -> str:
    """Return a percentage with a sign, "none" if the total is 0."""
    value = percent_of(part, total)
    return "none" if value is None else f"{value:.1f}%"


def format_totals(counts: Sequence[Counts]) -> str:
    """Return the totals of several counts, separated by commas."""
    return ", ".join(f"{column.total():,}" for column in counts)
