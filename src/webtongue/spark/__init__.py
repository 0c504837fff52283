"""webtongue on Spark: answers for a DataFrame of pages, and a census on a cluster.

    from pyspark.sql import SparkSession
    from webtongue import spark as tongue

    spark = SparkSession.builder.getOrCreate()
    pages = spark.read.parquet("pages.parquet")                     # columns: url, content (binary)
    tongue.identify(pages).groupBy("label").count().show()
    tongue.census(spark, ["/shared/crawl/"], "/shared/census")

Settings travel to executors, models do not: each Python process there maps the model that lies in its own installation.
"""

from __future__ import annotations

from webtongue.spark.frames import identify
from webtongue.spark.index import fetch
from webtongue.spark.propagation import propagate
from webtongue.spark.running import census, session

__all__ = ["census", "fetch", "identify", "propagate", "session"]
