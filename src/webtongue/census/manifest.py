"""The progress of a census: finished, identified again, and merged parts. A killed run is resumed from it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any

from webtongue.census.folder import MANIFEST
from webtongue.census.sink import LINKS, PART_PATTERN, ROWS, Part, atomic_write, part_filename
from webtongue.errors import UsageError

__all__ = ["Manifest", "SecondPassCounts"]


@dataclass(frozen=True, slots=True)
class SecondPassCounts:
    """Pages of the second pass, and of these: with another label, with a language for the first time, and reliable now."""

    pages: int = 0
    changed: int = 0
    named: int = 0
    reliable: int = 0

    def __add__(self, other: SecondPassCounts) -> SecondPassCounts:
        return SecondPassCounts(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


class Manifest:
    """A JSON Lines file. The first line describes the census; a line follows for each part, written when the part exists."""

    def __init__(self, out: Path) -> None:
        self.path = out / MANIFEST
        self.parts: dict[int, Part] = {}
        self.second_pass: dict[int, SecondPassCounts] = {}
        self.merged: dict[int, tuple[int, ...]] = {}  # merged parts, by the first of them, whose file they are in

    def open(self, description: Mapping[str, Any], resume: bool) -> None:
        """Create the manifest, or read the existing one if it is of the same census."""
        out = self.path.parent
        if not self.path.exists():
            if any((out / ROWS).glob(PART_PATTERN)):  # the manifest is created before the first part
                raise UsageError(f"{out} has rows, but its {MANIFEST} is missing: choose another folder")
            self._add({"census": dict(description)})
            return
        if not resume:
            raise UsageError(f"{out} already has a census: continue it with --resume, or choose another folder")
        lines = list(self._read_lines())
        if lines and lines[0].get("census") != dict(description):
            raise UsageError(
                f"{out} was started with other inputs or settings, or a file has changed since: "
                "resume with the same ones, or choose another folder"
            )
        if not lines:  # the run ended before it wrote the first line
            self._add({"census": dict(description)})
        for line in lines[1:]:
            self._apply(line)
        self._check_files()

    def _apply(self, line: Mapping[str, Any]) -> None:
        if "part" in line:
            part = Part(line["part"], line["rows"], line["size"], line["counts"], line["problems"])
            self.parts[part.number] = part
            self.second_pass.pop(part.number, None)  # the part was lost and written again
            self.merged = {first: group for first, group in self.merged.items() if part.number not in group}
        elif "second_pass" in line:
            counts = {name: line.get(name, 0) for name in SecondPassCounts.__dataclass_fields__}
            self.second_pass[line["second_pass"]] = SecondPassCounts(**counts)
        elif "merged" in line:
            self.merged[line["merged"][0]] = tuple(line["merged"])

    def _check_files(self) -> None:
        """Forget merges that did not happen, and parts that were deleted or damaged since: they are written again."""
        for first, group in list(self.merged.items()):
            if not self._has_rows(first, group):
                del self.merged[first]
        merged = self.merged_parts
        for number in [number for number in self.parts if number not in merged]:
            if not self._has_rows(number, (number,)):
                del self.parts[number]
                self.second_pass.pop(number, None)

    def _has_rows(self, number: int, group: Sequence[int]) -> bool:
        """Return True if the file of a part has the rows of a group of parts."""
        if not all(member in self.parts for member in group):
            return False
        path = self.path.parent / ROWS / part_filename(number)
        return _count_rows(path) == sum(self.parts[member].rows for member in group)

    @property
    def merged_parts(self) -> set[int]:
        """All parts that lie in merged files."""
        return {number for group in self.merged.values() for number in group}

    def delete_unlisted(self) -> None:
        """Delete the files of unfinished parts, and those of a census whose manifest was cut."""
        links = {part_filename(number) for number in self.parts}
        rows = links - {part_filename(number) for number in self.merged_parts - set(self.merged)}
        for folder, listed in ((ROWS, rows), (LINKS, links)):
            for file in (self.path.parent / folder).glob(PART_PATTERN):
                if file.name not in listed and file.is_file():
                    file.unlink()

    def add_part(self, part: Part) -> None:
        """Record a finished part."""
        self.parts[part.number] = part
        counts = {"counts": dict(part.counts), "problems": dict(part.problems)}
        self._add({"part": part.number, "rows": part.rows, "size": part.size, **counts})

    def add_second_pass(self, number: int, counts: SecondPassCounts) -> None:
        """Record that the pages of a part were identified again."""
        self.second_pass[number] = counts
        self._add({"second_pass": number, **asdict(counts)})

    def begin_merge(self, group: Sequence[int]) -> None:
        """Record a merge before it starts; the number of rows in the file shows whether it was completed."""
        self._add({"merged": list(group)})

    def finish_merge(self, group: Sequence[int]) -> None:
        """Delete the files of parts that were merged into the file of the first of them."""
        self.merged[group[0]] = tuple(group)
        for number in group[1:]:
            (self.path.parent / ROWS / part_filename(number)).unlink(missing_ok=True)

    def _add(self, line: Mapping[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _read_lines(self) -> Iterator[dict[str, Any]]:
        """Read the complete lines. The last one may be cut, if the machine stopped; its work is then done again."""
        text = self.path.read_text("utf-8", "replace")
        complete = text[: text.rfind("\n") + 1]
        if complete != text:
            with atomic_write(self.path) as path:
                path.write_text(complete, "utf-8")
        for line in complete.splitlines():
            try:
                entry = json.loads(line)
            except (ValueError, RecursionError):
                entry = None
            if not isinstance(entry, dict) or not _is_valid(entry):
                raise UsageError(f"{self.path} is damaged: choose another folder")
            yield entry


def _is_valid(line: Mapping[str, Any]) -> bool:
    """Return True if a line has the fields of its kind. Part numbers become file names, so they must be numbers."""
    if "part" in line:
        counts = [line.get(name) for name in ("counts", "problems")]
        return _are_counts([line.get(name) for name in ("part", "rows", "size")]) and all(
            isinstance(count, dict) and _are_counts(count.values()) for count in counts
        )
    if "second_pass" in line:
        counts = [line.get(name, 0) for name in SecondPassCounts.__dataclass_fields__]
        return _are_counts([line["second_pass"], *counts])
    if "merged" in line:
        return isinstance(line["merged"], list) and bool(line["merged"]) and _are_counts(line["merged"])
    return True


def _are_counts(values: Iterable[Any]) -> bool:
    return all(type(value) is int and value >= 0 for value in values)


def _count_rows(path: Path) -> int:
    """Return the number of rows of a part by its metadata, which is at the end of the file; -1 for a missing or damaged part."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if path.is_symlink():  # a census may come from someone else, and its parts must lie in its own folder
        return -1
    try:
        return int(pq.read_metadata(path).num_rows)
    except (OSError, pa.ArrowException):
        return -1
