"""The readers of a census: from a source to its captures. Bad data becomes a capture with a problem, never an error."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO, cast

from webtongue.census.capture import Capture
from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read.captures import unreadable_capture
from webtongue.census.read.remote_io import RewindableStream, Sleep, open_input, open_stdin
from webtongue.files import error_text

__all__ = ["read", "read_archive"]


def read(source: Source, config: Config, sleep: Sleep = time.sleep) -> Iterator[Capture]:
    """Read the captures of a source, in order.

    Unreadable input becomes a capture too: bytes that are no record (record type ``damaged``), a file that cannot be opened or read
    to its end (``Problem.UNREADABLE``). ``sleep`` is called before a request to a store is repeated.
    """
    name = source.name or source.path
    if source.kind in ("page", "folder"):
        from webtongue.census.read import saved_pages

        if source.kind == "page":
            yield from saved_pages.read_page(source.path, name, config, sleep)
        else:
            yield from saved_pages.read_page_list(source.path, name, config, sleep, source.begin, source.end)
        return
    last_offset = 0
    try:
        with _open_stdin() if source.kind == "stdin" else open_input(source.path, config, sleep) as file:
            for capture in _read_file(source, file, name, config):
                last_offset = capture.offset
                yield capture
    except (OSError, ValueError, EOFError) as error:
        yield unreadable_capture(name, error_text(error), last_offset)


def _open_stdin() -> AbstractContextManager[BinaryIO]:
    return nullcontext(cast(BinaryIO, RewindableStream(open_stdin())))


def _read_file(source: Source, file: BinaryIO, name: str, config: Config) -> Iterator[Capture]:
    from webtongue.census.read import input_kinds, tabular, wacz

    if source.kind == "wacz":
        return wacz.read_wacz(file, name, config)
    if source.kind == "parquet":
        return tabular.read_parquet(file, name, config)
    if source.kind == "jsonl":
        return tabular.read_jsonl(file, input_kinds.read_start(file)[0], name, config)
    return read_archive(file, name, config, source)


def read_archive(file: BinaryIO, name: str, config: Config, source: Source | None = None) -> Iterator[Capture]:
    """Read the captures of a WARC or ARC stream, recognised by its first bytes, or of JSON Lines from standard input."""
    from webtongue.census.read import arc, input_kinds, tabular, warc

    compression, start = input_kinds.read_start(file)
    if not start and not file.read(1):
        return iter((unreadable_capture(name, "it is empty"),))
    kind = input_kinds.kind_of_bytes(start)
    if not kind and file.seekable():
        compression = input_kinds.find_compression(file, compression, start)
    kind = kind or (source.kind if source else "warc")
    if kind == "arc":
        return arc.read_arc(file, compression, name, config)
    if kind == "jsonl" and source and source.kind == "stdin":
        return tabular.read_jsonl(file, compression, name, config)
    return warc.read_warc(file, compression, name, config, source.begin if source else 0, source.end if source else 0)
