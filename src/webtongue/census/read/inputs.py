"""From what the command line names to sources: files of every kind, folders, lists of paths, standard input, addresses.

Sources come in the order in which they were named, and the same inputs give the same sources: a census that was broken off goes on
by their numbers. What is not there becomes a source all the same, and a row with a reason when it is read.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import BinaryIO, cast

from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read import saved
from webtongue.census.read.jsonlines import lines
from webtongue.census.read.kinds import LIST, kind_of_bytes, kind_of_name, opening
from webtongue.census.read.opening import STDIN, Rewindable, is_remote, listed, opened, standard_input
from webtongue.census.read.portions import items_of
from webtongue.census.read.records import Record, Records
from webtongue.census.read.unpack import Packing, Unpacked, packing_of
from webtongue.census.read.warc import WARC
from webtongue.errors import UsageError
from webtongue.files import ordinary, walk

__all__ = ["SPLIT", "items_of", "sources_of"]

SPLIT = 1 << 30  # bytes of a packed archive that one worker reads at a time; Common Crawl's files have as many
INDEX_LINES = 500  # pages of a folder's index that make one source
LONGEST_PATH = 1 << 14  # bytes of a line of a list
DEEPEST = 3  # lists that name lists that name lists
SHOWN = 3  # names in a complaint
LOOKED_AT, PROOF = 3, 1 << 20  # records that show how an archive is packed, and bytes kept of each


def sources_of(inputs: Sequence[str], config: Config) -> Iterator[Source]:
    """What is to be read. Raises UsageError where nothing is named, or nothing of it exists."""
    if not inputs:
        raise UsageError("give files, folders, a list of paths, addresses, or - for standard input")
    if list(inputs).count(STDIN) > 1:
        raise UsageError("- is standard input, which can be read only once")
    if not any(path == STDIN or is_remote(path) or os.path.lexists(_local(path)) for path in inputs):
        names = ", ".join(repr(path) for path in inputs[:SHOWN]) + (", ..." if len(inputs) > SHOWN else "")
        raise UsageError(f"there is nothing to read: {names} cannot be found from here ({os.getcwd()})")
    return chain.from_iterable(_sources(path, config) for path in inputs)


def _local(path: str) -> str:
    return path.removeprefix("file://")


def _sources(path: str, config: Config, name: str = "", within: tuple[str, ...] = ()) -> Iterator[Source]:
    """The sources of one input, or of a line of the lists that it is within; ``name`` is what rows call it if not its path."""
    if path == STDIN and not within:
        return _standard_input(config)
    if is_remote(path):
        return _remote(path, config, name, within)
    path = _local(path)
    if os.path.isdir(path):
        return _folder(path, config)
    kind = kind_of_name(path) or _kind_inside(path, config) or "page"
    if kind == LIST:
        return _listed(path, config, within)
    if os.path.basename(path) == saved.INDEX and _is_index(path, config):
        return _index(path, config, set())
    return _file(path, kind, name)


def _file(path: str, kind: str, name: str = "") -> Iterator[Source]:
    """A file of this machine, in parts where it is large and packed so that it can be read from within."""
    try:
        size = os.stat(path).st_size
    except (OSError, ValueError):
        size = 0
    parts = -(-size // SPLIT) if kind == "warc" and size > SPLIT and _is_packed_by_record(path) else 1
    for part in range(parts):
        ends = (size * part // parts, size * (part + 1) // parts) if parts > 1 else (0, 0)
        yield Source(path, kind, name or path, size, *ends)


def _is_packed_by_record(path: str) -> bool:
    """Whether an archive is gzip with a member for every record, as far as its first ones show: they may be damaged."""
    try:
        with ordinary(path) as file:
            if packing_of(file.read(8)) is not Packing.GZIP:
                return False
            records = Records(file, Packing.GZIP, WARC, 0, 0, PROOF)
            first = islice(records, LOOKED_AT)
            alone = [records.next_at > 0 for found in first if isinstance(found, Record)]
            return len(alone) > 1 and all(alone)
    except OSError:
        return False


def _kind_inside(path: str, config: Config) -> str:
    """The kind of a file whose name does not tell."""
    try:
        with opened(path, config) as file:
            return kind_of_bytes(opening(file)[1])
    except (OSError, ValueError):
        return ""


def _remote(path: str, config: Config, name: str, within: tuple[str, ...]) -> Iterator[Source]:
    """An address, or all below one that ends with a slash. Sizes are not asked for: a list may have a hundred thousand."""
    if path.endswith("/") and not within:
        try:
            for address, size in listed(path, config):
                kind = kind_of_name(address)
                yield Source(address, kind if kind not in ("", LIST) else "page", address, size)
        except OSError:
            yield Source(path, "warc", path)
        return
    kind = kind_of_name(path.partition("?")[0].partition("#")[0])
    if not kind and not within:
        kind = _kind_inside(path, config) or "page"
    if kind == LIST:
        yield from _listed(path, config, within)
    else:
        yield Source(path, kind or "warc", name or path)


def _listed(path: str, config: Config, within: tuple[str, ...]) -> Iterator[Source]:
    """What a list of paths names. A list that cannot be read, or names itself, is a source that cannot."""
    if len(within) >= DEEPEST or path in within:
        yield Source(path, "warc", path)
        return
    try:
        with opened(path, config) as file:
            yield from _of_lines(file, opening(file)[0], path, config, within)
    except (OSError, ValueError):
        yield Source(path, "warc", path)


def _of_lines(file: BinaryIO, packing: Packing, path: str, config: Config, within: tuple[str, ...]) -> Iterator[Source]:
    held = Unpacked(file, packing)
    for line in _lines(held):
        if line and not line.startswith("#"):
            yield from _sources(_prefixed(line, config.prefix), config, line, (*within, path))
    if held.fault or held.cut:
        yield Source(path, "warc", path)


def _prefixed(path: str, prefix: str) -> str:
    """A path of a list with what stands before all that are not whole themselves."""
    if not prefix or is_remote(path) or path.startswith("file://") or os.path.isabs(path):
        return path
    return prefix + ("" if prefix.endswith("/") else "/") + path


def _lines(held: Unpacked) -> Iterator[str]:
    """Lines, without what stands around them; of one that is no path any more the beginning, which will not be found."""
    while held.have(1):
        end = held.data.find(b"\n")
        while end < 0 and len(held.data) < LONGEST_PATH and held.have(len(held.data) + 1):
            end = held.data.find(b"\n")
        if end < 0 or end >= LONGEST_PATH:
            end = min(len(held.data), LONGEST_PATH) - 1
        yield held.copied(0, end + 1).decode("utf-8", "surrogateescape").strip()
        held.drop(end + 1)


def _folder(folder: str, config: Config) -> Iterator[Source]:
    """What lies in a folder: the pages of its index first, then every other file, in the order of names."""
    known: set[str] = set()
    index = os.path.join(folder, saved.INDEX)
    if os.path.isfile(index) and _is_index(index, config):
        yield from _index(index, config, known)
        known.add(saved.INDEX)
    for inside, trouble in walk(folder):
        path = os.path.join(folder, inside)
        if trouble or inside.replace(os.sep, "/") in known:
            if trouble:
                yield Source(path, "page", path)
            continue
        kind = kind_of_name(inside)
        yield from _file(path, kind if kind not in ("", LIST) else "page")


def _is_index(path: str, config: Config) -> bool:
    """Whether lines of JSON name the files that pages are in, and do not hold them."""
    try:
        with opened(path, config) as file:
            first = next(
                (line for line in lines(Unpacked(file, Packing.PLAIN), saved.LONGEST_LINE) if not line.trouble), None
            )
    except (OSError, ValueError):
        return False
    return first is not None and not saved.file_of(first.keys)[1]


def _index(path: str, config: Config, known: set[str]) -> Iterator[Source]:
    """Stretches of an index, of some hundred lines each; the files that it names go into a set."""
    begin = at = count = 0
    with opened(path, config) as file:
        size = file.seek(0, io.SEEK_END)
        for line in lines(Unpacked(file, Packing.PLAIN), saved.LONGEST_LINE):
            at = line.offset
            if count == INDEX_LINES:
                yield Source(path, "folder", path, size, begin, at)
                begin, count = at, 0
            count += 1
            known.add(saved.file_of(line.keys)[0])
    if count:
        yield Source(path, "folder", path, size, begin, size)


def _standard_input(config: Config) -> Iterator[Source]:
    """Standard input: an archive or lines of JSON, which are read as they come, or a list of paths."""
    stream = standard_input()
    head = cast(io.BufferedReader, stream).peek(LONGEST_PATH)
    packing = packing_of(head)
    held = Unpacked(io.BytesIO(head), packing)
    held.have(LONGEST_PATH)
    begin = bytes(held.data[:LONGEST_PATH])
    kind = kind_of_bytes(begin)
    if kind in ("wacz", "parquet"):
        raise UsageError(f"standard input is {kind}, which cannot be read as a stream: give its path")
    if kind or not begin:
        yield Source(STDIN, "stdin", STDIN)
        return
    if begin.lstrip().startswith(b"<"):
        raise UsageError("standard input is a page: a census reads archives, JSON Lines or a list of paths from there")
    rewindable = cast(BinaryIO, Rewindable(stream))
    yield from _of_lines(rewindable, packing, STDIN, config, ())
