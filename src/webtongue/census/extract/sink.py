"""Write texts to JSON Lines or Parquet: one file, or a folder with a file for each language. Files are complete or absent."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import IO, Any, Protocol

from webtongue.census.extract.rows import ExtractedText
from webtongue.census.sink import atomic_write
from webtongue.errors import MissingExtra, UsageError

__all__ = ["FORMATS", "check_output", "is_file", "output_format", "to_json_line", "write_texts"]

FORMATS = ("jsonl", "parquet")
MAX_GROUP_ROWS, MAX_GROUP_CHARS = 4096, 1 << 24  # of a row group of Parquet, which bounds memory


class _Writer(Protocol):
    def write(self, row: ExtractedText) -> None: ...


def output_format(out: Path, name: str | None) -> str:
    """Return the given format, or that of the file name; by default JSON Lines."""
    if name is not None and name not in FORMATS:
        raise UsageError(f"a format is one of {', '.join(FORMATS)}, not {name!r}")
    file_format = out.suffix.lstrip(".").lower() if name is None else name
    return file_format if file_format in FORMATS else FORMATS[0]


def is_file(out: Path) -> bool:
    """Return True if a path has the suffix of a format; other paths are folders."""
    return out.suffix.lstrip(".").lower() in FORMATS


def check_output(out: Path, file_format: str) -> None:
    """Raise UsageError, before anything is read, if the output could not be written at the end."""
    if file_format == "parquet":
        _schema()
    if is_file(out):
        if out.exists():
            raise UsageError(f"{out} exists: choose another file")
        if not out.parent.is_dir():
            raise UsageError(f"{out.parent} is not a folder: create it first")
    elif out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} is not an empty folder: choose another")


def write_texts(rows: Iterable[ExtractedText], out: Path, file_format: str) -> list[Path]:
    """Write all rows to a file, or to a file for each label in an existing folder; return the paths."""
    writers: dict[Path, _Writer] = {}
    with ExitStack() as stack:
        for row in rows:
            path = out if is_file(out) else out / f"{row.label}.{file_format}"
            if path not in writers:
                writers[path] = _open_writer(stack, path, file_format)
            writers[path].write(row)
        if not writers and is_file(out):  # an empty file shows that there are no texts
            writers[out] = _open_writer(stack, out, file_format)
    return sorted(writers)


def _open_writer(stack: ExitStack, path: Path, file_format: str) -> _Writer:
    unfinished = stack.enter_context(atomic_write(path))
    if file_format == "parquet":
        return stack.enter_context(_ParquetWriter(unfinished))
    return _JsonLinesWriter(stack.enter_context(unfinished.open("wb")))


def to_json_line(row: ExtractedText) -> bytes:
    """Return a row as a line of JSON in UTF-8, with lone surrogates of URLs and file names replaced by question marks."""
    return json.dumps(row.to_dict(), ensure_ascii=False).encode("utf-8", "replace") + b"\n"


class _JsonLinesWriter:
    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def write(self, row: ExtractedText) -> None:
        self._file.write(to_json_line(row))


class _ParquetWriter:
    """Writes rows in row groups."""

    def __init__(self, path: Path) -> None:
        import pyarrow.parquet as pq

        self._writer = pq.ParquetWriter(path, _schema(), compression="zstd")
        self._rows: list[dict[str, Any]] = []
        self._characters = 0

    def __enter__(self) -> _ParquetWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._writer.close()

    def write(self, row: ExtractedText) -> None:
        values = row.to_dict()
        self._rows.append(
            {name: _replace_surrogates(value) for name, value in values.items()}
            | {"fetch_time": row.fetch_time or None}
        )
        self._characters += len(values["text"])
        if len(self._rows) == MAX_GROUP_ROWS or self._characters >= MAX_GROUP_CHARS:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=_schema()))
        self._rows, self._characters = [], 0


def _replace_surrogates(value: Any) -> Any:
    """Return text that Arrow accepts, with lone surrogates replaced by question marks."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


@cache
def _schema() -> Any:
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingExtra("pyarrow", "census") from error
    name = pa.dictionary(pa.int32(), pa.string())
    segment = pa.struct([("begin", pa.int64()), ("end", pa.int64()), ("label", pa.string()), ("share", pa.float32())])
    return pa.schema(
        [
            ("url", pa.string()),
            ("fetch_time", pa.timestamp("ms", "UTC")),
            ("content_digest", pa.string()),
            ("content_charset", name),
            ("warc_filename", name),
            ("warc_record_offset", pa.int64()),
            ("label", name),
            ("confidence", pa.float32()),
            ("reliable", pa.bool_()),
            ("tier", pa.int16()),
            ("declared_language", name),
            ("segments", pa.list_(segment)),
            ("language", name),
            ("text", pa.large_string()),
        ]
    )
