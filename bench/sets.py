"""Where the benchmarks take their pages from: the data folder, which is not part of the project."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webtongue.evaluate.archives import archive

DEFAULT = "../shared/data"


@dataclass(frozen=True, slots=True)
class Item:
    """A file of a set, with its row of the set's index."""

    name: str
    raw: bytes
    row: dict[str, Any]


def arguments(description: str) -> argparse.ArgumentParser:
    """A parser with the option that all benchmarks have."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", default=DEFAULT, help=f"the data folder (default {DEFAULT})")
    return parser


def need(folder: Path) -> Path:
    """The folder, or a clear word that it is not there."""
    if not folder.is_dir():
        sys.exit(f"{folder} is missing: benchmarks need the data folder, given by --data")
    return folder


def html_pages(data: str) -> Iterator[Item]:
    """Every page of dev/html."""
    for path in sorted(need(Path(data) / "dev" / "html").glob("*.tar.xz")):
        files, rows = archive(path)
        known = {row.get("path"): row for row in rows}
        for name, raw in sorted(files.items()):
            yield Item(f"{path.name.removesuffix('.tar.xz')}/{name.removeprefix('files/')}", raw, known.get(name, {}))
