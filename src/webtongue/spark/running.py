"""A census on a Spark session, and such a session."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from webtongue.census.config import Config
from webtongue.census.engines import Watch
from webtongue.census.engines.spark import SparkEngine
from webtongue.census.run import Summary
from webtongue.census.run import census as run_census
from webtongue.errors import MissingExtra, UsageError

__all__ = ["census", "session"]

PYTHON = "PYSPARK_PYTHON"


def census(
    spark: Any,
    paths: Sequence[str] | str,
    out: str | Path,
    *,
    resume: bool = False,
    watch: Watch | None = None,
    **options: Any,
) -> Summary:
    """The census of some crawls, every work item a task: the same rows as ``webtongue census`` makes of them on one machine.

    ``paths`` are files, folders, addresses or lists of such, which executors read themselves; ``out`` is a folder that the driver
    and all executors see. ``options`` are those of :class:`webtongue.census.config.Config`.
    """
    if unknown := sorted(set(options) - set(Config.__dataclass_fields__)):
        raise UsageError(f"no option {', '.join(unknown)}; there are {', '.join(Config.__dataclass_fields__)}")
    inputs = [paths] if isinstance(paths, str) else list(paths)
    config = Config.from_dict(options)
    return run_census(inputs, out, config, resume=resume, engine=SparkEngine(spark), watch=watch)


def session(master: str | None = None, conf: Mapping[str, str] | None = None) -> Any:
    """A Spark session, or the one that there is: on ``master`` if that is said, with some settings of Spark's own.

    Executors run the Python that this is, unless PYSPARK_PYTHON or ``spark.pyspark.python`` names another: what Spark takes by
    itself is the first python3 on their path, which may have no webtongue.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtra("pyspark", "spark") from None
    os.environ.setdefault(PYTHON, (conf or {}).get("spark.pyspark.python", sys.executable))
    builder: Any = SparkSession.builder.appName("webtongue")
    if master is not None:
        builder = builder.master(master)
    for key, value in (conf or {}).items():
        builder = builder.config(key, value)
    return builder.getOrCreate()
