"""Tables of pages: JSON Lines and Parquet, a page a row, with whatever else of it the columns know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from webtongue.census.capture import Capture
from webtongue.census.config import Config
from webtongue.census.read.captures import is_sampled, unreadable
from webtongue.census.read.jsonlines import lines
from webtongue.census.read.known import COLUMNS, bad_row, described, filled
from webtongue.census.read.unpack import Packing, Unpacked
from webtongue.columns import NO_CELL, cell_of
from webtongue.errors import MissingExtra
from webtongue.files import sentence

__all__ = ["jsonl", "parquet"]

CONTENT = ("html", "content", "text")  # the first that a row has
TEXT = "text"  # holds text that somebody extracted
ROWS = 64  # of Parquet that are held at a time
BUFFER = 1 << 20  # bytes of a column that are read ahead


def jsonl(file: BinaryIO, packing: Packing, filename: str, config: Config) -> Iterator[Capture]:
    """The rows of a file of JSON Lines. Offsets are those of the lines once the file is unpacked."""
    held = Unpacked(file, packing)
    end = 0
    for line in lines(held, min(config.largest_record, 4 * config.largest_page)):
        end = line.offset
        if line.trouble:
            yield bad_row(described({}, filename, line.offset), line.trouble)
        else:
            capture = _capture(line.keys, filename, line.offset, config)
            if config.sample == 1 or is_sampled(capture.digest or f"{capture.url} {line.offset}", config.sample):
                yield capture
    if held.fault or held.cut:
        yield unreadable(filename, held.fault or "the file breaks off", end)


def parquet(file: BinaryIO, filename: str, config: Config) -> Iterator[Capture]:
    """The rows of a Parquet file, some at a time. Offsets are numbers of rows."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("pyarrow", "census") from None
    number = 0
    try:
        table = pq.ParquetFile(file, buffer_size=BUFFER, pre_buffer=False)
        there = set(table.schema_arrow.names)
        wanted = (config.content_column,) if config.content_column else CONTENT
        if not there & set(wanted):
            yield unreadable(filename, f"no column {' or '.join(wanted)}: the one with pages is to be named")
            return
        columns = [name for name in table.schema_arrow.names if name in {config.url_column, *wanted, *COLUMNS}]
        for batch in table.iter_batches(ROWS, columns=columns, use_threads=False):
            for row in _rows(batch):
                capture = _capture(row, filename, number, config)
                if config.sample == 1 or is_sampled(capture.digest or f"{capture.url} {number}", config.sample):
                    yield capture
                number += 1
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        yield unreadable(
            filename, f"no Parquet that can be read ({sentence(error).partition(chr(10))[0][:200]})", number
        )


def _rows(batch: Any) -> list[dict[str, Any]]:
    """Rows as Python has them; where it cannot have one of their cells, all but that."""
    try:
        found: list[dict[str, Any]] = batch.to_pylist()
    except NO_CELL:
        names = batch.schema.names
        return [
            dict(zip(names, (cell_of(column[row]) for column in batch.columns), strict=True))
            for row in range(batch.num_rows)
        ]
    return found


def _capture(row: Mapping[str, Any], filename: str, offset: int, config: Config) -> Capture:
    """A row as a capture."""
    capture = described(row, filename, offset, config.url_column)
    names = (config.content_column,) if config.content_column else CONTENT
    name = next((name for name in names if row.get(name) is not None), "")
    content = row.get(name)
    if not isinstance(content, str | bytes):
        if content is None:
            return bad_row(capture, f"no {' or '.join(names)} in it")
        return bad_row(capture, f"{name} is no page but a {type(content).__name__}")
    capture.is_text = name == TEXT and isinstance(content, str)
    return filled(capture, content.encode("utf-8", "replace") if isinstance(content, str) else content, config)
