"""Read the index of a crawl in batches of columns: Common Crawl's Parquet, CDXJ, or WARC files as if only their index existed.

All batches have the columns of SCHEMA, with nulls for what an index does not have. No row is a Python object on the way.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import cache
from typing import Any

from webtongue.census.capture import Problem
from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read import read
from webtongue.census.read.decompress import DecompressedBuffer
from webtongue.census.read.input_kinds import read_start
from webtongue.census.read.inputs import expand_inputs
from webtongue.census.read.remote_io import is_remote, list_files, open_input
from webtongue.errors import MissingExtra, UnreadableFile, UsageError
from webtongue.files import error_text, walk_files

__all__ = ["index_files", "read_index", "read_local", "schema"]

BATCH_ROWS = 1 << 16
CHUNK_BYTES = 1 << 23  # bytes of CDXJ lines parsed at a time
MAX_LINE_BYTES = 1 << 20
PARQUET_SUFFIXES = (".parquet", ".parq")
CDXJ_NAMES = re.compile(r"\.(cdxj|cdx)(\.gz|\.zst)?$|(^|/)cdx-\d+\.gz$")
ARCHIVE_NAMES = re.compile(r"\.w?arc(\.gz|\.zst)?$", re.IGNORECASE)
LINE_KEYS = re.compile(rb"^[^{\n]*", re.MULTILINE)  # the sort key and time before the JSON of a line
INTEGERS = {32: r"^-?\d{1,9}$", 64: r"^-?\d{1,18}$"}  # text that fits into an integer of so many bits
# The names of our columns in Parquet and in CDXJ; the first that exists is used.
NAMES = {
    "url": ("url",),
    "status": ("fetch_status", "status"),
    "mime": ("content_mime_detected", "mime-detected", "content_mime_type", "mime"),
    "charset": ("content_charset", "charset"),
    "languages": ("content_languages", "languages"),
    "filename": ("warc_filename", "filename"),
    "offset": ("warc_record_offset", "offset"),
    "length": ("warc_record_length", "length"),
}
REQUIRED = ("url", "filename", "offset", "length")


@cache
def schema() -> Any:
    """Return the columns of a batch."""
    import pyarrow as pa

    name = pa.dictionary(pa.int32(), pa.string())
    types = {"url": pa.large_string(), "status": pa.int32(), "offset": pa.int64(), "length": pa.int64()}
    return pa.schema([(column, types.get(column, name)) for column in NAMES])


def index_files(paths: Sequence[str], config: Config) -> list[str]:
    """Return the files of an index: folders and URLs that end with a slash are expanded."""
    files: list[str] = []
    for path in paths:
        try:
            files += _expand(path, config)
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error_text(error)}") from None
    if not files:
        raise UsageError(f"no .parquet, .cdxj or cdx-*.gz file in {', '.join(paths)}: give the index of a crawl")
    return files


def _expand(path: str, config: Config) -> Iterable[str]:
    import os

    if is_remote(path) and path.endswith("/"):
        return [url for url, _ in list_files(path, config) if _is_index(url)]
    if not is_remote(path) and os.path.isdir(path):
        return [os.path.join(path, name) for name, trouble in walk_files(path) if not trouble and _is_index(name)]
    if ARCHIVE_NAMES.search(path):
        raise UsageError(f"{path} is an archive, not an index: add --local to read archives")
    return [path]


def _is_index(name: str) -> bool:
    return name.endswith(PARQUET_SUFFIXES) or CDXJ_NAMES.search(name) is not None


def read_index(path: str, config: Config) -> Iterator[Any]:
    """Yield the record batches of one file of an index."""
    try:
        with open_input(path, config) as file:
            yield from _read_parquet(file, path) if path.endswith(PARQUET_SUFFIXES) else _read_cdxj(file, path)
    except UsageError:
        raise
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"{path} cannot be read as an index: {error_text(error)}") from None


def _read_parquet(file: Any, path: str) -> Iterator[Any]:
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("pyarrow", "census") from None
    names = pq.ParquetFile(file).schema_arrow.names
    columns = _find_columns(names, path)
    encoded = [columns[name] for name in ("mime", "charset", "languages", "filename") if name in columns]
    file.seek(0)
    table = pq.ParquetFile(file, read_dictionary=encoded)
    for batch in table.iter_batches(BATCH_ROWS, columns=list(columns.values()), use_threads=False):
        yield _rename(batch, columns)


def _find_columns(names: Sequence[str], path: str) -> dict[str, str]:
    """Return the name of each of our columns in a file."""
    columns = {
        column: next(name for name in choices if name in names)
        for column, choices in NAMES.items()
        if set(choices) & set(names)
    }
    if missing := [NAMES[name][0] for name in REQUIRED if name not in columns]:
        raise UsageError(f"{path} has no column {', '.join(missing)}: an index has the position of each record")
    return columns


def _rename(batch: Any, columns: dict[str, str]) -> Any:
    """Return a batch with the columns and types of the schema."""
    import pyarrow as pa

    arrays = [
        _cast(batch.column(columns[field.name]), field.type)
        if field.name in columns
        else pa.nulls(batch.num_rows, field.type)
        for field in schema()
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema())


def _cast(column: Any, wanted: Any) -> Any:
    """Return a column as another type; text that is no number, such as the status "None", is null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if column.type == wanted:
        return column
    if pa.types.is_dictionary(wanted) and not pa.types.is_dictionary(column.type):
        return column.cast(pa.string()).dictionary_encode()
    if pa.types.is_string(column.type) and pa.types.is_integer(wanted):
        column = pc.if_else(pc.match_substring_regex(column, INTEGERS[wanted.bit_width]), column, None)
    return column.cast(wanted)


def _read_cdxj(file: Any, path: str) -> Iterator[Any]:
    """Yield the lines of CDXJ, which have a sort key, a time and a JSON object."""
    import pyarrow as pa
    import pyarrow.json as pj

    explicit = pa.schema([(name, pa.string()) for choices in NAMES.values() for name in choices])
    options = pj.ParseOptions(explicit_schema=explicit, unexpected_field_behavior="ignore")
    block = pj.ReadOptions(use_threads=False, block_size=2 * CHUNK_BYTES)
    for lines in _read_chunks(DecompressedBuffer(file, read_start(file)[0])):
        table = pj.read_json(io.BytesIO(LINE_KEYS.sub(b"", lines)), block, options)
        used = [name for name in table.column_names if table.column(name).null_count < table.num_rows]
        columns = _find_columns(used, path)
        for batch in table.combine_chunks().to_batches(BATCH_ROWS):
            yield _rename(batch, columns)


def _read_chunks(buffer: DecompressedBuffer) -> Iterator[bytes]:
    """Yield whole lines, some MB at a time."""
    while buffer.fill(1):
        is_full = buffer.fill(CHUNK_BYTES)
        end = buffer.data.rfind(b"\n", 0, CHUNK_BYTES) + 1 if is_full else len(buffer.data)
        if not end:
            raise UnreadableFile(f"a line has more than {CHUNK_BYTES:,} bytes")
        yield buffer.copy(0, end)
        buffer.drop(end)
    if buffer.source.error or buffer.source.is_cut:
        raise UnreadableFile(buffer.source.error or "the file ends within a member")


def read_local(inputs: Sequence[str], config: Config) -> Iterator[Any]:
    """Yield the index of WARC and ARC files: what a crawler writes about each record, and nothing of its content."""
    rows: list[tuple[Any, ...]] = []
    for source in expand_inputs(inputs, config):
        if source.kind not in ("warc", "arc"):
            raise UsageError(f"{source.path} is {source.kind}: --local reads WARC and ARC files")
        with closing(_index_rows(source, config)) as records:
            for row in records:
                rows.append(row)
                if len(rows) == BATCH_ROWS:
                    yield _local_batch(rows)
                    rows = []
    if rows:
        yield _local_batch(rows)


def _index_rows(source: Source, config: Config) -> Any:
    for capture in read(source, config):
        if capture.problem is Problem.UNREADABLE:
            raise UsageError(f"{source.path} cannot be read: {capture.detail}")
        if capture.record_type in ("response", "resource", "conversion") and capture.url:
            yield (
                capture.url,
                capture.fetch_status,
                capture.mime_type,
                None,
                None,
                source.path,
                capture.offset,
                capture.length,
            )


def _local_batch(rows: Sequence[tuple[Any, ...]]) -> Any:
    import pyarrow as pa

    arrays = [pa.array(column, field.type) for column, field in zip(zip(*rows, strict=True), schema(), strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema())
