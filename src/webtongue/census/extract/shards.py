"""Write rows to shards while a run goes on, so that a killed run continues at its last commit.

Rows of a stream (a label, or all rows of a single file) are collected up to a commit, and then written to a segment. A shard that
has reached its size is joined from its segments. A commit is one file, the manifest, which names the segments of open shards, the
finished shards and the position in the inputs; it is replaced as a whole. Files that it does not name are of no account.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from webtongue.census.extract.formats import FORMATS, join_files, write_rows
from webtongue.census.extract.rows import LISTS, ExtractCounts, ExtractedText
from webtongue.census.folder import EXTRACT_MANIFEST
from webtongue.census.storage import Storage
from webtongue.errors import UsageError

__all__ = ["PART_PREFIX", "Layout", "Progress", "Shard", "ShardWriter", "read_progress", "to_json_line"]

MAX_SEGMENTS = 32  # an open shard with more segments joins them
STATE = "duplicates.state"
PART_PREFIX = "part-"  # prefix of the files that workers write


@dataclass(frozen=True, slots=True)
class Layout:
    """The names of the files of an extraction in its storage: a folder with shards for each label, or one file."""

    form: str
    file: str = ""  # the name of the file, empty for a folder

    @property
    def work(self) -> str:
        """The folder of unfinished files."""
        return f".{self.file}.extract" if self.file else ".work"

    @property
    def manifest(self) -> str:
        """The manifest: in the folder of the result or, for a single file, in that of its unfinished files."""
        return f"{self.work}/{EXTRACT_MANIFEST}" if self.file else EXTRACT_MANIFEST

    def stream(self, label: str) -> str:
        """Return the stream of a row."""
        return "" if self.file else label

    def shard(self, stream: str, number: int) -> str:
        """Return the name of a shard."""
        return self.file or f"{stream}/part-{number:05}.{self.form}"


@dataclass(slots=True)
class Shard:
    """A file of the result: its name, rows, and uncompressed bytes; while it is open, the segments with its rows."""

    name: str
    rows: int = 0
    bytes: int = 0
    segments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Progress:
    """What a manifest records. ``item`` and ``row`` are the position after the last row that is written."""

    description: dict[str, Any]
    item: int = 0
    row: int = 0
    commits: int = 0
    counts: dict[str, Any] = field(default_factory=dict)
    shards: list[Shard] = field(default_factory=list)  # complete; those with segments are not joined yet
    open: dict[str, Shard] = field(default_factory=dict)  # by stream
    state: str = ""  # file with the state of deduplication
    finished: bool = False

    def to_json(self) -> bytes:
        """Return the manifest."""
        return (json.dumps({"extract": asdict(self)}, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def read_progress(storage: Storage, layout: Layout) -> Progress | None:
    """Return the progress of an earlier run, None if there is none; raise UsageError if its manifest is damaged."""
    data = storage.read(layout.manifest)
    if data is None:
        return None
    try:
        values = json.loads(data)["extract"]
        shards = [Shard(**shard) for shard in values.pop("shards")]
        streams = {name: Shard(**shard) for name, shard in values.pop("open").items()}
        progress = Progress(**values, shards=shards, open=streams)
        _check_progress(progress, layout)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(
            f"{storage.url}/{layout.manifest} is not the manifest of an extraction ({error}): use another folder"
        ) from None
    return progress


def _check_progress(progress: Progress, layout: Layout) -> None:
    """Raise ValueError or TypeError if a manifest has wrong types, or names files that this module does not write."""
    shards = (*progress.shards, *progress.open.values())
    numbers = [
        progress.item,
        progress.row,
        progress.commits,
        *(n for shard in shards for n in (shard.rows, shard.bytes)),
    ]
    counts = {name: count for name, count in progress.counts.items() if name not in LISTS}
    known = ExtractCounts(**progress.counts)
    if not all(isinstance(number, int) and number >= 0 for number in (*numbers, *counts.values())):
        raise ValueError("a number is not one")
    if not all(
        isinstance(label, str) and [type(count) for count in pair] == [int, int]
        for label, pair in known.languages.items()
    ):
        raise ValueError("a count is not one")
    if not isinstance(known.unread, list) or not all(
        [type(text) for text in pair] == [str, str] for pair in known.unread
    ):
        raise ValueError("an input that was not read has no name")
    if not isinstance(progress.description, dict) or not isinstance(progress.finished, bool):
        raise ValueError("the settings are missing")
    form = "|".join(map(re.escape, FORMATS))
    shard_name = re.compile(re.escape(layout.file) if layout.file else rf"[^/.][^/]*/part-\d{{5,9}}\.({form})")
    work_name = re.compile(rf"{re.escape(layout.work)}/((segment|joined)-\d{{6,9}}-[^/]+|\d{{6,9}}-{re.escape(STATE)})")
    if not all(shard_name.fullmatch(shard.name) for shard in shards):
        raise ValueError("a name is not that of a shard")
    names = [
        *(name for shard in shards for name in shard.segments),
        *([] if progress.state == "" else [progress.state]),
    ]
    if not all(work_name.fullmatch(name) for name in names):
        raise ValueError("a name is not that of an unfinished file")


def to_json_line(row: ExtractedText) -> bytes:
    """Return a row as a line of JSON in UTF-8, with lone surrogates of URLs and file names replaced by question marks."""
    return json.dumps(row.to_dict(), ensure_ascii=False).encode("utf-8", "replace") + b"\n"


class ShardWriter:
    """Collects rows and writes them at commits."""

    def __init__(self, storage: Storage, layout: Layout, progress: Progress, shard_bytes: int) -> None:
        self._storage, self._layout, self.progress = storage, layout, progress
        self._shard_bytes = sys.maxsize if layout.file else shard_bytes
        self.pending_bytes = 0
        self._pending: dict[str, list[bytes]] = {}
        self._replaced: list[str] = []  # files that are deleted after the next commit

    def add(self, row: ExtractedText) -> None:
        """Add a row to its stream."""
        line = to_json_line(row)
        self._pending.setdefault(self._layout.stream(row.label), []).append(line)
        self.pending_bytes += len(line)

    def commit(
        self, item: int, row: int, counts: ExtractCounts, state: Iterable[bytes], finished: bool = False
    ) -> None:
        """Write the pending rows and the manifest; then join the shards that are complete."""
        progress = self.progress
        progress.commits += 1
        for stream in sorted(self._pending):
            self._write_stream(stream, self._pending[stream])
        self._pending, self.pending_bytes = {}, 0
        if finished:
            progress.shards += [progress.open.pop(stream) for stream in sorted(progress.open)]
        progress.item, progress.row = item, row
        progress.counts = asdict(counts)
        self._replaced.append(progress.state)
        progress.state = "" if finished else self._write_state(state)
        self._storage.write(self._layout.manifest, progress.to_json())
        self.join_shards()
        if finished:
            progress.shards.sort(key=lambda shard: shard.name)
            progress.finished = True
            self._storage.write(self._layout.manifest, progress.to_json())
        for name in filter(None, self._replaced):
            self._storage.delete(name)
        self._replaced = []

    def join_shards(self) -> None:
        """Join the segments of complete shards; what an interrupted run has joined already is not joined again."""
        for shard in self.progress.shards:
            if not shard.segments:
                continue
            if not self._storage.exists(shard.name):
                path = self._scratch_file(shard.name)
                self._join(shard.segments, path)
                self._storage.publish(path, shard.name)
            self._replaced += shard.segments
            shard.segments = []

    def _write_stream(self, stream: str, lines: list[bytes]) -> None:
        """Write rows to segments of the open shard of a stream; a new shard starts when one is full."""
        progress = self.progress
        start = 0
        while start < len(lines):
            shard = progress.open.get(stream)
            if shard is None:
                shard = progress.open[stream] = Shard(self._next_name(stream))
            stop = start
            while stop < len(lines) and (shard.bytes < self._shard_bytes or stop == start):
                shard.bytes += len(lines[stop])
                stop += 1
            shard.rows += stop - start
            name = f"{self._layout.work}/segment-{progress.commits:06}-{shard.name.replace('/', '-')}"
            path = self._scratch_file(name)
            write_rows(path, self._layout.form, lines[start:stop])
            self._storage.publish(path, name)
            shard.segments.append(name)
            if shard.bytes >= self._shard_bytes:
                progress.shards.append(progress.open.pop(stream))
            elif len(shard.segments) > MAX_SEGMENTS:
                self._compact(shard)
            start = stop

    def _next_name(self, stream: str) -> str:
        count = sum(1 for shard in self.progress.shards if shard.name.startswith(f"{stream}/"))
        return self._layout.shard(stream, count)

    def _compact(self, shard: Shard) -> None:
        """Join the segments of an open shard to one."""
        name = f"{self._layout.work}/joined-{self.progress.commits:06}-{shard.name.replace('/', '-')}"
        path = self._scratch_file(name)
        self._join(shard.segments, path)
        self._storage.publish(path, name)
        self._replaced += shard.segments
        shard.segments = [name]

    def _join(self, segments: list[str], out: Path) -> None:
        sources = [self._storage.fetch(name) for name in segments]
        join_files(sources, out, self._layout.form)

    def _write_state(self, state: Iterable[bytes]) -> str:
        name = f"{self._layout.work}/{self.progress.commits:06}-{STATE}"
        path = self._scratch_file(name)
        with path.open("wb") as file:
            file.writelines(state)
        self._storage.publish(path, name)
        return name

    def _scratch_file(self, name: str) -> Path:
        return self._storage.scratch / f"new-{name.replace('/', '-')}"

    def read_state(self) -> Iterator[bytes]:
        """Yield the state of deduplication at the last commit."""
        with self._storage.fetch(self.progress.state).open("rb") as file:
            while chunk := file.read(1 << 20):
                yield chunk

    def delete_unlisted(self) -> None:
        """Delete files of commits that did not happen."""
        progress = self.progress
        listed = {
            progress.state,
            *(name for shard in (*progress.shards, *progress.open.values()) for name in shard.segments),
        }
        work = self._layout.work
        kept = (f"{work}/{PART_PREFIX}", f"{work}/.lock", self._layout.manifest)
        for name in self._storage.names(work):
            if name not in listed and not name.startswith(kept):
                self._storage.delete(name)
