"""JSON Lines from untrusted files: lines of bounded length, and a reason for each line that is not an object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from webtongue.census.read.decompress import DecompressedBuffer
from webtongue.page_list import BOM, json_object

__all__ = ["Line", "read_lines"]


@dataclass(frozen=True, slots=True)
class Line:
    """A JSON object and its position; ``trouble`` is why the line cannot be used."""

    offset: int  # offset of the first byte in the decompressed file
    keys: Mapping[str, Any] = field(default_factory=dict)
    trouble: str = ""


def read_lines(buffer: DecompressedBuffer, max_bytes: int) -> Iterator[Line]:
    """Read all lines that are not empty. The content of a line of more than ``max_bytes`` is skipped."""
    offset, searched, dropped, is_too_long = 0, 0, 0, False
    while True:
        end = buffer.data.find(b"\n", searched)
        if end < 0 and len(buffer.data) > max_bytes:
            is_too_long = True
            dropped += len(buffer.data)
            buffer.drop(len(buffer.data))
        if end < 0:
            searched = len(buffer.data)
            if buffer.fill(searched + 1):
                continue
            end = len(buffer.data) - 1
            if end < 0 and not is_too_long:
                return
        if is_too_long:
            yield Line(offset, trouble=f"a line of more than {max_bytes >> 20:,} MB")
        elif line := buffer.copy(0, end + 1).removeprefix(BOM if not offset else b"").strip():
            yield Line(offset, *json_object(line))
        offset, searched, dropped, is_too_long = offset + dropped + end + 1, 0, 0, False
        buffer.drop(end + 1)
