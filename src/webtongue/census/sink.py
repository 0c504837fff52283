"""Write rows and links to Parquet parts, each of which is complete or absent."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webtongue.census.config import Config
from webtongue.census.rows import Batch
from webtongue.census.schema import links_schema, rows_schema

__all__ = [
    "ATTEMPTS_FOLDER", "LINKS", "PART_PATTERN", "ROWS", "UNFINISHED_SUFFIX", "Part", "PartWriter", "atomic_write",
    "parquet_writer", "part_filename",
]  # fmt: skip

ROWS, LINKS = "rows", "links"
ATTEMPTS_FOLDER = ".attempts"  # one folder for each attempt of an engine whose workers may die
UNFINISHED_SUFFIX = ".unfinished"
PART_PATTERN = "part-*.parquet"
COMPRESSION = {"compression": "zstd", "compression_level": 1}
# Columns whose values rarely repeat are not dictionary-encoded.
UNIQUE_COLUMNS = frozenset(
    {"url", "content_digest", "problem_detail", "reading", "text", "warc_record_offset", "warc_record_length", "anchor"}
)
NESTED_LABELS = ("languages.list.element.label", "likeliest.list.element.label")
MAX_PENDING_BYTES = 1 << 24  # bytes of rows that wait for their row group: rows with text are large


@dataclass(frozen=True, slots=True)
class Part:
    """The result of a work item."""

    number: int
    rows: int
    size: int = 0  # bytes of its files
    counts: Mapping[str, int] = field(default_factory=dict)  # rows by status
    problems: Mapping[str, int] = field(default_factory=dict)


def part_filename(number: int) -> str:
    """Return the name of a part's files, which lie in the folders of rows and links."""
    return f"part-{number:06}.parquet"


@contextlib.contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Give a path to write to, and move the file into place at the end: after a crash either the old or the new file exists."""
    unfinished = path.with_name(f"{path.name}.{uuid.uuid4().hex}{UNFINISHED_SUFFIX}")
    try:
        yield unfinished
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def parquet_writer(path: Path, schema: Any) -> Any:
    """Return a Parquet writer with the compression and dictionaries of a census."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    encoded = [
        column.name
        for column in schema
        if column.name not in UNIQUE_COLUMNS
        and not pa.types.is_floating(column.type)
        and not pa.types.is_nested(column.type)
    ]
    return pq.ParquetWriter(path, schema, use_dictionary=[*encoded, *NESTED_LABELS], **COMPRESSION)


class PartWriter:
    """Writes the batches of one work item."""

    def __init__(self, out: Path, number: int, config: Config) -> None:
        self._out, self._number, self._config = out, number, config

    def write(self, batches: Iterator[Batch]) -> Part:
        """Write all batches; the part exists when this returns."""
        name = part_filename(self._number)
        rows_path, links_path = self._out / ROWS / name, self._out / LINKS / name
        counts: Counter[str] = Counter()
        problems: Counter[str] = Counter()
        with (
            atomic_write(links_path) as links_file,
            atomic_write(rows_path) as rows_file,
            parquet_writer(rows_file, rows_schema()) as rows,
            parquet_writer(links_file, links_schema()) as links,
        ):
            groups = _RowGroups(rows, links, self._config.row_group_rows)
            for batch in batches:
                _count(batch.rows, "status", counts)
                _count(batch.rows, "problem", problems)
                groups.add(batch)
            groups.flush()
        size = rows_path.stat().st_size + links_path.stat().st_size
        return Part(self._number, counts.total(), size, dict(counts), dict(problems))


def _count(rows: Any, column: str, counts: Counter[str]) -> None:
    for pair in rows.column(column).drop_null().value_counts().to_pylist():
        counts[pair["values"]] += pair["counts"]


class _RowGroups:
    """Collects batches and writes them as row groups."""

    def __init__(self, rows: Any, links: Any, max_rows: int) -> None:
        self._rows, self._links, self._max_rows = rows, links, max_rows
        self._pending: list[Batch] = []
        self._row_count = self._byte_count = 0

    def add(self, batch: Batch) -> None:
        """Add a batch, and write all pending ones if they fill a row group."""
        self._pending.append(batch)
        self._row_count += batch.rows.num_rows
        self._byte_count += batch.rows.nbytes + batch.links.nbytes
        if self._row_count >= self._max_rows or self._byte_count >= MAX_PENDING_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write the pending batches."""
        import pyarrow as pa

        if self._pending:
            rows = pa.Table.from_batches([batch.rows for batch in self._pending]).unify_dictionaries()
            self._rows.write_table(rows, row_group_size=max(rows.num_rows, 1))
            links = pa.concat_tables([batch.links for batch in self._pending])
            if links.num_rows:
                self._links.write_table(links)
        self._pending, self._row_count, self._byte_count = [], 0, 0
