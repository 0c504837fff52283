"""Run the queries of tables on DuckDB: first the cubes, each once for a connection, then the tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from webtongue import labels
from webtongue.census.audit.precision import AUDITED, JudgedLabel, from_rows
from webtongue.census.dialect import DUCKDB, translate
from webtongue.census.store import import_duckdb, open_store, query_error
from webtongue.census.tables.finish import drop_unmeasured, finish_table
from webtongue.census.tables.queries import Query, cubes_of, query
from webtongue.errors import UsageError
from webtongue.reference.countries import is_country, suggest_country

__all__ = ["MEASURED", "Result", "build_result", "run", "run_all", "settings"]

MAX_ROWS = 10_000  # Default limit of tables with a row for each host, code or pair.
COUNTRY_LETTERS = 2
MEASURED = "measured"  # the cube that tells what no answer of a census has
ESTIMATE_NOTE = (
    "Estimated from {fetched} of {records} records: pages are weighted, and "
    "hosts, domains and servers are those of the sample alone."
)


@dataclass(frozen=True, slots=True)
class Result:
    """A table: its columns, its rows in order, and a note for readers."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    note: str = ""


def run(census: Path | str | Any, name: str, **parameters: Any) -> Result:
    """Return a table of the census in a folder, or of a connection from ``open_store``, which keeps the cubes for other tables.

    ``country`` (a code of ISO 3166), ``label`` (a label or tag) and ``limit`` apply to the tables that have them.
    """
    return next(run_all(census, [name], **parameters))


def run_all(census: Path | str | Any, wanted: Iterable[str], **parameters: Any) -> Iterator[Result]:
    """Yield several tables in the given order; each uses those of the parameters that it has."""
    queries = [query(name) for name in wanted]
    used = settings(queries, parameters)
    with _connection(census) as connection:
        for table_query in queries:
            yield _run(connection, table_query, used)


def settings(queries: Sequence[Query], given: Mapping[str, Any]) -> dict[str, str | int]:
    """Return parameters as queries take them; raise UsageError for one that none of the queries has."""
    known = sorted(frozenset().union(*(table_query.parameters for table_query in queries)))
    if queries and (unknown := sorted(set(given) - set(known))):
        names = ", ".join(table_query.name for table_query in queries)
        raise UsageError(f"{names}: unknown parameter {', '.join(unknown)}; known: {', '.join(known) or 'none'}")
    country, label, limit = given.get("country") or "", given.get("label") or "", given.get("limit")
    if country:
        _check_country(country)
    parsed = labels.parse(label) if label else None
    if label and parsed is None:
        raise UsageError(f"{label!r} is no language; write it like 'is', 'isl_Latn' or 'Icelandic'")
    limit = MAX_ROWS if limit is None else limit
    if not isinstance(limit, int) or limit < 0:
        raise UsageError(f"a limit is a number of rows, not {limit!r}")
    return {"country": country.upper(), "label": str(labels.fold(parsed)) if parsed else "", "limit": limit}


def _check_country(code: str) -> None:
    if not (len(code) == COUNTRY_LETTERS and code.isascii() and code.isalpha()):
        raise UsageError(f"a country is two letters of ISO 3166, such as CA, not {code!r}")
    if not is_country(code):
        suggestion = suggest_country(code)
        raise UsageError(f"{code!r} is no country of ISO 3166{f'; did you mean {suggestion}?' if suggestion else ''}")


def build_result(
    table_query: Query,
    columns: Iterable[str],
    rows: Iterable[Iterable[Any]],
    used: dict[str, Any],
    judged: Mapping[str, JudgedLabel],
    unmeasured: Collection[str],
) -> Result:
    """Return the table with the rows of an engine, after the steps that are not SQL.

    ``judged`` are the labels of an audit, ``unmeasured`` the columns of the cube MEASURED that are false.
    """
    result_rows = tuple(map(tuple, rows))
    note = table_query.note
    if "limit" in table_query.parameters and len(result_rows) == used["limit"]:
        note = f"{note} The first {used['limit']:,} rows.".strip()
    result = Result(table_query.name, table_query.title, tuple(columns), result_rows, note)
    columns, rows, note = finish_table(table_query.name, result.columns, result.rows, note, judged)
    columns, rows, note = drop_unmeasured(columns, rows, note, unmeasured)
    return replace(result, columns=columns, rows=rows, note=note)


def _run(connection: Any, table_query: Query, used: dict[str, str | int]) -> Result:
    try:
        existing = {
            name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables() WHERE temporary").fetchall()
        }
        for cube in cubes_of([table_query]):
            if cube.name not in existing:
                connection.execute(f"CREATE TEMP TABLE {cube.name} AS {translate(cube.text, DUCKDB, used)}")
        cursor = connection.execute(translate(table_query.text, DUCKDB, used))
        columns = [column[0] for column in cursor.description]
        rows = cursor.fetchall()
        judged = from_rows(connection.execute(f"SELECT * FROM {AUDITED}").fetchall())
        is_estimate = _is_estimate(connection)
        if is_estimate and table_query.estimated_note:
            table_query = replace(table_query, note=table_query.estimated_note)
        result = build_result(table_query, columns, rows, used, judged, _unmeasured(connection, table_query))
        return _mark_estimate(connection, result) if is_estimate else result
    except import_duckdb().Error as error:
        raise query_error(error) from None


def _unmeasured(connection: Any, table_query: Query) -> list[str]:
    if MEASURED not in table_query.needs:
        return []
    cursor = connection.execute(f"SELECT * FROM {MEASURED}")
    return [
        column[0] for column, is_measured in zip(cursor.description, cursor.fetchone(), strict=True) if not is_measured
    ]


def _is_estimate(connection: Any) -> bool:
    """Return True for the relations of an estimate: only its rows have numbers of strata."""
    query = "SELECT count(*) FROM duckdb_columns() WHERE table_name = 'captures' AND column_name = 'stratum'"
    return bool(connection.execute(query).fetchone()[0])


def _mark_estimate(connection: Any, result: Result) -> Result:
    """Return a table whose title and note say that it is estimated, and from how many records."""
    counts = (
        "count(CASE WHEN problem IS DISTINCT FROM 'unreadable' THEN 1 END), CAST(round(sum(design_weight)) AS BIGINT)"
    )
    fetched, records = connection.execute(f"SELECT {counts} FROM captures").fetchone()
    note = ESTIMATE_NOTE.format(fetched=f"{fetched:,}", records=f"{records:,}")
    title = f"{result.title}, estimated from {fetched:,} of {records:,} records"
    return replace(result, title=title, note=f"{result.note} {note}".strip())


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
