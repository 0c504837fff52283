"""What a whole crawl knows of its unclear pages, by Spark: gather.sql as it is, with the few words that Spark has others for.

Counts of hosts are made in two steps, by Spark itself: each task sums up its own rows first, so a host with ten million pages is
one row of each task when they are put together. Where its pages are joined with its counts, Spark cuts the host's share into
pieces (``SKEW``).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from webtongue.census.dialect import as_spark
from webtongue.census.engines.gather import LIMITS, STEPS, queries
from webtongue.census.schema import links_schema
from webtongue.census.sink import LINKS, PARTS, ROWS

__all__ = ["SETTINGS", "ddl", "gather", "gathered", "own_session", "place_of"]

# Of the session that queries run in. Ours count on what DuckDB does: x / 0 is no number, and no error either.
SETTINGS = {"spark.sql.ansi.enabled": "false", "spark.sql.session.timeZone": "UTC"}
PATTERN, SPECIAL = re.compile(r"[*?\[\]{}\\]"), re.compile(r"[*?\[\]{}\\^,-]")
SKEW = {"spark.sql.adaptive.enabled": "true", "spark.sql.adaptive.skewJoin.enabled": "true"}


def gather(spark: Any, out: Path, known: Path) -> None:
    """Every page that is to be looked at again into ``known``, a folder for each part that has some.

    They are written before the first part is written anew: a task that Spark runs once more must find what it found before.
    """
    pages = gathered(spark, out).table("known")
    pages.repartition("part").write.partitionBy("part").parquet(f"file://{known.absolute()}")


def gathered(spark: Any, out: Path) -> Any:
    """A session with the views ``host_counts``, ``level_counts``, ``unclear``, ``inlinks`` and ``known``: the last has every page
    that is to be looked at again, with what its host, its domain and those who link to it say. Nothing comes to the driver."""
    own = own_session(spark)
    out = out.absolute()
    rows = own.read.parquet(place_of(out / ROWS))
    place = "CAST(regexp_extract(_metadata.file_name, 'part-([0-9]+)[.]parquet$', 1) AS INT) AS part"
    rows.selectExpr("*", place, "_metadata.row_index AS row").createOrReplaceTempView(ROWS)
    if any((out / LINKS).glob(PARTS)):
        links = own.read.parquet(place_of(out / LINKS))
    else:  # they were let go of
        links = own.createDataFrame([], ddl(links_schema()))
    links.createOrReplaceTempView(LINKS)
    for step, name in STEPS.items():
        own.sql(as_spark(queries()[step], LIMITS)).createOrReplaceTempView(name)
    return own


def place_of(folder: Path) -> str:
    """A folder as Spark reads it: by its name as it is, without percent signs, and with nothing in it taken for a pattern."""
    name = str(folder.absolute())
    return "file://" + (SPECIAL.sub(r"\\\g<0>", name) if PATTERN.search(name) else name)


def own_session(spark: Any) -> Any:
    """One of our own, so that the caller's settings and the names of its views are left alone."""
    own = spark.newSession()
    for key, value in {**SETTINGS, **SKEW}.items():
        own.conf.set(key, value)
    return own


def ddl(schema: Any) -> str:
    """The columns of an Arrow schema, of plain types, as Spark writes them."""
    import pyarrow as pa

    kinds = {
        pa.string(): "string",
        pa.int64(): "bigint",
        pa.float64(): "double",
        pa.float32(): "float",
        pa.bool_(): "boolean",
    }
    return ", ".join(f"`{field.name}` {kinds[field.type]}" for field in schema)
