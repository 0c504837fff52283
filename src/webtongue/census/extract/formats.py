"""The formats of extracted text: JSON Lines, plain or compressed, and Parquet. Files can be joined without reading their rows."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from webtongue.errors import MissingExtra, UsageError

__all__ = ["FORMATS", "format_of_name", "is_file_name", "join_files", "parse_format", "write_rows", "zstandard"]

FORMATS = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet")  # also the suffixes of files
# Suffixes of files in other formats: a folder with such a name is most likely a mistake.
OTHER_FORMATS = re.compile(
    r"\.(7z|arrow|avro|bz2|csv|db|duckdb|feather|gz|html?|json|json5|jsonlines|lz4|md|ndjson|orc|pq|snappy|sqlite|tar|tgz|tsv|txt|warc|xlsx?|xml|xz|zip|zst)$",
    re.IGNORECASE,
)
GROUP_ROWS = 4096  # rows of a row group of Parquet, which bounds memory


def format_of_name(name: str) -> str:
    """Return the format of a file by its suffix, empty if it has none of them.

    >>> format_of_name("a/x.jsonl.gz"), format_of_name("corpus")
    ('jsonl.gz', '')
    """
    lower = name.lower()
    return next((form for form in FORMATS if lower.endswith(f".{form}")), "")


def is_file_name(name: str) -> bool:
    """Return True if a path has the suffix of a format; other paths are folders."""
    return bool(format_of_name(name))


def parse_format(name: str, form: str | None) -> str:
    """Return the given format, or that of the file name; by default JSON Lines. Raise UsageError if the two differ."""
    formats = ", ".join(FORMATS)
    if form is not None and form not in FORMATS:
        raise UsageError(f"a format is one of {formats}, not {form!r}")
    by_name = format_of_name(name)
    if not by_name and (match := OTHER_FORMATS.search(name)):
        raise UsageError(
            f"{name} would be a folder: files are {formats}, not {match[1]}; end the name of a folder with a slash"
        )
    if form and by_name and form != by_name:
        raise UsageError(f"{name} has the suffix of {by_name}, but the format is {form}: leave one of them out")
    form = form or by_name or FORMATS[0]
    if form == "parquet":
        _schema()
    elif form == "jsonl.zst":
        zstandard()
    return form


def write_rows(path: Path, form: str, lines: Iterable[bytes]) -> None:
    """Write rows, which are lines of JSON, to a file."""
    if form == "parquet":
        _write_parquet(path, (json.loads(line) for line in lines))
        return
    with path.open("wb") as file:
        if form == "jsonl":
            file.writelines(lines)
        elif form == "jsonl.gz":
            with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
                packed.writelines(lines)
        else:
            with zstandard().ZstdCompressor(level=3).stream_writer(file, closefd=False) as packed:
                for line in lines:
                    packed.write(line)


def join_files(paths: Sequence[Path], out: Path, form: str) -> None:
    """Write the rows of several files to one: members of gzip and frames of zstd follow each other.

    Row groups of Parquet are formed again, because those of small files would be small.
    """
    if form != "parquet":
        with out.open("wb") as target:
            for path in paths:
                with path.open("rb") as source:
                    shutil.copyfileobj(source, target, 1 << 20)
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetWriter(out, _schema(), compression="zstd") as writer:
        rest = _schema().empty_table()
        for path in paths:
            with closing(pq.ParquetFile(path)) as source:
                for number in range(source.num_row_groups):
                    rest = pa.concat_tables([rest, source.read_row_group(number)])
                    while rest.num_rows >= GROUP_ROWS:
                        writer.write_table(rest.slice(0, GROUP_ROWS))
                        rest = rest.slice(GROUP_ROWS)
        if rest.num_rows:
            writer.write_table(rest)


def _write_parquet(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetWriter(path, _schema(), compression="zstd") as writer:
        while group := list(islice(rows, GROUP_ROWS)):
            writer.write_table(pa.Table.from_pylist(group, schema=_schema()))


def zstandard() -> Any:
    """Return the module, or raise MissingExtra."""
    try:
        import zstandard as module
    except ImportError as error:
        raise MissingExtra("zstandard", "census") from error
    return module


@cache
def _schema() -> Any:
    """Return the columns of Parquet; those of JSON have the same names and order."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingExtra("pyarrow", "census") from error
    name, text, share = pa.dictionary(pa.int32(), pa.string()), pa.string(), pa.float32()
    segment = pa.struct([("begin", pa.int64()), ("end", pa.int64()), ("label", pa.string()), ("share", pa.float32())])
    return pa.schema(
        [
            ("url", text), ("url_host_name", name), ("fetch_time", text), ("content_digest", text), ("content_charset", name),
            ("warc_filename", name), ("warc_record_offset", pa.int64()), ("title", text), ("author", text), ("date", text),
            ("licences", pa.list_(text)), ("label", name), ("confidence", share), ("reliable", pa.bool_()), ("tier", pa.int16()),
            ("declared_language", name), ("segments", pa.list_(segment)), ("characters", pa.int64()), ("words", pa.int64()),
            ("symbol_share", share), ("stop_word_share", share), ("repeated_line_share", share), ("list_share", share),
            ("language", name), ("text", pa.large_string()),
        ]
    )  # fmt: skip
