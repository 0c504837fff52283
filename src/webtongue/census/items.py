"""Work items: what a worker reads at a time, and what engines distribute."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

__all__ = ["Source", "WorkItem", "hash_items"]


@dataclass(frozen=True, slots=True)
class Source:
    """An input: a local or remote file, or a range of it.

    ``kind`` selects the reader: warc (also WET), arc, wacz, jsonl, parquet, page, folder, stdin. ``name`` is the name in rows.
    """

    path: str
    kind: str
    name: str = ""
    size: int = 0  # bytes, 0 if unknown
    begin: int = 0
    end: int = 0  # the last record that starts before it is read to its own end; 0 for the whole file
    version: str = ""  # changes with the file, as far as the file system tells; empty if unknown


@dataclass(frozen=True, slots=True)
class WorkItem:
    """Sources that are read one after the other and become one part of the census, which is complete or absent."""

    number: int
    sources: tuple[Source, ...]

    @property
    def size(self) -> int:
        """The number of bytes, as far as it is known."""
        return sum(source.size if not source.end else source.end - source.begin for source in self.sources)

    @property
    def reads_stdin(self) -> bool:
        """Whether one of the sources is standard input."""
        return any(source.kind == "stdin" for source in self.sources)


def hash_items(items: Sequence[WorkItem]) -> str:
    """Return a hash of work items, by which a resumed run recognises its inputs."""
    inputs = json.dumps([asdict(item) for item in items])
    return hashlib.blake2b(inputs.encode("utf-8", "replace"), digest_size=16).hexdigest()
