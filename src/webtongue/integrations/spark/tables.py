"""The tables of a census by Spark SQL, for more rows than one machine can process: the queries of DuckDB, translated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from webtongue import files
from webtongue.census import store
from webtongue.census.audit.precision import AUDITED, audited_table, from_rows
from webtongue.census.dialect import SPARK, translate
from webtongue.census.engines.gather_spark import ddl, new_session, path_pattern
from webtongue.census.entities import entities
from webtongue.census.folder import census_folder, part_files, refuse_estimate
from webtongue.census.sink import LINKS, ROWS
from webtongue.census.tables.queries import cubes_of, query
from webtongue.census.tables.runner import MEASURED, Result, build_result, settings

__all__ = ["relations", "table"]


def relations(spark: Any, out: str | Path) -> Any:
    """Return a new session with the relations of a census as views: ``rows``, ``captures``, ``pages``, ``language`` and the others
    of docs/tables.md. The views of the caller's session do not change."""
    session = new_session(spark)
    out = census_folder(Path(out))
    refuse_estimate(out, "its sample is small enough for one machine")
    for name, entity in {**entities(), AUDITED: audited_table(out)}.items():
        session.createDataFrame(entity.to_pylist(), ddl(entity.schema)).createOrReplaceTempView(name)
    for name in (ROWS, LINKS):
        if part_files(out, name):
            path = path_pattern(out / name)
            session.catalog.refreshByPath(path)  # Spark may have cached an earlier census of this folder
            session.read.parquet(path).createOrReplaceTempView(name)
    queries = files.read_queries(store.FILE)
    _create_view(session, "captures", queries["portals" if store.is_portal(out) else "captures"])
    for name in store.VIEWS:
        _create_view(session, name, queries[name])
    return session


def table(session: Any, name: str, **parameters: Any) -> Result:
    """Return a table of a census, as ``webtongue tables`` prints it, from a session of :func:`relations`.

    Executors aggregate the rows. Only the table itself is sent to the driver; tables with a row for each host have a limit.
    """
    table_query = query(name)
    used = settings([table_query], parameters)
    for cube in cubes_of([table_query]):
        if not session.catalog.tableExists(cube.name):
            _create_view(session, cube.name, cube.text, used)
            session.catalog.cacheTable(cube.name)  # used by several tables
    frame = session.sql(translate(table_query.text, SPARK, used))
    judged = from_rows(session.table(AUDITED).collect())
    measured = session.table(MEASURED).first().asDict() if MEASURED in table_query.needs else {}
    unmeasured = [name for name, is_measured in measured.items() if not is_measured]
    return build_result(table_query, frame.columns, frame.collect(), used, judged, unmeasured)


def _create_view(session: Any, name: str, text: str, used: dict[str, str | int] | None = None) -> None:
    session.sql(translate(text, SPARK, used)).createOrReplaceTempView(name)
