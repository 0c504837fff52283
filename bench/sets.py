"""Readers of the data folder, which is not part of the project."""

from __future__ import annotations

import json
import lzma
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webtongue import labels
from webtongue.lab.evaluate.archives import read_archive

__all__ = [
    "Item",
    "encoding_archives",
    "html_pages",
    "read_archive",
    "read_rows",
    "require_folder",
    "sentences_by_label",
]


@dataclass(frozen=True, slots=True)
class Item:
    """A file of a set, with its row of the set's index."""

    name: str
    raw: bytes
    row: dict[str, Any]

    @property
    def set(self) -> str:
        """The name of the set that the file is in."""
        return self.name.partition("/")[0]


def require_folder(folder: Path) -> Path:
    """Return the folder, or exit with a message if it is missing."""
    if not folder.is_dir():
        sys.exit(
            f"{folder} is missing: name the data folder with --data; docs/reproduce.md says where its parts come from"
        )
    return folder


def html_pages(data: Path | str) -> Iterator[Item]:
    """Yield all pages of dev/html."""
    for path in sorted(require_folder(Path(data) / "dev" / "html").glob("*.tar.xz")):
        files, rows = read_archive(path)
        row_by_path = {row.get("path"): row for row in rows}
        for name, raw in sorted(files.items()):
            item_name = f"{path.name.removesuffix('.tar.xz')}/{name.removeprefix('files/')}"
            yield Item(item_name, raw, row_by_path.get(name, {}))


def encoding_archives(data: Path | str) -> list[Path]:
    """Return the archives of dev/encoding."""
    return sorted(require_folder(Path(data) / "dev" / "encoding").glob("*.tar.xz"))


def read_rows(data: Path | str, name: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a set of dev/text."""
    path = require_folder(Path(data) / "dev" / "text") / f"{name}.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def sentences_by_label(data: Path | str, name: str, *, is_folded: bool = False) -> dict[str, list[str]]:
    """Return the texts of a set of dev/text by label; with ``is_folded`` by our labels instead of the set's."""
    texts: dict[str, list[str]] = defaultdict(list)
    for row in read_rows(data, name):
        label = row["label"] or ""
        texts[str(labels.fold(label)) if is_folded and label else label].append(row["text"])
    return dict(texts)
