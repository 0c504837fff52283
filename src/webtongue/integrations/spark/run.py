"""Run a census or an extraction in a Spark session, and create a session."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from webtongue.census.config import Config
from webtongue.census.engines import OnProgress
from webtongue.census.engines.spark import SparkEngine
from webtongue.census.extract import ExtractConfig, ExtractResult, create_extract_config
from webtongue.census.extract import extract as run_extract
from webtongue.census.rows import create_identifier
from webtongue.census.run import Summary
from webtongue.census.run import census as run_census
from webtongue.errors import MissingExtra, UsageError

__all__ = ["census", "extract", "session"]

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
    _check_options(options, Config)
    return run_census(
        _to_list(paths), out, Config.from_dict(options), resume=resume, engine=SparkEngine(spark), on_progress=on_progress,
        scratch=scratch,
    )  # fmt: skip


def extract(
    spark: Any,
    paths: Sequence[str] | str,
    out: str | Path,
    languages: Sequence[str] | str,
    *,
    file_format: str | None = None,
    resume: bool = False,
    force: bool = False,
    on_progress: OnProgress | None = None,
    scratch: str | None = None,
    **options: Any,
) -> ExtractResult:
    """Extract texts with a task for each work item; the files are the same as those of ``webtongue extract`` on one machine.

    Executors read and identify pages; the driver removes duplicates and writes the files, in the order of the inputs. ``paths``,
    ``out`` and ``scratch`` are as in :func:`census`; ``options`` are those of :class:`webtongue.census.config.Config` and
    :class:`webtongue.census.extract.ExtractConfig`.
    """
    _check_options(options, Config, ExtractConfig)
    text_options = {name: value for name, value in options.items() if name in ExtractConfig.__dataclass_fields__}
    config = Config.from_dict({name: value for name, value in options.items() if name not in text_options})
    extract_config = create_extract_config(_to_list(languages), create_identifier(config), **text_options)
    return run_extract(
        _to_list(paths), out, extract_config, config, file_format=file_format, resume=resume, force=force,
        engine=SparkEngine(spark), on_progress=on_progress, scratch=scratch,
    )  # fmt: skip


def _to_list(values: Sequence[str] | str) -> list[str]:
    return [values] if isinstance(values, str) else list(values)


def _check_options(options: Mapping[str, Any], *configs: Any) -> None:
    """Raise UsageError for names that are not settings."""
    known = [name for config in configs for name in config.__dataclass_fields__ if name != "labels"]
    if unknown := sorted(set(options) - set(known)):
        raise UsageError(f"unknown option {', '.join(unknown)}; the options are {', '.join(known)}")


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
