"""Fetch pages by an index of captures, such as that of Common Crawl: each record is read by its file, offset and length.

This reads the pages of one host, one language or a sample without downloading whole files.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from webtongue.census.capture import Capture
from webtongue.census.config import Config
from webtongue.census.read.position import read_record
from webtongue.census.read.remote_io import is_remote
from webtongue.errors import MissingExtra, UsageError

__all__ = ["fetch"]

COMMON_CRAWL = "s3://commoncrawl/"
POSITION_COLUMNS = ("warc_filename", "warc_record_offset", "warc_record_length")  # Common Crawl's names
ADDED_COLUMNS = "content binary, headers map<string, string>, ip string, problem string, problem_detail string"
BATCH_BYTES = 1 << 23  # bytes of pages returned at a time


def fetch(df: Any, prefix: str = COMMON_CRAWL, **options: Any) -> Any:
    """Return the rows of an index with their pages: ``content``, and ``headers`` and ``ip`` of the response, for :func:`identify`.

    ``df`` has the columns ``warc_filename``, ``warc_record_offset`` and ``warc_record_length``, and any others of the index;
    ``prefix`` is put before relative file names. ``options`` are those of :class:`webtongue.census.config.Config`. A record that
    cannot be read is a row without content, with the reason in ``problem`` and ``problem_detail``.

        index.where("url_host_registered_domain = 'example.is'").transform(fetch).transform(identify, headers="headers")
    """
    try:
        from pyspark.sql.types import StructType
    except ImportError:
        raise MissingExtra("pyspark", "spark") from None
    if missing := [name for name in POSITION_COLUMNS if name not in df.columns]:
        raise UsageError(f"no column {', '.join(missing)}: an index of captures has the position of each record")
    added: Any = StructType.fromDDL(ADDED_COLUMNS)
    if repeated := [field.name for field in added.fields if field.name in df.columns]:
        raise UsageError(f"{', '.join(repeated)}: the index already has this column; drop or rename it")
    if unknown := sorted(set(options) - set(Config.__dataclass_fields__)):
        raise UsageError(
            f"unknown option {', '.join(unknown)}; the options are {', '.join(Config.__dataclass_fields__)}"
        )
    schema = StructType([*df.schema.fields, *added.fields])
    if not is_remote(prefix) and prefix:  # executors may run in another folder
        prefix = os.path.abspath(prefix) + ("/" if prefix.endswith("/") else "")
    return df.mapInArrow(_FetchBatches(Config.from_dict({**options, "prefix": prefix})), schema)


@dataclass(frozen=True, slots=True)
class _FetchBatches:
    """The function that runs on executors."""

    config: Config

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            begin = size = 0
            captures: list[Capture] = []
            files, offsets, lengths = (batch.column(name).to_pylist() for name in POSITION_COLUMNS)
            for filename, offset, length in zip(files, offsets, lengths, strict=True):
                captures.append(read_record(filename, offset, length, self.config))
                size += len(captures[-1].body or b"")
                if size >= BATCH_BYTES:
                    yield _add_columns(batch.slice(begin, len(captures)), captures)
                    begin, size, captures = begin + len(captures), 0, []
            if captures:
                yield _add_columns(batch.slice(begin), captures)


def _add_columns(batch: Any, captures: list[Capture]) -> Any:
    import pyarrow as pa

    columns: Mapping[str, Any] = {
        "content": pa.array([capture.body for capture in captures], pa.binary()),
        "headers": pa.array([list(capture.headers.items()) for capture in captures], pa.map_(pa.string(), pa.string())),
        "ip": pa.array([capture.ip or None for capture in captures], pa.string()),
        "problem": pa.array([capture.problem.value or None for capture in captures], pa.string()),
        "problem_detail": pa.array([capture.detail or None for capture in captures], pa.string()),
    }
    return pa.RecordBatch.from_arrays([*batch.columns, *columns.values()], [*batch.schema.names, *columns])
