"""Where rows go: Parquet parts, each there whole or not at all."""

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

__all__ = ["ATTEMPTS", "LINKS", "PARTS", "ROWS", "Part", "PartWriter", "part_name", "replacing", "writer"]

ROWS, LINKS = "rows", "links"
ATTEMPTS = ".attempts"  # a folder for each attempt of an engine whose workers may die
UNFINISHED = ".unfinished"
PARTS = "part-*.parquet"
# Dictionaries are for what comes again; addresses, digests and readings do not.
PACKING = {"compression": "zstd", "compression_level": 1}
ONCE = frozenset(
    {"url", "content_digest", "problem_detail", "reading", "text", "warc_record_offset", "warc_record_length", "anchor"}
)
NESTED = ("languages.list.element.label", "likeliest.list.element.label")  # names, within lists
GROUP_BYTES = 1 << 24  # of rows that wait for their group: kept text makes rows large


@dataclass(frozen=True, slots=True)
class Part:
    """What one work item became."""

    number: int
    rows: int
    size: int = 0  # bytes of its files
    counts: Mapping[str, int] = field(default_factory=dict)  # rows by status
    problems: Mapping[str, int] = field(default_factory=dict)


def part_name(number: int) -> str:
    """Of a part's files, below their folders."""
    return f"part-{number:06}.parquet"


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path to write to, which takes its place at the end as a whole: after a crash the old file is there, or the new one."""
    unfinished = path.with_name(f"{path.name}.{uuid.uuid4().hex}{UNFINISHED}")
    try:
        yield unfinished
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def writer(path: Path, schema: Any) -> Any:
    """A writer of Parquet as a census has it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    again = [
        field.name
        for field in schema
        if field.name not in ONCE and not pa.types.is_floating(field.type) and not pa.types.is_nested(field.type)
    ]
    return pq.ParquetWriter(path, schema, use_dictionary=[*again, *NESTED], **PACKING)


class PartWriter:
    """Writes the batches of one work item."""

    def __init__(self, out: Path, number: int, config: Config) -> None:
        self._out, self._number, self._config = out, number, config

    def write(self, batches: Iterator[Batch]) -> Part:
        """All of them, in groups that a scan likes; the part is there when this returns."""
        name = part_name(self._number)
        rows_path, links_path = self._out / ROWS / name, self._out / LINKS / name
        counts: Counter[str] = Counter()
        problems: Counter[str] = Counter()
        with (
            replacing(links_path) as links_file,
            replacing(rows_path) as rows_file,
            writer(rows_file, rows_schema()) as rows,
            writer(links_file, links_schema()) as links,
        ):
            groups = _Groups(rows, links, self._config.group_rows)
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


class _Groups:
    """Batches that wait until they make a group."""

    def __init__(self, rows: Any, links: Any, most: int) -> None:
        self._rows, self._links, self._most = rows, links, most
        self._waiting: list[Batch] = []
        self._count = self._size = 0

    def add(self, batch: Batch) -> None:
        """One more; written with those before it where they make a group."""
        self._waiting.append(batch)
        self._count += batch.rows.num_rows
        self._size += batch.rows.nbytes + batch.links.nbytes
        if self._count >= self._most or self._size >= GROUP_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        import pyarrow as pa

        if self._waiting:
            rows = pa.Table.from_batches([batch.rows for batch in self._waiting]).unify_dictionaries()
            self._rows.write_table(rows, row_group_size=max(rows.num_rows, 1))
            links = pa.concat_tables([batch.links for batch in self._waiting])
            if links.num_rows:
                self._links.write_table(links)
        self._waiting, self._count, self._size = [], 0, 0
