"""The readers of a census: from a source to captures, one after the other. Bad data is a capture with a problem, never an error."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO, cast

from webtongue.census.capture import Capture
from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read.captures import unreadable
from webtongue.census.read.opening import Rewindable, Sleep, opened, standard_input
from webtongue.files import sentence

__all__ = ["archived", "read"]


def read(source: Source, config: Config, sleep: Sleep = time.sleep) -> Iterator[Capture]:
    """The captures of a source, in its order, as they are read.

    Whatever cannot be read is a capture too: a stretch of a file that is no record (``damaged``), a file that cannot be opened or
    read on (``Problem.UNREADABLE``). ``sleep`` is what waits before a store is asked again.
    """
    name = source.name or source.path
    if source.kind in ("page", "folder"):
        from webtongue.census.read import saved

        if source.kind == "page":
            yield from saved.page(source.path, name, config, sleep)
        else:
            yield from saved.indexed(source.path, name, config, sleep, source.begin, source.end)
        return
    last = 0
    try:
        with _stdin() if source.kind == "stdin" else opened(source.path, config, sleep) as file:
            for capture in _captures(source, file, name, config):
                last = capture.offset
                yield capture
    except (OSError, ValueError, EOFError) as error:
        yield unreadable(name, sentence(error), last)


def _stdin() -> AbstractContextManager[BinaryIO]:
    return nullcontext(cast(BinaryIO, Rewindable(standard_input())))


def _captures(source: Source, file: BinaryIO, name: str, config: Config) -> Iterator[Capture]:
    from webtongue.census.read import kinds, tabular, wacz

    if source.kind == "wacz":
        return wacz.captures(file, name, config)
    if source.kind == "parquet":
        return tabular.parquet(file, name, config)
    if source.kind == "jsonl":
        return tabular.jsonl(file, kinds.opening(file)[0], name, config)
    return archived(file, name, config, source)


def archived(file: BinaryIO, name: str, config: Config, source: Source | None = None) -> Iterator[Capture]:
    """The captures of a stream: of WARC or ARC by how it begins and not by its name, or of JSON Lines on standard input."""
    from webtongue.census.read import arc, kinds, tabular, warc

    packing, head = kinds.opening(file)
    if not head and not file.read(1):
        return iter((unreadable(name, "it is empty"),))
    kind = kinds.kind_of_bytes(head)
    if not kind and file.seekable():
        packing = kinds.packing_inside(file, packing, head)
    kind = kind or (source.kind if source else "warc")
    if kind == "arc":
        return arc.captures(file, packing, name, config)
    if kind == "jsonl" and source and source.kind == "stdin":
        return tabular.jsonl(file, packing, name, config)
    return warc.captures(file, packing, name, config, source.begin if source else 0, source.end if source else 0)
