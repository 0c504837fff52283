"""The queries of the tables: one .sql file each, with a header of comments.

The header has ``-- title:``, ``-- cai:`` (the number of the table in Cai 2009), ``-- note:``, ``-- estimated:`` (the note for an
estimate, where it is another) and ``-- from:``, the cubes that the query reads. A cube is a small table, aggregated in one pass
over the rows and shared by several queries; its query is in ``cubes/``. Queries also read ``captures`` (all rows, with
``is_page``) and the entities ``language``, ``country`` and ``spoken``. All queries are in the SQL of dialect.py.
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
HEADER = re.compile(r"^-- (title|cai|note|estimated|from): (.*)$", re.MULTILINE)
# The order in which tables are listed. A test checks that every .sql file is here.
ORDER = (
    "summary", "captures_by_status", "captures_by_type", "problems", "problem_list", "servers_by_country", "pages_by_language",
    "pages_by_language_corrected", "precision_by_language", "pages_by_text", "languages_of_country", "countries_of_language",
    "unknown_by_reason", "evidence_coverage", "approach_coverage", "charset_coverage", "languages_against_population",
    "foreign_languages", "ranks", "unrecognised_declarations", "encodings_by_language", "declared_encodings", "languages_by_tld",
    "declared_against_found", "pages_by_host", "hosts_by_language", "multilingual", "language_pairs", "second_pass",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Query:
    """A query and the fields of its header."""

    name: str
    text: str
    title: str = ""
    cai: str = ""
    note: str = ""
    estimated_note: str = ""  # replaces the note in tables of an estimate
    needs: tuple[str, ...] = ()
    parameters: frozenset[str] = frozenset()


def names() -> tuple[str, ...]:
    """Return the names of all tables."""
    return ORDER


@cache
def query(name: str) -> Query:
    """Return the query of a table."""
    if name not in ORDER:
        raise UsageError(f"no table {name!r}; choose one of {', '.join(ORDER)}")
    return _read_query(FOLDER / f"{name}.sql")


def cubes_of(queries: Iterable[Query]) -> tuple[Query, ...]:
    """Return the cubes that queries need, each after the cubes that it reads itself."""
    cubes: dict[str, Query] = {}

    def add(names: tuple[str, ...]) -> None:
        for name in names:
            if name not in cubes:
                cube = _read_cube(name)
                add(cube.needs)
                cubes[name] = cube

    for query in queries:
        add(query.needs)
    return tuple(cubes.values())


@cache
def _read_cube(name: str) -> Query:
    return _read_query(CUBES / f"{name}.sql")


def _read_query(path: Path) -> Query:
    text = path.read_text("utf-8")
    header = dict(HEADER.findall(text))
    needs = tuple(filter(None, header.get("from", "").split(", ")))
    body = re.sub(r"^--.*\n", "", text, flags=re.MULTILINE)
    parameters = frozenset(PARAMETER.findall(body))
    return Query(
        path.stem,
        body,
        header.get("title", ""),
        header.get("cai", ""),
        header.get("note", ""),
        header.get("estimated", ""),
        needs,
        parameters,
    )
