"""Run a census with spark-submit and the options of ``webtongue census``:

    spark-submit --master yarn --conf spark.executor.memoryOverhead=4g tools/spark_census.py INPUT... -o OUT

Master and settings are those of spark-submit; docs/spark.md explains how webtongue is installed on executors.
"""

from __future__ import annotations

import sys

from webtongue.cli import main

if __name__ == "__main__":
    sys.argv[1:] = ["census", *sys.argv[1:], "--engine", "spark"]
    main()
