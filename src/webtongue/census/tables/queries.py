"""The queries of the tables: one .sql file each, with what it is called and what it is made from in its first lines.

``-- title:``, ``-- cai:`` (its number in Cai 2009), ``-- note:`` and ``-- from:``, the cubes that it reads. A cube is a
table that one pass over the rows makes small, for several queries; its query lies in ``cubes/``. Beside cubes, queries read
``captures`` (all rows, with ``is_page``) and the entities ``language``, ``country`` and ``spoken``. All of it is in the SQL
of dialect.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from webtongue.census.dialect import PARAMETER
from webtongue.errors import UsageError

__all__ = ["ORDER", "Query", "cubes_of", "names", "query"]

FOLDER = Path(__file__).parent
CUBES = FOLDER / "cubes"
HEADER = re.compile(r"^-- (title|cai|note|from): (.*)$", re.MULTILINE)
# As people want to read them; every .sql file is here, which a test holds.
ORDER = (
    "summary", "captures_by_status", "captures_by_type", "problems", "problem_list", "servers_by_country", "pages_by_language",
    "pages_by_language_corrected", "languages_of_country", "countries_of_language", "unknown_by_reason", "evidence_coverage",
    "charset_coverage", "languages_against_population", "foreign_languages", "ranks", "unrecognised_declarations",
    "encodings_by_language", "declared_encodings", "languages_by_tld", "declared_against_found", "pages_by_host",
    "hosts_by_language", "multilingual", "language_pairs", "settled",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Query:
    """A query and what its file says of it."""

    name: str
    text: str
    title: str = ""
    cai: str = ""
    note: str = ""
    needs: tuple[str, ...] = ()
    parameters: frozenset[str] = frozenset()


def names() -> tuple[str, ...]:
    """Of all tables."""
    return ORDER


@cache
def query(name: str) -> Query:
    """The query of a table."""
    if name not in ORDER:
        raise UsageError(f"no table {name!r}; there are {', '.join(ORDER)}")
    return _read(FOLDER / f"{name}.sql")


def cubes_of(wanted: Iterable[Query]) -> tuple[Query, ...]:
    """The cubes that queries need, each after those that it needs itself."""
    found: dict[str, Query] = {}

    def add(needed: tuple[str, ...]) -> None:
        for name in needed:
            if name not in found:
                cube = _cube(name)
                add(cube.needs)
                found[name] = cube

    for one in wanted:
        add(one.needs)
    return tuple(found.values())


@cache
def _cube(name: str) -> Query:
    return _read(CUBES / f"{name}.sql")


def _read(path: Path) -> Query:
    text = path.read_text("utf-8")
    said = dict(HEADER.findall(text))
    needs = tuple(filter(None, said.get("from", "").split(", ")))
    body = re.sub(r"^--.*\n", "", text, flags=re.MULTILINE)
    parameters = frozenset(PARAMETER.findall(body))
    return Query(path.stem, body, said.get("title", ""), said.get("cai", ""), said.get("note", ""), needs, parameters)
