"""Identify the pages of a Spark DataFrame, and run a census or an extraction on a cluster.

    from pyspark.sql import SparkSession
    from webtongue.integrations import spark as tongue

    spark = SparkSession.builder.getOrCreate()
    pages = spark.read.parquet("pages.parquet")                     # columns: url, content (binary)
    tongue.identify(pages).groupBy("label").count().show()
    tongue.census(spark, ["/shared/crawl/"], "/shared/census")
    tongue.extract(spark, ["/shared/crawl/"], "/shared/corpus", ["is", "fo"])

Settings are sent to executors, models are not: each Python process there maps the model of its own installation.
"""

from __future__ import annotations

from webtongue.integrations.spark.frames import identify
from webtongue.integrations.spark.index import fetch
from webtongue.integrations.spark.run import census, extract, session

__all__ = ["census", "extract", "fetch", "identify", "session"]
