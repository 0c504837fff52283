"""Gather the evidence for the second pass with Spark SQL: the queries of gather.sql, translated.

Spark counts the pages of hosts in two steps. Each task first sums up its own rows, so a host with ten million pages is one row of
each task in the second step. Where the pages of such a host are joined with its counts, Spark splits them (``SKEW``).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from webtongue.census.dialect import to_spark
from webtongue.census.engines.gather import LIMITS, STEPS, queries
from webtongue.census.schema import links_schema
from webtongue.census.sink import LINKS, PART_PATTERN, ROWS

__all__ = ["SETTINGS", "create_views", "ddl", "gather", "new_session", "path_pattern"]

# Settings of the session. Queries expect the semantics of DuckDB: x / 0 is null, not an error.
SETTINGS = {"spark.sql.ansi.enabled": "false", "spark.sql.session.timeZone": "UTC"}
GLOB, ESCAPED = re.compile(r"[*?\[\]{}\\]"), re.compile(r"[*?\[\]{}\\^,-]")
SKEW = {"spark.sql.adaptive.enabled": "true", "spark.sql.adaptive.skewJoin.enabled": "true"}


def gather(spark: Any, out: Path, folder: Path) -> None:
    """Write the pages of the second pass to ``folder``, with a folder for each part.

    They are written before the first part is rewritten, because a task that Spark repeats must find the same input.
    """
    pages = create_views(spark, out).table("evidence")
    pages.repartition("part").write.partitionBy("part").parquet(f"file://{folder.absolute()}")


def create_views(spark: Any, out: Path) -> Any:
    """Return a session with the views ``host_counts``, ``level_counts``, ``unclear``, ``inlinks`` and ``evidence``.

    The last one has all pages of the second pass, with their evidence. No rows are sent to the driver.
    """
    session = new_session(spark)
    out = out.absolute()
    rows = session.read.parquet(path_pattern(out / ROWS))
    part = "CAST(regexp_extract(_metadata.file_name, 'part-([0-9]+)[.]parquet$', 1) AS INT) AS part"
    rows.selectExpr("*", part, "_metadata.row_index AS row").createOrReplaceTempView(ROWS)
    if any((out / LINKS).glob(PART_PATTERN)):
        links = session.read.parquet(path_pattern(out / LINKS))
    else:  # an earlier run deleted them
        links = session.createDataFrame([], ddl(links_schema()))
    links.createOrReplaceTempView(LINKS)
    for step, name in STEPS.items():
        session.sql(to_spark(queries()[step], LIMITS)).createOrReplaceTempView(name)
    return session


def path_pattern(folder: Path) -> str:
    """Return the URL of a folder for Spark, with its pattern characters escaped."""
    name = str(folder.absolute())
    return "file://" + (ESCAPED.sub(r"\\\g<0>", name) if GLOB.search(name) else name)


def new_session(spark: Any) -> Any:
    """Return a new session, so that the settings and views of the caller do not change."""
    session = spark.newSession()
    for key, value in {**SETTINGS, **SKEW}.items():
        session.conf.set(key, value)
    return session


def ddl(schema: Any) -> str:
    """Return the columns of an Arrow schema of plain types as Spark DDL."""
    import pyarrow as pa

    spark_types = {
        pa.string(): "string",
        pa.int64(): "bigint",
        pa.float64(): "double",
        pa.float32(): "float",
        pa.bool_(): "boolean",
    }
    return ", ".join(f"`{field.name}` {spark_types[field.type]}" for field in schema)
