"""Data that grows with a crawl stays on executors: checked by plans, and by the bytes sent to the driver."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from tests.census.synthetic_rows import table
from tests.census.test_census import crawl
from tests.integrations.spark.cluster import Stages
from webtongue.census.engines.gather import LIMITS, queries
from webtongue.census.engines.gather_spark import create_views, new_session, to_spark
from webtongue.census.schema import rows_schema
from webtongue.census.sink import ROWS, parquet_writer
from webtongue.integrations.spark import census, identify

# Operators that bring rows of a relation to the driver, or every row of one to every row of another.
GROWING = ("CollectLimit", "TakeOrderedAndProject", "BroadcastNestedLoopJoin", "CartesianProduct")


def plan(df: Any) -> str:
    return str(df._jdf.queryExecution().executedPlan().toString())


def test_a_census_sends_no_rows_to_the_driver(spark: Any, tmp_path: Path) -> None:
    told: list[int] = []
    for name, pages in (("small", 2), ("large", 60)):
        (tmp_path / name).mkdir()
        inputs = crawl(tmp_path / name, files=2, pages=pages)
        stages = Stages(spark)
        summary = census(spark, inputs, tmp_path / f"{name}-out")
        assert summary.second_pass is not None and summary.second_pass.pages
        told.append(stages.sum("resultSize"))
    assert told[0] > 0 and told[1] < 1.3 * told[0]  # thirty times the pages, the same tasks


def test_plans_of_the_second_pass_and_of_identification(spark: Any, tmp_path: Path) -> None:
    census(spark, crawl(tmp_path, files=1, pages=3), tmp_path / "out", keep_links=True)
    session = create_views(spark, tmp_path / "out")
    for name in ("host_counts", "level_counts", "unclear", "inlinks", "evidence"):
        assert not [word for word in GROWING if word in plan(session.table(name))], name
    assert "partial_count" in plan(session.table("host_counts"))  # summed up by each task first
    result = identify(spark.createDataFrame([("https://example.org/", b"<p>Salve")], "url string, content binary"))
    assert "MapInArrow" in plan(result) and "Exchange" not in plan(result)


def test_a_large_host_is_aggregated_in_each_task(spark: Any, tmp_path: Path) -> None:
    """The shuffle of host counts does not grow with the pages of a host."""
    pages = 4000
    (tmp_path / ROWS).mkdir()
    for number in range(4):
        rows = [
            {"url": f"https://big.example.is/{number}/{i}", "url_host_name": "big.example.is", "url_host_registered_domain": "example.is",
             "url_host_tld": "is", "label": "isl_Latn", "reliable": True}
            for i in range(pages // 4)
        ]  # fmt: skip
        with parquet_writer(tmp_path / ROWS / f"part-{number:06}.parquet", rows_schema()) as file:
            file.write_table(pa.Table.from_batches(table(rows).to_batches(), rows_schema()))
    session = new_session(spark)
    session.read.parquet((tmp_path / ROWS).as_uri()).createOrReplaceTempView(ROWS)
    stages = Stages(spark)
    (row,) = session.sql(to_spark(queries()["hosts"], LIMITS)).collect()
    assert row.pages == pages and row.host == "big.example.is"
    assert 0 < stages.sum("shuffleReadRecords") <= 16  # a row of each task, of which there are a few
