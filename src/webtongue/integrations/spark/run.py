"""Run a census in a Spark session, and create a session."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from webtongue.census.config import Config
from webtongue.census.engines import OnProgress
from webtongue.census.engines.spark import SparkEngine
from webtongue.census.run import Summary
from webtongue.census.run import census as run_census
from webtongue.errors import MissingExtra, UsageError

__all__ = ["census", "session"]

PYTHON_VARIABLE = "PYSPARK_PYTHON"


def census(
    spark: Any,
    paths: Sequence[str] | str,
    out: str | Path,
    *,
    resume: bool = False,
    on_progress: OnProgress | None = None,
    scratch: str | None = None,
    **options: Any,
) -> Summary:
    """Run a census with a task for each work item; the rows are the same as those of ``webtongue census`` on one machine.

    ``paths`` are files, folders, URLs or lists of paths, which executors read themselves; ``out`` is a folder that the driver and
    all executors can access, or a URL, to which the driver uploads parts from ``scratch``, which must be such a folder.
    ``options`` are those of :class:`webtongue.census.config.Config`.
    """
    if unknown := sorted(set(options) - set(Config.__dataclass_fields__)):
        raise UsageError(
            f"unknown option {', '.join(unknown)}; the options are {', '.join(Config.__dataclass_fields__)}"
        )
    inputs = [paths] if isinstance(paths, str) else list(paths)
    config = Config.from_dict(options)
    return run_census(
        inputs, out, config, resume=resume, engine=SparkEngine(spark), on_progress=on_progress, scratch=scratch
    )


def session(master: str | None = None, conf: Mapping[str, str] | None = None) -> Any:
    """Return the active Spark session, or a new one on ``master`` with the settings ``conf``.

    Executors run the Python of this process, unless PYSPARK_PYTHON or ``spark.pyspark.python`` names another: the default of Spark
    is the first python3 on their path, which may not have webtongue.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtra("pyspark", "spark") from None
    os.environ.setdefault(PYTHON_VARIABLE, (conf or {}).get("spark.pyspark.python", sys.executable))
    builder: Any = SparkSession.builder.appName("webtongue")
    if master is not None:
        builder = builder.master(master)
    for key, value in (conf or {}).items():
        builder = builder.config(key, value)
    return builder.getOrCreate()
