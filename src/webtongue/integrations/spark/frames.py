"""Identify the pages of a DataFrame, in the Arrow batches that Spark passes to Python."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from webtongue import Identifier
from webtongue.errors import MissingExtra, UsageError
from webtongue.schema import BATCH_FIELDS, COLUMN_NAMES, spark_type

__all__ = ["identify"]

MB = 1 << 20
BATCH_BYTES = 8 * MB  # bytes of pages identified at a time, which bounds memory
PAGE_TYPES = ("binary", "string")


@dataclass(frozen=True, slots=True)
class _Settings:
    """The settings of an Identifier, which are sent to executors."""

    priors: str
    languages: tuple[str, ...] | None
    evidence: tuple[str, ...] | None
    model: str | None
    geo: str | None


@cache
def _identifier(settings: _Settings) -> Identifier:
    """Return one Identifier for each process and settings."""
    return Identifier(settings.priors, settings.languages, settings.evidence, settings.model, settings.geo)


def identify(
    df: Any,
    raw: str = "content",
    url: str | None = "url",
    *,
    headers: str | None = None,
    ip: str | None = None,
    country: str | None = None,
    keep: Sequence[str] | None = None,
    prefix: str = "",
    priors: str = "web",
    languages: Iterable[str] | None = None,
    evidence: Iterable[str] | None = None,
    model: str | None = None,
    geo: str | None = None,
    batch_bytes: int = BATCH_BYTES,
) -> Any:
    """Return a DataFrame with the columns of ``df`` without the pages, and the answers of ``identify_batch`` (docs/schema.md).

    ``raw`` names the column of pages (binary or string), and ``url``, ``headers``, ``ip`` and ``country`` other columns;
    ``headers`` is a map, the rest are strings. ``keep`` lists the columns to keep, ``prefix`` is put before the names of answers.
    The files ``model`` and ``geo`` must exist on every executor.
    """
    inputs = {"raw": raw, "url": url, "headers": headers, "ip": ip, "country": country}
    used = {name: column for name, column in inputs.items() if column is not None}
    if isinstance(keep, str):
        raise UsageError(f"keep is a list of columns: [{keep!r}]")
    kept = [name for name in df.columns if name != raw] if keep is None else list(keep)
    _check_columns(df, raw, [*used.values(), *kept], [prefix + name for name in COLUMN_NAMES], kept)
    if batch_bytes < 1:
        raise UsageError(f"batch_bytes must be 1 or more, not {batch_bytes}")
    model, geo = (path and os.path.abspath(path) for path in (model, geo))  # executors may run in another folder
    settings = _Settings(priors, _tuple(languages), _tuple(evidence), model, geo)
    _identifier(settings)  # raises an error for unusable settings before a job starts
    needed = list(dict.fromkeys([*used.values(), *kept]))
    # Names of columns may contain dots and quotes, so Python gets numbered ones.
    numbers = {name: f"c{i}" for i, name in enumerate(needed)}
    numbered = df.select(*("`" + name.replace("`", "``") + "`" for name in needed)).toDF(*numbers.values())
    identify_batches = _IdentifyBatches(
        settings,
        {name: numbers[column] for name, column in used.items()},
        tuple(numbers[name] for name in kept),
        batch_bytes,
    )
    return numbered.mapInArrow(identify_batches, _schema(df, kept, prefix))


def _tuple(names: Iterable[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(names)


def _check_columns(df: Any, raw: str, used: Sequence[str], answers: Sequence[str], kept: Sequence[str]) -> None:
    columns = df.columns
    fold = str if df.sparkSession.conf.get("spark.sql.caseSensitive") == "true" else str.casefold
    if missing := [name for name in used if name not in columns]:
        existing = ", ".join(columns)
        raise UsageError(f"no column {missing[0]!r} in {existing}: name columns with raw=, url= and so on, or url=None")
    folded = [fold(name) for name in columns]
    if ambiguous := [name for name in used if folded.count(fold(name)) > 1]:
        raise UsageError(f"{ambiguous[0]!r} is the name of several columns: rename or drop all but one")
    if len(set(kept)) < len(kept):
        raise UsageError("keep= names a column twice")
    if (kind := dict(df.dtypes)[raw]) not in PAGE_TYPES:
        raise UsageError(f"column {raw!r} is {kind}, but pages are binary")
    if repeated := sorted({fold(name) for name in answers} & {fold(name) for name in kept}):
        raise UsageError(
            f"{', '.join(repeated)}: both a kept column and an answer; "
            "choose columns with keep=, or rename answers with prefix='answer_'"
        )


def _schema(df: Any, kept: Sequence[str], prefix: str) -> Any:
    """Return the schema of the result: kept columns and answers."""
    try:
        from pyspark.sql.types import StructField, StructType
    except ImportError:
        raise MissingExtra("pyspark", "spark") from None
    existing = {field.name: field for field in df.schema.fields}
    answers: Any = StructType.fromDDL(", ".join(f"`{field.name}` {spark_type(field)}" for field in BATCH_FIELDS))
    renamed = [StructField(prefix + field.name, field.dataType) for field in answers.fields]
    return StructType([*(existing[name] for name in kept), *renamed])


@dataclass(frozen=True, slots=True)
class _IdentifyBatches:
    """The function that runs on executors: plain settings, from which each process creates an Identifier once."""

    settings: _Settings
    inputs: Mapping[str, str]
    kept: tuple[str, ...]
    batch_bytes: int

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        ident = _identifier(self.settings)
        for batch in batches:
            for begin, end in _split(batch.column(self.inputs["raw"]), self.batch_bytes):
                yield self._identify(batch.slice(begin, end - begin), ident)

    def _identify(self, batch: Any, ident: Identifier) -> Any:
        import pyarrow as pa

        pages = pa.table({name: batch.column(column) for name, column in self.inputs.items()})
        answers = ident.identify_batch(pages, threads=1)
        arrays = [batch.column(name) for name in self.kept]
        names = [*self.kept, *COLUMN_NAMES]
        return pa.RecordBatch.from_arrays(
            [*arrays, *(_to_spark_array(answers.column(name)) for name in COLUMN_NAMES)], names
        )


def _to_spark_array(column: Any) -> Any:
    """Return a column without what Spark does not accept: dictionaries, unsigned numbers, chunks."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(pa.string())
    elif pa.types.is_unsigned_integer(column.type):
        column = column.cast(pa.int16())
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def _split(pages: Any, max_bytes: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of pages with at most ``max_bytes`` together, or one larger page."""
    import pyarrow.compute as pc

    begin = size = 0
    for index, page_bytes in enumerate(pc.binary_length(pages).fill_null(0).to_pylist()):
        if index > begin and size + page_bytes > max_bytes:
            yield begin, index
            begin, size = index, 0
        size += page_bytes
    if begin < len(pages):
        yield begin, len(pages)
