"""Where the command line takes pages from: files, folders, standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webtongue.errors import UsageError
from webtongue.page import Page

__all__ = ["Named", "pages"]

INDEX = "index.jsonl"  # in a folder: a line for each file, {"file": ..., "url": ..., "headers": {...}, "ip": ...}


@dataclass(frozen=True, slots=True)
class Named:
    """A page and what to call it."""

    name: str
    page: Page


def pages(paths: list[str], url: str | None = None, headers: dict[str, str] | None = None) -> Iterator[Named]:
    """Pages of the files, of the folders (all files below them, sorted), and of standard input (``-``)."""
    for path in paths:
        if path == "-":
            yield Named("-", Page(sys.stdin.buffer.read(), url, headers or {}))
        elif Path(path).is_dir():
            yield from _folder(Path(path), url, headers or {})
        elif Path(path).exists():
            yield Named(path, Page(Path(path).read_bytes(), url, headers or {}))
        else:
            raise UsageError(f"no such file or folder: {path}")


def _folder(folder: Path, url: str | None, headers: dict[str, str]) -> Iterator[Named]:
    known = _index(folder / INDEX)
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and p != folder / INDEX):
        name = path.relative_to(folder).as_posix()
        row = known.get(name, {})
        known_headers = headers or row.get("headers") or {}
        yield Named(name, Page(path.read_bytes(), url or row.get("url"), known_headers, row.get("ip")))


def _index(path: Path) -> dict[str, dict[str, Any]]:
    """Rows of a folder's index by file; ``path`` is accepted for ``file``."""
    if not path.is_file():
        return {}
    rows = (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())
    return {str(row.get("file") or row.get("path")): row for row in rows}
