"""Tables of pages: JSON Lines and Parquet, one page in each row, with other columns about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from os import SEEK_END
from typing import Any, BinaryIO

from webtongue.census.capture import Capture, Problem
from webtongue.census.config import Config
from webtongue.census.read.captures import is_sampled, unreadable_capture
from webtongue.census.read.decompress import Compression, DecompressedBuffer
from webtongue.census.read.jsonlines import read_lines
from webtongue.census.read.page_columns import COLUMNS, capture_of_row, fail_row, set_page
from webtongue.columns import UNREPRESENTABLE, cell_of
from webtongue.errors import MissingExtra
from webtongue.files import error_text
from webtongue.page_list import CONTENT_KEYS

__all__ = ["read_jsonl", "read_parquet"]

TEXT_COLUMN = "text"  # text that was extracted from a page
MAX_BATCH_ROWS = 64  # rows of Parquet held at a time
MAX_BATCH_BYTES = 1 << 26  # each row may be as large as its row group, because repeated values are stored once
READ_AHEAD_BYTES = 1 << 20  # bytes of a column
MIN_ROW_BYTES = 256  # the least that a row counts: a file of a few bytes can have a million empty rows


def read_jsonl(file: BinaryIO, compression: Compression, filename: str, config: Config) -> Iterator[Capture]:
    """Read the rows of a JSON Lines file. Offsets are those of lines in the decompressed file."""
    buffer = DecompressedBuffer(file, compression)
    offset = 0
    for line in read_lines(buffer, min(config.max_record_bytes, 4 * config.max_page_bytes)):
        offset = line.offset
        if offset > max(config.max_record_bytes, config.bomb_ratio * file.tell()):
            yield _bomb_capture(filename, offset, f"{file.tell():,} bytes decompress to more than {offset:,}")
            return
        if line.trouble:
            yield fail_row(capture_of_row({}, filename, offset), line.trouble)
        else:
            capture = _build_capture(line.keys, filename, offset, config)
            if config.sample == 1 or is_sampled(capture.digest or f"{capture.url} {offset}", config.sample):
                yield capture
    if buffer.source.error or buffer.source.is_cut:
        yield unreadable_capture(filename, buffer.source.error or "the file ends within a member", offset)


def read_parquet(file: BinaryIO, filename: str, config: Config) -> Iterator[Capture]:
    """Read the rows of a Parquet file. Offsets are row numbers."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("pyarrow", "census") from None
    number = 0
    try:
        table = pq.ParquetFile(file, buffer_size=READ_AHEAD_BYTES, pre_buffer=False)
        content_columns = _content_columns(config)
        if not set(table.schema_arrow.names) & set(content_columns):
            names = " or ".join(content_columns)
            yield unreadable_capture(filename, f"no column {names}: name the column of pages with --content-column")
            return
        used = {config.url_column, *content_columns, *COLUMNS}
        columns = [name for name in table.schema_arrow.names if name in used]
        remaining_bytes = max(config.max_record_bytes, config.bomb_ratio * file.seek(0, SEEK_END))
        for row in _read_rows(table, columns, config):
            if row is None:
                yield _bomb_capture(filename, number, "a row group that decompresses to far more than its size")
                continue
            size = sum(len(cell) for cell in row.values() if isinstance(cell, str | bytes))
            remaining_bytes -= max(size, MIN_ROW_BYTES)
            if remaining_bytes < 0:
                detail = "the rows decompress to far more than the size of the file; the rest was not read"
                yield _bomb_capture(filename, number, detail)
                return
            capture = _build_capture(row, filename, number, config)
            if config.sample == 1 or is_sampled(capture.digest or f"{capture.url} {number}", config.sample):
                yield capture
            number += 1
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        detail = error_text(error).partition("\n")[0][:200]
        yield unreadable_capture(filename, f"not a readable Parquet file ({detail})", number)


def _content_columns(config: Config) -> tuple[str, ...]:
    return (config.content_column,) if config.content_column else CONTENT_KEYS


def _read_rows(table: Any, columns: Sequence[str], config: Config) -> Iterator[dict[str, Any] | None]:
    """Read the rows of a Parquet file in batches; None stands for a row group that is a bomb by its metadata."""
    for number in range(table.num_row_groups):
        group = table.metadata.row_group(number)
        chunks = [group.column(index) for index in range(group.num_columns)]
        chunks = [chunk for chunk in chunks if chunk.path_in_schema.partition(".")[0] in columns]
        size = sum(chunk.total_uncompressed_size for chunk in chunks)
        compressed_size = sum(chunk.total_compressed_size for chunk in chunks)
        if size > config.max_record_bytes and size > config.bomb_ratio * compressed_size:
            yield None
            continue
        rows = min(max(MAX_BATCH_BYTES // max(size, 1), 1), MAX_BATCH_ROWS)
        for batch in table.iter_batches(rows, row_groups=[number], columns=columns, use_threads=False):
            yield from _to_rows(batch)


def _bomb_capture(filename: str, offset: int, detail: str) -> Capture:
    return fail_row(capture_of_row({}, filename, offset), detail, Problem.BOMB)


def _to_rows(batch: Any) -> list[dict[str, Any]]:
    """Return rows as Python objects, without the cells that Python cannot represent."""
    try:
        rows: list[dict[str, Any]] = batch.to_pylist()
    except UNREPRESENTABLE:
        names = batch.schema.names
        return [
            dict(zip(names, (cell_of(column[row]) for column in batch.columns), strict=True))
            for row in range(batch.num_rows)
        ]
    return rows


def _build_capture(row: Mapping[str, Any], filename: str, offset: int, config: Config) -> Capture:
    capture = capture_of_row(row, filename, offset, config.url_column)
    names = _content_columns(config)
    name = next((name for name in names if row.get(name) is not None), "")
    content = row.get(name)
    if content is None:
        return fail_row(capture, f"no {' or '.join(names)} in the row")
    if not isinstance(content, str | bytes):
        return fail_row(capture, f"{name} is not a page but of type {type(content).__name__}")
    capture.is_text = name == TEXT_COLUMN and isinstance(content, str)
    body = content.encode("utf-8", "replace") if isinstance(content, str) else content
    return set_page(capture, body, config)
