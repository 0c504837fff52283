"""Parts put together into files that scans like: a crawl of a hundred thousand archives has as many parts, of a few MB each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webtongue.census.config import Config
from webtongue.census.engines import Engine
from webtongue.census.manifest import Manifest
from webtongue.census.schema import rows_schema
from webtongue.census.sink import ROWS, part_name, replacing, writer

__all__ = ["groups_of", "merge"]


def merge(out: Path, config: Config, manifest: Manifest, engine: Engine) -> None:
    """Put neighbouring parts together, as long as they make files of ``config.file_bytes``. What is too little for one stays."""
    inside = {number for group in manifest.merged.values() for number in group}
    sizes = {number: _size(out, number) for number in sorted(set(manifest.parts) - inside)}
    groups = {group[0]: group for group in groups_of(sizes, config.file_bytes)}
    for group in groups.values():
        manifest.will_merge(group)
    for first, _ in engine.rewrite(out, list(groups), Together(config, out.absolute(), groups)):
        manifest.was_merged(groups[first])


def groups_of(sizes: Mapping[int, int], least: int) -> list[tuple[int, ...]]:
    """Neighbours whose files together have ``least`` bytes or more, and less than twice as many.

    >>> groups_of({0: 30, 1: 40, 2: 50, 3: 120, 4: 10, 5: 20}, 100)
    [(0, 1, 2)]
    """
    groups: list[tuple[int, ...]] = []
    group: list[int] = []
    size = 0
    for number, own in sizes.items():
        if own >= least:  # large enough by itself
            group, size = [], 0
            continue
        group.append(number)
        size += own
        if size >= least:
            groups.append(tuple(group))
            group, size = [], 0
    return groups


def _size(out: Path, number: int) -> int:
    return (out / ROWS / part_name(number)).stat().st_size


@dataclass(frozen=True, slots=True)
class Together:
    """Parts put together: plain settings, which travel."""

    config: Config
    out: Path
    groups: Mapping[int, Sequence[int]]

    def __call__(self, first: int, target: Path) -> int:
        """Write the group that begins with part ``first`` to ``target``; its rows."""
        import pyarrow.parquet as pq

        with replacing(target) as unfinished, writer(unfinished, rows_schema()) as file:
            waiting = _Groups(file, self.config.group_rows)
            for number in self.groups[first]:
                with pq.ParquetFile(self.out / ROWS / part_name(number)) as part:
                    for group in range(part.num_row_groups):
                        waiting.add(part.read_row_group(group))
            waiting.flush()
        return waiting.rows


class _Groups:
    """Groups of rows that wait until they make a larger one."""

    def __init__(self, file: Any, most: int) -> None:
        self._file, self._most = file, most
        self._waiting: list[Any] = []
        self._count = self.rows = 0

    def add(self, group: Any) -> None:
        """One more; with it those that wait may be enough."""
        if self._count + group.num_rows > self._most:
            self.flush()
        self._waiting.append(group)
        self._count += group.num_rows
        self.rows += group.num_rows

    def flush(self) -> None:
        """Write what waits."""
        import pyarrow as pa

        if self._count:
            self._file.write_table(pa.concat_tables(self._waiting).unify_dictionaries(), row_group_size=self._count)
        self._waiting, self._count = [], 0
