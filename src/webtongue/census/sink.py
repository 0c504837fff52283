"""Where rows go: Parquet parts, each there whole or not at all, and a manifest of those that are done."""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webtongue.census.config import Config
from webtongue.census.rows import Batch
from webtongue.census.schema import links_schema, rows_schema
from webtongue.errors import UsageError

__all__ = ["LINKS", "MANIFEST", "ROWS", "Manifest", "Part", "PartWriter", "part_name", "replacing", "writer"]

ROWS, LINKS, MANIFEST = "rows", "links", "manifest.jsonl"
UNFINISHED = ".unfinished"
PARTS = "part-*.parquet"
# Dictionaries are for what comes again; addresses, digests and readings do not.
PACKING = {"compression": "zstd", "compression_level": 1}
ONCE = frozenset(
    {"url", "content_digest", "problem_detail", "reading", "text", "warc_record_offset", "warc_record_length", "anchor"}
)
NESTED = ("languages.list.element.label", "likeliest.list.element.label")  # names, within lists
PART = {"part", "rows", "size", "counts", "problems"}  # what a line of the manifest says of one
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
    unfinished = path.with_name(f"{path.name}.{os.getpid()}{UNFINISHED}")
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


class Manifest:
    """What is done, a line of JSON for each part, written when the part is there. The first line says what the census is of."""

    def __init__(self, out: Path) -> None:
        self.path = out / MANIFEST
        self.parts: dict[int, Part] = {}
        self.settled: set[int] = set()

    def begin(self, head: Mapping[str, Any], resume: bool) -> None:
        """A new one, or the one that is there, if it is of the same census."""
        out = self.path.parent
        if not self.path.exists():
            if any((out / ROWS).glob(PARTS)):  # it is there before they are
                raise UsageError(f"{out} holds rows, but its {MANIFEST} is lost: choose another folder")
            self._add({"census": dict(head)})
            return
        if not resume:
            raise UsageError(
                f"{self.path.parent} holds a census already: go on with --resume, or choose another folder"
            )
        lines = list(self._lines())
        if lines and lines[0].get("census") != dict(head):
            raise UsageError(
                f"{self.path.parent} was begun with other inputs or settings: resume with those, or choose another folder"
            )
        if not lines:  # it ended before its first line was written
            self._add({"census": dict(head)})
        for line in lines[1:]:
            if "part" in line:
                part = Part(line["part"], line["rows"], line["size"], line["counts"], line["problems"])
                self.parts[part.number] = part
                self.settled.discard(part.number)  # it was lost, and made once more
            elif "settled" in line:
                self.settled.add(line["settled"])
        for part in list(self.parts.values()):
            if not _is_whole(self.path.parent / ROWS / part_name(part.number), part.rows):
                del self.parts[part.number]  # deleted or damaged since: it is made once more
                self.settled.discard(part.number)

    def sweep(self) -> None:
        """Away with files that are of none of its parts: of one that was not done, or of a census whose manifest was cut."""
        listed = {part_name(number) for number in self.parts}
        for folder in (ROWS, LINKS):
            for file in (self.path.parent / folder).glob(PARTS):
                if file.name not in listed and file.is_file():
                    file.unlink()

    def done(self, part: Part) -> None:
        """A part is there."""
        self.parts[part.number] = part
        said = {"rows": part.rows, "size": part.size, "counts": dict(part.counts), "problems": dict(part.problems)}
        self._add({"part": part.number, **said})

    def was_settled(self, number: int) -> None:
        """A part was judged a second time."""
        self.settled.add(number)
        self._add({"settled": number})

    def _add(self, line: Mapping[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _lines(self) -> Iterator[dict[str, Any]]:
        """Lines that are whole: the last may have been cut when the machine stopped, and what it said is then done again."""
        text = self.path.read_text("utf-8", "replace")
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            with replacing(self.path) as path:
                path.write_text(whole, "utf-8")
        for line in whole.splitlines():
            try:
                found = json.loads(line)
            except ValueError:
                found = None
            if not isinstance(found, dict) or ("part" in found and not found.keys() >= PART):
                raise UsageError(f"{self.path} is damaged: choose another folder")
            yield found


def _is_whole(path: Path, rows: int) -> bool:
    """Whether a part is there and has its rows, as far as its end tells: one that was cut has none."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return bool(pq.read_metadata(path).num_rows == rows)
    except (OSError, pa.ArrowException):
        return False
