"""What a whole crawl knows of its unclear pages, by Spark: settle.sql as it is, with the few words that Spark has others for.

Counts of hosts are made in two steps, by Spark itself: each task sums up its own rows first, so a host with ten million pages is
one row of each task when they are put together.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from webtongue import files
from webtongue.census import settle
from webtongue.census.schema import links_schema
from webtongue.census.sink import LINKS, ROWS
from webtongue.census.store import census_folder
from webtongue.spark.tables import SETTINGS, ddl

__all__ = ["gathered"]

STEPS = {"hosts": "host_counts", "levels": "level_counts", "unclear": "unclear", "inlinks": "inlinks", "known": "known"}
CREATE = re.compile(r"^CREATE OR REPLACE TEMP TABLE \w+ AS\s+", re.MULTILINE)
LISTED = re.compile(r"\blist\(\{([^}]*)\}\s*ORDER BY (\w+)\)")
COMMENT = re.compile(r"^--.*\n?", re.MULTILINE)


def gathered(spark: Any, out: str | Path) -> Any:
    """A session with the views ``host_counts``, ``level_counts``, ``unclear``, ``inlinks`` and ``known``: the last has every page
    that is to be looked at again, with what its host, its domain and those who link to it say. Nothing comes to the driver."""
    own = spark.newSession()
    for key, value in SETTINGS.items():
        own.conf.set(key, value)
    out = census_folder(Path(out))
    rows = own.read.parquet((out / ROWS).as_uri())
    place = "CAST(regexp_extract(_metadata.file_name, 'part-([0-9]+)[.]parquet$', 1) AS INT) AS part"
    rows.selectExpr("*", place, "_metadata.row_index AS row").createOrReplaceTempView(ROWS)
    if any((out / LINKS).glob("part-*.parquet")):
        links = own.read.parquet((out / LINKS).as_uri())
    else:  # they were let go of
        links = own.createDataFrame([], ddl(links_schema()))
    links.createOrReplaceTempView(LINKS)
    queries = files.queries(settle.FILE)
    for step, name in STEPS.items():
        own.sql(as_spark(queries[step])).createOrReplaceTempView(name)
    return own


def as_spark(query: str) -> str:
    """A query of settle.sql as Spark reads it: lists in an order, regular expressions that replace all there is, parameters.

    >>> as_spark("SELECT list({'n': n} ORDER BY n) FROM t")
    "SELECT transform(array_sort(collect_list(struct(n AS k, named_struct('n', n) AS v))), x -> x.v) FROM t"
    """
    text = CREATE.sub("", COMMENT.sub("", query)).strip().rstrip(";")
    for name, value in settle.LIMITS.items():
        text = text.replace(f"${name}", str(value))
    return LISTED.sub(_list, text).replace(", '', 'g')", ", '')")


def _list(found: re.Match[str]) -> str:
    fields = found[1].replace(":", ",")
    return f"transform(array_sort(collect_list(struct({found[2]} AS k, named_struct({fields}) AS v))), x -> x.v)"
