"""The folder of a census on disk. It may come from someone else, so links out of it are not followed and nothing is executed."""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from webtongue.census.sink import PART_PATTERN, ROWS
from webtongue.errors import UsageError
from webtongue.files import open_regular_file

__all__ = [
    "ABOUT", "EXTRACT_PARTS", "MANIFEST", "census_folder", "is_journal", "is_own_output", "part_files", "read_about",
    "refuse_links",
]  # fmt: skip

ABOUT = "census.json"
MANIFEST = "manifest.jsonl"
MANIFEST_START = b'{"census"'
MAX_ABOUT_BYTES = 1 << 24  # a census writes a few kB
EXTRACT_PARTS = ".webtongue-extract-"  # prefix of the temporary folders of extractions
JOURNAL_SUFFIXES = (
    ".journal",
    ".journal-wal",
    ".journal-shm",
    ".journal-journal",
)  # of the files that a crawl writes beside its archive


def census_folder(out: Path) -> Path:
    """Return the folder of a census as an absolute path; raise UsageError for a folder without rows."""
    out = Path(out).resolve()
    refuse_links(out, ROWS)
    if not (out / ROWS).is_dir():
        raise UsageError(f"{out} is not a census: it has no folder 'rows'; create one with webtongue census")
    return out


def part_files(out: Path, name: str) -> list[Path]:
    """Return the Parquet parts below ``out/name``, sorted; raise UsageError for a part that is not a file of this folder."""
    refuse_links(out, name)
    try:
        with os.scandir(out / name) as entries:
            parts = sorted(
                (entry.name, entry.is_file(follow_symlinks=False))
                for entry in entries
                if fnmatchcase(entry.name, PART_PATTERN)
            )
    except FileNotFoundError:
        return []
    for part, is_file in parts:
        if not is_file:
            raise UsageError(f"{out / name / part} is not a file of the census but a link, a folder or a device")
    return [out / name / part for part, _ in parts]


def refuse_links(out: Path, *names: str) -> None:
    """Raise UsageError if one of these entries of the folder is a symbolic link."""
    for name in names:
        if (out / name).is_symlink():
            raise UsageError(f"{out / name} is a symbolic link: all files of a census must lie in its own folder")


def read_about(out: Path) -> dict[str, Any]:
    """Return the description of a census, empty if it was not finished; raise ValueError if the file is damaged."""
    if (out / ABOUT).is_symlink():
        raise ValueError(f"{out / ABOUT} is a link")
    try:
        with open_regular_file(str(out / ABOUT)) as file:
            about = json.loads(file.read(MAX_ABOUT_BYTES))
    except FileNotFoundError:
        return {}
    except (OSError, RecursionError) as error:
        raise ValueError(str(error)) from None
    if not isinstance(about, dict):
        raise ValueError("not a JSON object")
    return about


def is_own_output(path: str, names: Collection[str]) -> bool:
    """Return True if the folder at ``path`` with these entries is a census, a crawl or a temporary folder of an extraction."""
    if os.path.basename(path).startswith(EXTRACT_PARTS):
        return True
    if MANIFEST in names and ROWS in names:
        try:
            with open_regular_file(os.path.join(path, MANIFEST)) as file:
                start = file.read(len(MANIFEST_START))
        except OSError:
            return False
        return start in (MANIFEST_START, b"")  # empty if a census was stopped before its first line
    return any(is_journal(name, names) for name in names)


def is_journal(name: str, names: Collection[str]) -> bool:
    """Return True if a file is the journal of a crawl: its archive has the same name without the suffix.

    >>> is_journal("a.warc.gz.journal", ["a.warc.gz"]), is_journal("my.journal", ["a.warc.gz"])
    (True, False)
    """
    return any(name.endswith(suffix) and name.removesuffix(suffix) in names for suffix in JOURNAL_SUFFIXES)
