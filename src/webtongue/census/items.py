"""Work items: what one worker reads at a time, and what the seam to other engines is made of."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Source", "WorkItem"]


@dataclass(frozen=True, slots=True)
class Source:
    """One input: a file or a range of it, here or at any address that fsspec knows.

    ``kind`` is a reader: warc (WET too), arc, wacz, jsonl, parquet, page, folder, stdin. ``name`` is what rows call it.
    """

    path: str
    kind: str
    name: str = ""
    size: int = 0  # bytes, 0 where it is not known
    begin: int = 0
    end: int = 0  # a record that begins before it is read to its own end; 0: the whole


@dataclass(frozen=True, slots=True)
class WorkItem:
    """Sources that are read one after the other and make one part of the census, which is there whole or not at all."""

    number: int
    sources: tuple[Source, ...]

    @property
    def size(self) -> int:
        """Bytes, as far as they are known."""
        return sum(source.size if not source.end else source.end - source.begin for source in self.sources)
