"""Answers for a DataFrame of pages: the batch function of webtongue, on the Arrow batches that Spark hands to Python."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from webtongue import Identifier
from webtongue.batch import COLUMNS
from webtongue.errors import MissingExtra, UsageError

__all__ = ["identify"]

MB = 1 << 20
BATCH_BYTES = 8 * MB  # of pages that are identified at a time: bounds memory, as in a census
PAGES = ("binary", "string")  # types of a column of pages
# Answers as Spark has them; it knows no unsigned numbers.
TYPES: Mapping[str, str] = {
    "confidence": "float", "reliable": "boolean", "tier": "smallint", "group_confidence": "float",
    "languages": "array<struct<label: string, share: float>>", "encoding_confidence": "float", "agrees": "boolean",
    "encoding_agrees": "boolean",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Settings:
    """Of an Identifier: what travels in its place."""

    priors: str
    languages: tuple[str, ...] | None
    evidence: tuple[str, ...] | None
    model: str | None
    geo: str | None


@cache
def _identifier(settings: _Settings) -> Identifier:
    """One for each process and settings, however many tasks and batches there are."""
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
    """A DataFrame with the answers for the pages of ``df``, a row for each: its own columns without the pages, and then those of
    ``identify_batch`` (docs/schema.md), with ``prefix`` before their names.

    ``raw`` names the column of pages (binary; text works too), the others what else is known of each: ``headers`` is a map, the
    rest are strings. ``keep`` says which columns stay, ``raw`` itself if you name it. Files named by ``model`` and ``geo`` must be
    there on every executor.
    """
    inputs = {"raw": raw, "url": url, "headers": headers, "ip": ip, "country": country}
    named = {name: column for name, column in inputs.items() if column is not None}
    if isinstance(keep, str):
        raise UsageError(f"keep is a list of columns: [{keep!r}]")
    kept = [name for name in df.columns if name != raw] if keep is None else list(keep)
    _check(df, raw, [*named.values(), *kept], [prefix + name for name in COLUMNS], kept)
    if batch_bytes < 1:
        raise UsageError(f"batch_bytes is 1 or more, not {batch_bytes}")
    model, geo = (path and os.path.abspath(path) for path in (model, geo))  # executors were started elsewhere
    settings = _Settings(priors, _tuple(languages), _tuple(evidence), model, geo)
    _identifier(settings)  # refuses what cannot be identified with, before a job begins
    needed = list(dict.fromkeys([*named.values(), *kept]))
    # Names of a caller's columns may be anything, dots and quotes too: Python gets them by number.
    number = {name: f"c{i}" for i, name in enumerate(needed)}
    numbered = df.select(*("`" + name.replace("`", "``") + "`" for name in needed)).toDF(*number.values())
    answers = _Answers(
        settings,
        {ours: number[theirs] for ours, theirs in named.items()},
        tuple(number[name] for name in kept),
        batch_bytes,
    )
    return numbered.mapInArrow(answers, _schema(df, kept, prefix))


def _tuple(names: Iterable[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(names)


def _check(df: Any, raw: str, used: Sequence[str], answers: Sequence[str], kept: Sequence[str]) -> None:
    columns = df.columns
    same = str if df.sparkSession.conf.get("spark.sql.caseSensitive") == "true" else str.casefold
    if missing := [name for name in used if name not in columns]:
        there = ", ".join(columns)
        raise UsageError(f"no column {missing[0]!r} in {there}: name it with raw=, url= and so on; url=None is none")
    folded = [same(name) for name in columns]
    if twice := [name for name in used if folded.count(same(name)) > 1]:
        raise UsageError(f"{twice[0]!r} is the name of several columns: rename or drop all but one")
    if len(set(kept)) < len(kept):
        raise UsageError("keep= names a column twice")
    if (kind := dict(df.dtypes)[raw]) not in PAGES:
        raise UsageError(f"column {raw!r} is {kind}: pages are binary")
    if both := sorted({same(name) for name in answers} & {same(name) for name in kept}):
        raise UsageError(
            f"{', '.join(both)} would be there twice: say which columns to keep= or a prefix= for the answers, such as 'found_'"
        )


def _schema(df: Any, kept: Sequence[str], prefix: str) -> Any:
    """What comes out: columns that are kept, then answers."""
    try:
        from pyspark.sql.types import StructField, StructType
    except ImportError:
        raise MissingExtra("pyspark", "spark") from None
    own = {field.name: field for field in df.schema.fields}
    plain: Any = StructType.fromDDL(", ".join(f"`{name}` {TYPES.get(name, 'string')}" for name in COLUMNS))
    found = [StructField(prefix + field.name, field.dataType) for field in plain.fields]
    return StructType([*(own[name] for name in kept), *found])


@dataclass(frozen=True, slots=True)
class _Answers:
    """The function that runs in executors: plain settings, of which each process makes an Identifier once."""

    settings: _Settings
    inputs: Mapping[str, str]
    kept: tuple[str, ...]
    batch_bytes: int

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        ident = _identifier(self.settings)
        for batch in batches:
            for begin, end in _spans(batch.column(self.inputs["raw"]), self.batch_bytes):
                yield self._answered(batch.slice(begin, end - begin), ident)

    def _answered(self, batch: Any, ident: Identifier) -> Any:
        import pyarrow as pa

        known = pa.table({name: batch.column(column) for name, column in self.inputs.items()})
        found = ident.identify_batch(known, threads=1)
        arrays = [batch.column(name) for name in self.kept]
        names = [*self.kept, *COLUMNS]
        return pa.RecordBatch.from_arrays([*arrays, *(_plain(found.column(name)) for name in COLUMNS)], names)


def _plain(column: Any) -> Any:
    """A column without what Spark does not read: dictionaries, unsigned numbers, chunks."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(pa.string())
    elif pa.types.is_unsigned_integer(column.type):
        column = column.cast(pa.int16())
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def _spans(pages: Any, most: int) -> Iterator[tuple[int, int]]:
    """Stretches of pages with so many bytes at most, or one page that has more."""
    import pyarrow.compute as pc

    begin = size = 0
    for at, own in enumerate(pc.binary_length(pages).fill_null(0).to_pylist()):
        if at > begin and size + own > most:
            yield begin, at
            begin, size = at, 0
        size += own
    if begin < len(pages):
        yield begin, len(pages)
