"""The tables of a census by Spark SQL: the same queries that DuckDB runs, translated by dialect.py, where rows are too many for one
machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from webtongue import files
from webtongue.census import store
from webtongue.census.dialect import SPARK, translated
from webtongue.census.engines.gather_spark import ddl, own_session, place_of
from webtongue.census.entities import entities
from webtongue.census.sink import LINKS, ROWS
from webtongue.census.tables.queries import cubes_of, query
from webtongue.census.tables.runner import Result, answered, settings

__all__ = ["relations", "table"]

VIEWS = ("pages", "server", "extracted_content", "geo", "country_distribution", "language_distribution")


def relations(spark: Any, out: str | Path) -> Any:
    """A session with the relations of a census as views: ``rows``, ``captures``, ``pages``, ``language`` and the others of
    docs/tables.md. It is one of its own, so that names of the caller's views are left alone."""
    own = own_session(spark)
    out = store.census_folder(Path(out))
    for name, known in entities().items():
        own.createDataFrame(known.to_pylist(), ddl(known.schema)).createOrReplaceTempView(name)
    for name in (ROWS, LINKS):
        if any((out / name).glob("part-*.parquet")):
            place = place_of(out / name)
            own.catalog.refreshByPath(place)  # what another census in this folder left in Spark's memory
            own.read.parquet(place).createOrReplaceTempView(name)
    found = files.queries(store.FILE)
    _view(own, "captures", found["portals" if store.is_portal(out) else "captures"])
    for name in VIEWS:
        _view(own, name, found[name])
    return own


def table(session: Any, name: str, **parameters: Any) -> Result:
    """A table of a census, from a session that :func:`relations` gave: what ``webtongue tables`` prints of it.

    Rows are summed up where they lie. What comes to the driver is the table itself, which has a limit where it has a row for each
    host.
    """
    one, used = query(name), settings(parameters)
    for cube in cubes_of([one]):
        if not session.catalog.tableExists(cube.name):
            _view(session, cube.name, cube.text, used)
            session.catalog.cacheTable(cube.name)  # several tables are made from each
    found = session.sql(translated(one.text, SPARK, used))
    return answered(one, found.columns, found.collect(), used)


def _view(session: Any, name: str, text: str, used: dict[str, str | int] | None = None) -> None:
    session.sql(translated(text, SPARK, used)).createOrReplaceTempView(name)
