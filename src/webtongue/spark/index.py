"""Pages by an index of captures, such as Common Crawl's table: each record is read by itself, at its file, offset and length.

It is the way to look at one host, one language or a sample without downloading a file: of each page only its own bytes travel.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from webtongue.census.capture import Capture, Problem
from webtongue.census.config import Config
from webtongue.census.read import archived
from webtongue.census.read.captures import unreadable
from webtongue.census.read.opening import is_remote, stretch
from webtongue.errors import MissingExtra, UsageError
from webtongue.files import sentence

__all__ = ["fetch"]

COMMON_CRAWL = "s3://commoncrawl/"
WHERE = ("warc_filename", "warc_record_offset", "warc_record_length")  # Common Crawl's names
ADDED = "content binary, headers map<string, string>, ip string, problem string, problem_detail string"
BATCH_BYTES = 1 << 23  # of pages that are handed on at a time


def fetch(df: Any, prefix: str = COMMON_CRAWL, **options: Any) -> Any:
    """The rows of an index with their pages: ``content``, the response's ``headers`` and ``ip``, as :func:`identify` takes them.

    ``df`` has the columns ``warc_filename``, ``warc_record_offset`` and ``warc_record_length``, and whatever else you kept of the
    index; ``prefix`` stands before file names that are no addresses. ``options`` are of :class:`webtongue.census.config.Config`.
    A record that cannot be read is a row without content, and ``problem`` and ``problem_detail`` say why.

        index.where("url_host_registered_domain = 'example.is'").transform(fetch).transform(identify, headers="headers")
    """
    try:
        from pyspark.sql.types import StructType
    except ImportError:
        raise MissingExtra("pyspark", "spark") from None
    if missing := [name for name in WHERE if name not in df.columns]:
        raise UsageError(f"no column {', '.join(missing)}: an index of captures says where each record lies")
    added: Any = StructType.fromDDL(ADDED)
    if both := [field.name for field in added.fields if field.name in df.columns]:
        raise UsageError(f"{', '.join(both)} would be there twice: drop or rename what the index has")
    if unknown := sorted(set(options) - set(Config.__dataclass_fields__)):
        raise UsageError(f"no option {', '.join(unknown)}; there are {', '.join(Config.__dataclass_fields__)}")
    schema = StructType([*df.schema.fields, *added.fields])
    if not is_remote(prefix) and prefix:  # executors were started elsewhere
        prefix = os.path.abspath(prefix) + ("/" if prefix.endswith("/") else "")
    return df.mapInArrow(_Fetched(Config.from_dict({**options, "prefix": prefix})), schema)


@dataclass(frozen=True, slots=True)
class _Fetched:
    """The function that runs in executors."""

    config: Config

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            begin = size = 0
            waiting: list[Capture] = []
            files, offsets, lengths = (batch.column(name).to_pylist() for name in WHERE)
            for filename, offset, length in zip(files, offsets, lengths, strict=True):
                waiting.append(one_record(filename, offset, length, self.config))
                size += len(waiting[-1].body or b"")
                if size >= BATCH_BYTES:
                    yield _joined(batch.slice(begin, len(waiting)), waiting)
                    begin, size, waiting = begin + len(waiting), 0, []
            if waiting:
                yield _joined(batch.slice(begin), waiting)


def one_record(filename: Any, offset: Any, length: Any, config: Config) -> Capture:
    """The capture that lies at a place of an archive."""
    name = str(filename or "")
    if not name or not isinstance(offset, int) or not isinstance(length, int) or offset < 0 or length < 1:
        return unreadable(name, "the index does not say where it lies")
    if length > config.largest_record:
        return Capture(filename=name, problem=Problem.TOO_LARGE, detail=f"a record of {length:,} bytes")
    path = name if is_remote(name) or name.startswith(("/", "file://")) else config.prefix + name
    if path == name and _kind(name) != _kind(
        config.prefix
    ):  # whoever writes an index does not choose what executors open
        return unreadable(
            name, f"its address is of another kind than {config.prefix!r}, which is said to hold the files", offset
        )
    try:
        raw = stretch(path, offset, length, config)
    except (OSError, ValueError) as error:
        return unreadable(name, sentence(error), offset)
    if len(raw) < length:
        return unreadable(name, f"the file ends {length - len(raw):,} bytes before the record does", offset)
    found = next(archived(io.BytesIO(raw), name, config), None)
    return found or unreadable(name, "there is no response at this place", offset)


def _kind(address: str) -> str:
    """By what a file is opened: the scheme of an address, and all of them where one is chained to another."""
    return (
        "" if address.startswith(("/", "file://")) or not is_remote(address) else re.sub(r"://.*?(?=::|$)", "", address)
    )


def _joined(batch: Any, captures: list[Capture]) -> Any:
    import pyarrow as pa

    columns: Mapping[str, Any] = {
        "content": pa.array([one.body for one in captures], pa.binary()),
        "headers": pa.array([list(one.headers.items()) for one in captures], pa.map_(pa.string(), pa.string())),
        "ip": pa.array([one.ip or None for one in captures], pa.string()),
        "problem": pa.array([one.problem.value or None for one in captures], pa.string()),
        "problem_detail": pa.array([one.detail or None for one in captures], pa.string()),
    }
    return pa.RecordBatch.from_arrays([*batch.columns, *columns.values()], [*batch.schema.names, *columns])
