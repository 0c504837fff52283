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
    "ABOUT", "ESTIMATE", "EXTRACT_MANIFEST", "MANIFEST", "census_folder", "has_located_servers", "is_estimate",
    "is_journal", "is_own_output", "part_files", "read_about", "read_estimate", "refuse_estimate", "refuse_links",
]  # fmt: skip

ABOUT = "census.json"
ESTIMATE = "estimate.json"  # file of a census that was estimated from an index
MANIFEST = "manifest.jsonl"
MANIFEST_START = b'{"census"'
MAX_ABOUT_BYTES = 1 << 24  # a census writes a few kB
EXTRACT_MANIFEST = "_manifest.json"  # readers of a folder of Parquet skip names that begin with _
EXTRACT_MANIFEST_START = b'{\n "extract"'
JOURNAL_SUFFIXES = (
    ".journal",
    ".journal-wal",
    ".journal-shm",
    ".journal-journal",
)  # suffixes of the files that a crawl writes beside its archive


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


def has_located_servers(out: Path) -> bool:
    """Return True if the country of a server was looked up by its IP address, as the statistics of the Parquet files tell."""
    import pyarrow.parquet as pq

    for part in part_files(out, ROWS):
        with pq.ParquetFile(part) as file:
            for group in range(file.num_row_groups):
                chunk = file.metadata.row_group(group)
                columns = map(chunk.column, range(chunk.num_columns))
                named = (column.statistics for column in columns if column.path_in_schema == "ip_network")
                statistics = next(named, None)
                if statistics is None or statistics.null_count < chunk.num_rows:
                    return True
    return False


def refuse_links(out: Path, *names: str) -> None:
    """Raise UsageError if one of these entries of the folder is a symbolic link."""
    for name in names:
        if (out / name).is_symlink():
            raise UsageError(f"{out / name} is a symbolic link: all files of a census must lie in its own folder")


def read_about(out: Path) -> dict[str, Any]:
    """Return the description of a census, empty if it was not finished; raise ValueError if the file is damaged."""
    return _read_object(out / ABOUT)


def read_estimate(out: Path) -> dict[str, Any]:
    """Return the estimates of a census that was estimated from an index, empty for another; raise ValueError if damaged."""
    return _read_object(out / ESTIMATE)


def is_estimate(out: Path) -> bool:
    """Return True if a census was estimated from an index: its rows have weights."""
    return (out / ESTIMATE).is_file()


def refuse_estimate(out: Path, what: str) -> None:
    """Raise UsageError if a census is an estimate, whose rows are a weighted sample, for a command that counts rows."""
    if is_estimate(out):
        raise UsageError(
            f"{out} is an estimate from an index: {what}; `webtongue tables` and `webtongue report` use its weights"
        )


def _read_object(path: Path) -> dict[str, Any]:
    if path.is_symlink():
        raise ValueError(f"{path} is a link")
    try:
        with open_regular_file(str(path)) as file:
            value = json.loads(file.read(MAX_ABOUT_BYTES))
    except FileNotFoundError:
        return {}
    except (OSError, RecursionError) as error:
        raise ValueError(str(error)) from None
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def is_own_output(path: str, names: Collection[str]) -> bool:
    """Return True if the folder at ``path`` with these entries is a census, an extraction or a crawl."""
    if MANIFEST in names and ROWS in names:
        start = _read_start(path, MANIFEST, len(MANIFEST_START))
        return start in (MANIFEST_START, b"")  # empty if a census was stopped before its first line
    if EXTRACT_MANIFEST in names:
        return _read_start(path, EXTRACT_MANIFEST, len(EXTRACT_MANIFEST_START)) == EXTRACT_MANIFEST_START
    return any(is_journal(name, names) for name in names)


def _read_start(folder: str, name: str, count: int) -> bytes | None:
    """Return the first bytes of a file, None if it cannot be read."""
    try:
        with open_regular_file(os.path.join(folder, name)) as file:
            return file.read(count)
    except OSError:
        return None


def is_journal(name: str, names: Collection[str]) -> bool:
    """Return True if a file is the journal of a crawl: its archive has the same name without the suffix.

    >>> is_journal("a.warc.gz.journal", ["a.warc.gz"]), is_journal("my.journal", ["a.warc.gz"])
    (True, False)
    """
    return any(name.endswith(suffix) and name.removesuffix(suffix) in names for suffix in JOURNAL_SUFFIXES)
