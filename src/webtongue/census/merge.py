"""Merge parts into files of a good size for scans: a crawl of a hundred thousand archives has as many parts of a few MB each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webtongue.census.config import Config
from webtongue.census.engines import Engine
from webtongue.census.manifest import Manifest
from webtongue.census.schema import rows_schema
from webtongue.census.sink import ROWS, atomic_write, parquet_writer, part_filename

__all__ = ["group_parts", "merge"]


def merge(out: Path, config: Config, manifest: Manifest, engine: Engine) -> None:
    """Merge neighbouring parts into files of at least ``config.min_file_bytes``. Parts that are too small for a file stay."""
    sizes = {number: _size(out, number) for number in sorted(set(manifest.parts) - manifest.merged_parts)}
    groups = {group[0]: group for group in group_parts(sizes, config.min_file_bytes)}
    for group in groups.values():
        manifest.begin_merge(group)
    for first, _ in engine.rewrite(out, list(groups), MergeParts(config, out.absolute(), groups)):
        manifest.finish_merge(groups[first])


def group_parts(sizes: Mapping[int, int], min_bytes: int) -> list[tuple[int, ...]]:
    """Return groups of neighbours whose files have ``min_bytes`` or more together, and less than twice as many.

    >>> group_parts({0: 30, 1: 40, 2: 50, 3: 120, 4: 10, 5: 20}, 100)
    [(0, 1, 2)]
    """
    groups: list[tuple[int, ...]] = []
    group: list[int] = []
    group_bytes = 0
    for number, size in sizes.items():
        if size >= min_bytes:  # large enough by itself
            group, group_bytes = [], 0
            continue
        group.append(number)
        group_bytes += size
        if group_bytes >= min_bytes:
            groups.append(tuple(group))
            group, group_bytes = [], 0
    return groups


def _size(out: Path, number: int) -> int:
    return (out / ROWS / part_filename(number)).stat().st_size


@dataclass(frozen=True, slots=True)
class MergeParts:
    """A function that merges groups of parts; it can be sent to executors."""

    config: Config
    out: Path
    groups: Mapping[int, Sequence[int]]  # by their first part

    def __call__(self, first: int, target: Path) -> int:
        """Write the group of the part ``first`` to ``target``; return the number of rows."""
        import pyarrow.parquet as pq

        with atomic_write(target) as unfinished, parquet_writer(unfinished, rows_schema()) as file:
            row_groups = _RowGroups(file, self.config.row_group_rows)
            for number in self.groups[first]:
                with pq.ParquetFile(self.out / ROWS / part_filename(number)) as part:
                    for group in range(part.num_row_groups):
                        row_groups.add(part.read_row_group(group))
            row_groups.flush()
        return row_groups.rows


class _RowGroups:
    """Collects small row groups and writes them as larger ones."""

    def __init__(self, file: Any, max_rows: int) -> None:
        self._file, self._max_rows = file, max_rows
        self._pending: list[Any] = []
        self._pending_rows = self.rows = 0

    def add(self, group: Any) -> None:
        """Add a row group, after writing the pending ones if they would become too large with it."""
        if self._pending_rows + group.num_rows > self._max_rows:
            self.flush()
        self._pending.append(group)
        self._pending_rows += group.num_rows
        self.rows += group.num_rows

    def flush(self) -> None:
        """Write the pending row groups as one."""
        import pyarrow as pa

        if self._pending_rows:
            table = pa.concat_tables(self._pending).unify_dictionaries()
            self._file.write_table(table, row_group_size=self._pending_rows)
        self._pending, self._pending_rows = [], 0
