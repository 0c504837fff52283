"""Options that choose where a census or an extraction runs."""

from __future__ import annotations

from typing import Annotated

from webtongue.census.engines import Engine
from webtongue.census.engines.local import LocalEngine
from webtongue.cli.parameters import Option
from webtongue.errors import UsageError
from webtongue.records import dataclass

__all__ = ["EngineOptions"]

LOCAL, SPARK = "local", "spark"


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """Options that choose where a census or an extraction runs."""

    engine: Annotated[
        str, Option("--engine", metavar="NAME", help="local: processes on this machine; spark: a cluster.")
    ] = LOCAL
    master: Annotated[
        str | None, Option(metavar="URL", help="The Spark master: spark://host:7077, local[4], yarn.")
    ] = None
    conf: Annotated[list[str] | None, Option(metavar="KEY=VALUE", help="A Spark setting; repeatable.")] = None
    scratch: Annotated[
        str | None,
        Option(metavar="DIR", help="A folder for temporary files if OUT is a URL; a cluster shares it."),
    ] = None

    def create(self, workers: int | None) -> Engine:
        """Return the engine; Spark is imported only if it is chosen."""
        if self.engine == LOCAL:
            if self.master is not None or self.conf:
                raise UsageError("--master and --conf are options of Spark: choose it with --engine spark")
            return LocalEngine(workers)
        if self.engine != SPARK:
            raise UsageError(f"--engine is {LOCAL} or {SPARK}, not {self.engine!r}")
        if workers is not None:
            raise UsageError("--workers is for one machine: set the size of a cluster with --conf spark.cores.max=16")
        settings = dict(_parse_setting(text) for text in self.conf or ())
        from webtongue.census.engines.spark import SparkEngine
        from webtongue.integrations.spark import session

        return SparkEngine(session(self.master, settings))


def _parse_setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key.startswith("spark.") or not equals:
        raise UsageError(f"a Spark setting is written spark.executor.memory=2g, not {text!r}")
    return key, value
