"""What of a census is done: its parts, and which of them were settled and put together. A run that was killed goes on by it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any

from webtongue.census.sink import LINKS, PARTS, ROWS, Part, part_name, replacing
from webtongue.errors import UsageError

__all__ = ["MANIFEST", "Manifest", "Settled"]

MANIFEST = "manifest.jsonl"
PART = {"part", "rows", "size", "counts", "problems"}  # what a line of the manifest says of one


@dataclass(frozen=True, slots=True)
class Settled:
    """Pages that were looked at again, and of these: with another label, with one where they had none, and reliable now."""

    pages: int = 0
    changed: int = 0
    named: int = 0
    reliable: int = 0

    def __add__(self, other: Settled) -> Settled:
        return Settled(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


class Manifest:
    """A line of JSON for each part, written when the part is there. The first line says what the census is of."""

    def __init__(self, out: Path) -> None:
        self.path = out / MANIFEST
        self.parts: dict[int, Part] = {}
        self.settled: dict[int, Settled] = {}
        self.merged: dict[int, tuple[int, ...]] = {}  # parts that lie in the file of the first of them

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
            self._read(line)
        self._prove()

    def _read(self, line: Mapping[str, Any]) -> None:
        if "part" in line:
            part = Part(line["part"], line["rows"], line["size"], line["counts"], line["problems"])
            self.parts[part.number] = part
            self.settled.pop(part.number, None)  # it was lost, and made once more
            self.merged = {first: group for first, group in self.merged.items() if part.number not in group}
        elif "settled" in line:
            self.settled[line["settled"]] = Settled(
                **{name: line.get(name, 0) for name in Settled.__dataclass_fields__}
            )
        elif "merged" in line:
            self.merged[line["merged"][0]] = tuple(line["merged"])

    def _prove(self) -> None:
        """What lies there is what the lines say. A part that was deleted or damaged since is made once more."""
        for first, group in list(self.merged.items()):
            if not self._is_whole(first, group):
                del self.merged[first]  # it was to be, but the run ended before
        inside = self._inside()
        for number in [number for number in self.parts if number not in inside]:
            if not self._is_whole(number, (number,)):
                del self.parts[number]
                self.settled.pop(number, None)

    def _is_whole(self, number: int, group: Iterable[int]) -> bool:
        """Whether a file has the rows of these parts."""
        if not all(one in self.parts for one in group):
            return False
        return _is_whole(self.path.parent / ROWS / part_name(number), sum(self.parts[one].rows for one in group))

    def _inside(self) -> set[int]:
        """Parts that lie in files put together."""
        return {number for group in self.merged.values() for number in group}

    def sweep(self) -> None:
        """Away with files that are of none of its parts: of one that was not done, or of a census whose manifest was cut."""
        links = {part_name(number) for number in self.parts}
        rows = links - {part_name(number) for number in self._inside() - set(self.merged)}
        for folder, listed in ((ROWS, rows), (LINKS, links)):
            for file in (self.path.parent / folder).glob(PARTS):
                if file.name not in listed and file.is_file():
                    file.unlink()

    def done(self, part: Part) -> None:
        """A part is there."""
        self.parts[part.number] = part
        said = {"rows": part.rows, "size": part.size, "counts": dict(part.counts), "problems": dict(part.problems)}
        self._add({"part": part.number, **said})

    def was_settled(self, number: int, found: Settled) -> None:
        """A part was judged a second time."""
        self.settled[number] = found
        self._add({"settled": number, **asdict(found)})

    def will_merge(self, group: Sequence[int]) -> None:
        """Parts will lie in the file of the first of them. This is said before: whether it came to that, the file's rows tell."""
        self._add({"merged": list(group)})

    def was_merged(self, group: Sequence[int]) -> None:
        """They do, and their own files go."""
        self.merged[group[0]] = tuple(group)
        for number in group[1:]:
            (self.path.parent / ROWS / part_name(number)).unlink(missing_ok=True)

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
