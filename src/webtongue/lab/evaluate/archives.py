"""Read test sets of files: ``*.tar.xz`` with an ``index.jsonl`` and a folder ``files``."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path
from typing import Any

__all__ = ["read_archive"]


def read_archive(path: Path) -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    """Return the files of a set by path, and the rows of its index."""
    files: dict[str, bytes] = {}
    rows: list[dict[str, Any]] = []
    with tarfile.open(fileobj=io.BytesIO(path.read_bytes()), mode="r:xz") as tar:
        for member in tar:
            if not member.isfile():
                continue
            handle = tar.extractfile(member)
            data = handle.read() if handle else b""
            name = member.name.removeprefix("./")
            if name.endswith("index.jsonl"):
                rows = [json.loads(line) for line in data.decode().splitlines()]
            if "files/" in name:
                files["files/" + name.partition("files/")[2]] = data
    return files, rows
