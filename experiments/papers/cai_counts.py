"""Counts out of the tables of a census, by languages and countries as Cai (2009) has them, and tables that put them beside his."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from made_pages import language_of

from webtongue import files, labels
from webtongue.census.tables import run
from webtongue.evaluate.tables import Table

COLUMNS = ("", "paper", "portals, its method", "pages, its method", "pages, webtongue")
MORE = 10  # rows of ours that the thesis does not have
UND, ENGLISH, NORWEGIAN = "und", "eng", "nob"

Found = Counter[str]


def beside(
    name: str,
    title: str,
    paper: Mapping[str, float],
    found: Sequence[Found],
    named: Callable[[str], str],
    note: str,
    columns: tuple[str, ...] = COLUMNS,
) -> Table:
    """The thesis's rows in its order, then the commonest of ours; without his column where he has no such table."""
    last = found[-1]
    ours = sorted({code for one in found for code in one if code not in paper}, key=lambda code: (-last[code], code))
    codes = [*paper, *ours[:MORE]]
    rows = [(named(code), paper.get(code), *(share(one[code], one.total()) for one in found)) for code in codes]
    kept = [i for i in range(len(columns)) if i != 1 or paper]
    return Table(name, title, tuple(tuple(row[i] for i in kept) for row in rows), tuple(columns[i] for i in kept), note)


def counted(store: Any, name: str, key: str, count: str = "pages", *, of: str = "", **parameters: str) -> Found:
    """A column of counts of a census's table by another column, labels as languages; ``of`` one language, in all its scripts."""
    result = run(store, name, **parameters)
    found: Found = Counter()
    for row in result.rows:
        cells = dict(zip(result.columns, row, strict=True))
        if not of or language(cells["label"]) == of:
            found[language(cells[key]) if key == "label" else cells[key]] += cells[count]
    return found


def by_language(store: Any) -> Found:
    """Pages of a census."""
    return counted(store, "pages_by_language", "label")


def language(label: str) -> str:
    """As the thesis has languages: without their scripts, one Norwegian, and Unknown for all that is none.

    >>> language("zho_Hant"), language("nno_Latn"), language("zxx")
    ('zho', 'nob', 'und')
    """
    code = language_of(label)
    return UND if code in labels.SPECIAL else NORWEGIAN if code in ("nno", "nor") else code


def language_name(code: str) -> str:
    """As the thesis writes it."""
    return {UND: "Unknown", NORWEGIAN: "Norwegian"}.get(code) or labels.name(code)


def country_name(code: str) -> str:
    """In English."""
    return dict(files.rows("country_names.tsv")).get(code, "Unknown")


def share(part: int, whole: int) -> float | None:
    """In percent; none of nothing."""
    return 100 * part / whole if whole else None


def percent(part: int, whole: int) -> str:
    """As people read it."""
    found = share(part, whole)
    return "none" if found is None else f"{found:.1f}%"


def totals(found: Sequence[Found]) -> str:
    """How much was counted in each."""
    return ", ".join(f"{one.total():,}" for one in found)
