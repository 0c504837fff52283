"""Runs the queries of tables on DuckDB: cubes first, each once a connection, then the tables from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from webtongue import labels
from webtongue.census.dialect import DUCKDB, translated
from webtongue.census.store import duck, open_store, refused
from webtongue.census.tables.finish import finished
from webtongue.census.tables.queries import Query, cubes_of, query
from webtongue.errors import UsageError

__all__ = ["Result", "answered", "run", "run_all", "settings"]

LIMIT = 10_000  # rows of tables that have one for each host, code or pair: more is for SQL by hand
CODE = 2  # letters of a country's


@dataclass(frozen=True, slots=True)
class Result:
    """A table: its columns, its rows in order, and what to know of it."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    note: str = ""


def run(census: Path | str | Any, name: str, **parameters: Any) -> Result:
    """One table of the census in a folder, or of a connection that ``open_store`` gave: the latter keeps what tables share.

    ``country`` (a code of ISO 3166), ``label`` (a label or tag) and ``limit`` are understood by the tables that say so.
    """
    return next(run_all(census, [name], **parameters))


def run_all(census: Path | str | Any, wanted: Iterable[str], **parameters: Any) -> Iterator[Result]:
    """Several tables, in the order that they are named in; each takes those of the parameters that it understands."""
    queries = [query(name) for name in wanted]
    used = settings(parameters)
    understood = frozenset().union(*(one.parameters for one in queries))
    strange = {name for name in parameters if name not in understood}
    if queries and strange:
        raise UsageError(f"{', '.join(one.name for one in queries)}: no parameter {', '.join(sorted(strange))}")
    with _connection(census) as connection:
        for one in queries:
            yield _run(connection, one, used)


def settings(given: dict[str, Any]) -> dict[str, str | int]:
    """Parameters as queries take them."""
    country, label, limit = given.get("country") or "", given.get("label") or "", given.get("limit")
    if country and not (len(country) == CODE and country.isascii() and country.isalpha()):
        raise UsageError(f"a country is two letters of ISO 3166, such as CA, not {country!r}")
    found = labels.parse(label) if label else None
    if label and found is None:
        raise UsageError(f"{label!r} is no language; write it like 'is', 'isl_Latn' or 'Icelandic'")
    limit = LIMIT if limit is None else limit
    if not isinstance(limit, int) or limit < 0:
        raise UsageError(f"a limit is a number of rows, not {limit!r}")
    return {"country": country.upper(), "label": str(labels.fold(found)) if found else "", "limit": limit}


def answered(one: Query, columns: Iterable[str], rows: Iterable[Iterable[Any]], used: dict[str, Any]) -> Result:
    """The table from what an engine answered: the end of the work that is no SQL."""
    found = tuple(map(tuple, rows))
    note = one.note
    if "limit" in one.parameters and len(found) == used["limit"]:
        note = f"{note} The first {used['limit']:,} rows.".strip()
    result = Result(one.name, one.title, tuple(columns), found, note)
    columns, rows, note = finished(one.name, result.columns, result.rows, note)
    return replace(result, columns=columns, rows=rows, note=note)


def _run(connection: Any, one: Query, used: dict[str, str | int]) -> Result:
    try:
        there = {
            name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables() WHERE temporary").fetchall()
        }
        for cube in cubes_of([one]):
            if cube.name not in there:
                connection.execute(f"CREATE TEMP TABLE {cube.name} AS {translated(cube.text, DUCKDB, used)}")
        answer = connection.execute(translated(one.text, DUCKDB, used))
        columns = [column[0] for column in answer.description]
        return answered(one, columns, answer.fetchall(), used)
    except duck().Error as error:
        raise refused(error) from None


@contextmanager
def _connection(census: Path | str | Any) -> Iterator[Any]:
    if not isinstance(census, str | Path):
        yield census
        return
    connection = open_store(Path(census))
    try:
        yield connection
    finally:
        connection.close()
