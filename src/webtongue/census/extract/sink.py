"""Where texts go: files of JSON Lines or Parquet, one for each language in a folder, each there whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import IO, Any, Protocol

from webtongue.census.extract.rows import Text
from webtongue.census.sink import replacing
from webtongue.errors import MissingExtra, UsageError

__all__ = ["FORMATS", "check", "format_of", "is_file", "json_of", "write"]

FORMATS = ("jsonl", "parquet")
GROUP_ROWS, GROUP_CHARACTERS = 4096, 1 << 24  # of a group of Parquet: bounds memory


class _Sink(Protocol):
    def write(self, row: Text) -> None: ...


def format_of(out: Path, name: str | None) -> str:
    """The format that is asked for, or that a file's name says; JSON Lines where neither does."""
    found = out.suffix.lstrip(".").lower() if name is None else name
    if name is not None and found not in FORMATS:
        raise UsageError(f"a format is one of {', '.join(FORMATS)}, not {name!r}")
    return found if found in FORMATS else FORMATS[0]


def is_file(out: Path) -> bool:
    """Whether a path names a file: it ends as one of the formats does. Else it is a folder."""
    return out.suffix.lstrip(".").lower() in FORMATS


def check(out: Path, form: str) -> None:
    """Refuse, before anything is read, what could not be written at the end."""
    if form == "parquet":
        _schema()
    if is_file(out):
        if out.exists():
            raise UsageError(f"{out} is there already: choose another file")
        if not out.parent.is_dir():
            raise UsageError(f"{out.parent} is no folder: make it first")
    elif out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} is not an empty folder: choose another one")


def write(rows: Iterable[Text], out: Path, form: str) -> list[Path]:
    """All rows, to a file or to one for each label in a folder that is there. The files are there when this returns."""
    made: dict[Path, _Sink] = {}
    with ExitStack() as stack:
        for row in rows:
            path = out if is_file(out) else out / f"{row.label}.{form}"
            if path not in made:
                made[path] = _opened(stack, path, form)
            made[path].write(row)
        if not made and is_file(out):  # nothing was found, and whoever comes to fetch it finds that
            made[out] = _opened(stack, out, form)
    return sorted(made)


def _opened(stack: ExitStack, path: Path, form: str) -> _Sink:
    unfinished = stack.enter_context(replacing(path))
    if form == "parquet":
        return stack.enter_context(_Parquet(unfinished))
    return _JsonLines(stack.enter_context(unfinished.open("wb")))


def json_of(row: Text) -> bytes:
    """A line of JSON in UTF-8; what is no character in an address or a file's name is a question mark."""
    return json.dumps(row.to_dict(), ensure_ascii=False).encode("utf-8", "replace") + b"\n"


class _JsonLines:
    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def write(self, row: Text) -> None:
        self._file.write(json_of(row))


class _Parquet:
    """Writes groups of rows."""

    def __init__(self, path: Path) -> None:
        import pyarrow.parquet as pq

        self._writer = pq.ParquetWriter(path, _schema(), compression="zstd")
        self._rows: list[dict[str, Any]] = []
        self._size = 0

    def __enter__(self) -> _Parquet:
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._writer.close()

    def write(self, row: Text) -> None:
        values = row.to_dict()
        self._rows.append(
            {name: _clean(value) for name, value in values.items()} | {"fetch_time": row.fetch_time or None}
        )
        self._size += len(values["text"])
        if len(self._rows) == GROUP_ROWS or self._size >= GROUP_CHARACTERS:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=_schema()))
        self._rows, self._size = [], 0


def _clean(value: Any) -> Any:
    """Text that Arrow takes: a lone surrogate of a file's name is a question mark."""
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
            ("language_declared", name),
            ("segments", pa.list_(segment)),
            ("language", name),
            ("text", pa.large_string()),
        ]
    )
