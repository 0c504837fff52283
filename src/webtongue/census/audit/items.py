"""The pages that people judge, kept in ``OUT/audit/items.jsonl`` with their text and evidence."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from webtongue.census.sink import atomic_write
from webtongue.errors import UsageError
from webtongue.files import open_regular_file

__all__ = ["AUDIT", "MAX_FILE_BYTES", "Item", "read_items", "write_items"]

AUDIT, ITEMS = "audit", "items.jsonl"
MAX_FILE_BYTES = 1 << 28


@dataclass(frozen=True, slots=True)
class Item:
    """A page to judge: the answer of the census, what it is based on, and what the page stands for."""

    id: str
    draw: str  # the settings that it was drawn with
    label: str
    stratum: str
    weight: float  # the pages of its label that it stands for
    url: str
    country: str
    confidence: float
    reliable: bool
    declared: str
    encoding: str
    evidence: tuple[tuple[str, float], ...]  # sources with their bits for the answer, the strongest first
    text: str
    problem: str = ""  # why there is no text


def read_items(out: Path) -> list[Item]:
    """Return the drawn items of a census; raise UsageError if the file is damaged."""
    path = out / AUDIT / ITEMS
    if not path.exists():
        return []
    if path.is_symlink() or path.parent.is_symlink():
        raise UsageError(f"{path} is a symbolic link: all files of a census must lie in its own folder")
    try:
        with open_regular_file(str(path)) as file:
            rows = [json.loads(line) for line in file.read(MAX_FILE_BYTES).splitlines()]
        return [Item(**row | {"evidence": tuple(map(tuple, row["evidence"]))}) for row in rows]
    except (TypeError, ValueError, KeyError, RecursionError):
        raise UsageError(f"{path} is damaged: delete the folder {AUDIT} and draw a new sample") from None


def write_items(out: Path, items: Sequence[Item]) -> None:
    """Write all items of a census."""
    folder = out / AUDIT
    if folder.is_symlink():
        raise UsageError(f"{folder} is a symbolic link: all files of a census must lie in its own folder")
    lines = [(json.dumps(asdict(item), ensure_ascii=False) + "\n").encode("utf-8", "replace") for item in items]
    if sum(map(len, lines)) > MAX_FILE_BYTES:
        raise UsageError(f"the sample has more than {MAX_FILE_BYTES:,} bytes of text: draw fewer pages with --count")
    folder.mkdir(exist_ok=True)
    with atomic_write(folder / ITEMS) as path:
        path.write_bytes(b"".join(lines))
