"""Expand inputs to sources: files of every kind, folders, lists of paths, standard input, URLs.

Sources keep the order of the inputs, and the same inputs give the same sources, because a census is resumed by their numbers. A
missing file becomes a source too, and a row with a reason when it is read.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, cast

from webtongue.census.config import Config
from webtongue.census.folder import is_journal, is_own_output
from webtongue.census.items import Source
from webtongue.census.read.decompress import Compression, DecompressedBuffer, detect_compression
from webtongue.census.read.input_kinds import PATH_LIST, kind_of_bytes, kind_of_name, read_start
from webtongue.census.read.records import Record, RecordReader
from webtongue.census.read.remote_io import STDIN, RewindableStream, is_remote, list_files, open_input, open_stdin
from webtongue.census.read.warc import WARC
from webtongue.errors import UsageError
from webtongue.files import open_regular_file, walk_files
from webtongue.page_list import CONTENT_KEYS, INDEX, entries, is_page_list, path_of

__all__ = ["SkippedFolder", "expand_inputs"]

SPLIT_BYTES = 1 << 30  # larger archives are split; Common Crawl's files have as many
PAGES_PER_SOURCE = 500  # lines of a page list that make one source
MAX_PATH_BYTES = 1 << 14  # length of a line in a list of paths
MAX_LIST_DEPTH = 3  # lists of lists of lists
MAX_NAMES_SHOWN = 3  # in an error message
PROBED_RECORDS, MAX_PROBE_BYTES = 3, 1 << 20  # records that show how an archive is compressed, and bytes kept of each

SkippedFolder = Callable[[str], None]  # called with the path of every folder that is skipped


@dataclass(frozen=True, slots=True)
class _Plan:
    """How inputs are expanded: settings, the folder of the result, and a callback for folders that are skipped."""

    config: Config
    out: str = ""
    on_skipped: SkippedFolder = lambda folder: None

    def skips(self, folder: str, names: Sequence[str]) -> bool:
        """Return True for a folder below an input that is no input: that of the result, or one that holds a census or a crawl."""
        if self.out and os.path.realpath(folder) == self.out:
            return True
        if is_own_output(folder, names):
            self.on_skipped(folder)
            return True
        return False


def expand_inputs(
    inputs: Sequence[str],
    config: Config,
    out: str | Path | None = None,
    on_skipped: SkippedFolder = lambda folder: None,
) -> Iterator[Source]:
    """Return the sources of the inputs, in order; raise UsageError if there are no inputs, or none of them exists.

    ``out`` is the folder of the result and never an input. Folders below an input that hold a census or a crawl are skipped unless
    they are inputs themselves; ``on_skipped`` is called with each of them.
    """
    if not inputs:
        raise UsageError("give files, folders, a list of paths, URLs, or - for standard input")
    if list(inputs).count(STDIN) > 1:
        raise UsageError("- is standard input, which can be read only once")
    if not any(path == STDIN or is_remote(path) or os.path.lexists(_local_path(path)) for path in inputs):
        shown = ", ".join(repr(path) for path in inputs[:MAX_NAMES_SHOWN])
        more = ", ..." if len(inputs) > MAX_NAMES_SHOWN else ""
        raise UsageError(f"nothing to read: {shown}{more} not found in {os.getcwd()}")
    plan = _Plan(config, os.path.realpath(out) if out is not None else "", on_skipped)
    return chain.from_iterable(_expand(path, plan) for path in inputs)


def _local_path(path: str) -> str:
    return path.removeprefix("file://")


def _expand(path: str, plan: _Plan, name: str = "", lists: tuple[str, ...] = ()) -> Iterator[Source]:
    """Return the sources of one input, or of a line of nested ``lists``; ``name`` is its name in rows if that is not the path."""
    if path == STDIN and not lists:
        return _expand_stdin(plan)
    if is_remote(path):
        return _expand_remote(path, plan, name, lists)
    path = _local_path(path)
    if os.path.isdir(path):
        return _expand_folder(path, plan)
    kind = kind_of_name(path) or _detect_kind(path, plan.config) or "page"
    if kind == PATH_LIST:
        return _expand_list(path, plan, lists)
    if os.path.basename(path) == INDEX and _is_page_list(path, plan.config):
        return _split_page_list(path, plan.config, set())
    return _split_file(path, kind, name)


def _split_file(path: str, kind: str, name: str = "") -> Iterator[Source]:
    """Yield a local file, in ranges if it is a large archive that can be read from within."""
    size, version = _stat(path)
    ranges = -(-size // SPLIT_BYTES) if kind == "warc" and size > SPLIT_BYTES and _has_record_members(path) else 1
    for number in range(ranges):
        bounds = (size * number // ranges, size * (number + 1) // ranges) if ranges > 1 else (0, 0)
        yield Source(path, kind, name or path, size, *bounds, version=version)


def _stat(path: str) -> tuple[int, str]:
    """Return the size of a file and its modification time, which shows that a file changed before a census is resumed."""
    try:
        stat = os.stat(path)
    except (OSError, ValueError):
        return 0, ""
    return stat.st_size, f"{stat.st_mtime_ns:x}"


def _has_record_members(path: str) -> bool:
    """Return True for gzip with a member for each record, judged by the first records, which may be damaged."""
    try:
        with open_regular_file(path) as file:
            if detect_compression(file.read(8)) is not Compression.GZIP:
                return False
            records = RecordReader(file, Compression.GZIP, WARC, 0, 0, MAX_PROBE_BYTES)
            probed = islice(records, PROBED_RECORDS)
            own_members = [records.next_offset > 0 for record in probed if isinstance(record, Record)]
            return len(own_members) > 1 and all(own_members)
    except OSError:
        return False


def _detect_kind(path: str, config: Config) -> str:
    """Return the kind of a file by its first bytes."""
    try:
        with open_input(path, config) as file:
            return kind_of_bytes(read_start(file)[1])
    except (OSError, ValueError):
        return ""


def _expand_remote(path: str, plan: _Plan, name: str, lists: tuple[str, ...]) -> Iterator[Source]:
    """Yield a URL, or all below one that ends with a slash. Sizes are not requested: a list may have a hundred thousand URLs."""
    if path.endswith("/") and not lists:
        try:
            for url, size in list_files(path, plan.config):
                kind = kind_of_name(url)
                yield Source(url, kind if kind not in ("", PATH_LIST) else "page", url, size)
        except OSError:
            yield Source(path, "warc", path)
        return
    kind = kind_of_name(path.partition("?")[0].partition("#")[0])
    if not kind and not lists:
        kind = _detect_kind(path, plan.config) or "page"
    if kind == PATH_LIST:
        yield from _expand_list(path, plan, lists)
    else:
        yield Source(path, kind or "warc", name or path)


def _expand_list(path: str, plan: _Plan, lists: tuple[str, ...]) -> Iterator[Source]:
    """Yield the sources of a list of paths. A list that cannot be read, or contains itself, is an unreadable source."""
    if len(lists) >= MAX_LIST_DEPTH or path in lists:
        yield Source(path, "warc", path)
        return
    try:
        with open_input(path, plan.config) as file:
            yield from _expand_lines(file, read_start(file)[0], path, plan, lists)
    except (OSError, ValueError):
        yield Source(path, "warc", path)


def _expand_lines(
    file: BinaryIO, compression: Compression, path: str, plan: _Plan, lists: tuple[str, ...]
) -> Iterator[Source]:
    buffer = DecompressedBuffer(file, compression)
    for line in _read_lines(buffer):
        if line and not line.startswith("#"):
            yield from _expand(_add_prefix(line, plan.config.prefix), plan, line, (*lists, path))
    if buffer.source.error or buffer.source.is_cut:
        yield Source(path, "warc", path)


def _add_prefix(path: str, prefix: str) -> str:
    """Return a path of a list with the prefix, unless the path is a URL or absolute."""
    if not prefix or is_remote(path) or path.startswith("file://") or os.path.isabs(path):
        return path
    return prefix + ("" if prefix.endswith("/") else "/") + path


def _read_lines(buffer: DecompressedBuffer) -> Iterator[str]:
    """Yield stripped lines. A line that is too long for a path is cut into pieces, which will not be found."""
    while buffer.fill(1):
        end = buffer.data.find(b"\n")
        while end < 0 and len(buffer.data) < MAX_PATH_BYTES and buffer.fill(len(buffer.data) + 1):
            end = buffer.data.find(b"\n")
        if end < 0 or end >= MAX_PATH_BYTES:
            end = min(len(buffer.data), MAX_PATH_BYTES) - 1
        yield buffer.copy(0, end + 1).decode("utf-8", "surrogateescape").strip()
        buffer.drop(end + 1)


def _expand_folder(folder: str, plan: _Plan) -> Iterator[Source]:
    """Yield the pages of a folder's page list, then all other files below the folder, sorted by name."""
    done: set[str] = set()
    index = os.path.join(folder, INDEX)
    if os.path.isfile(index) and _is_page_list(index, plan.config):
        yield from _split_page_list(index, plan.config, done)
        done.add(INDEX)
    with suppress(OSError):  # the walk reports it
        names = os.listdir(folder)
        done.update(name for name in names if is_journal(name, names))
    for relative_path, trouble in walk_files(folder, plan.skips):
        path = os.path.join(folder, relative_path)
        if trouble or relative_path.replace(os.sep, "/") in done:
            if trouble:
                yield Source(path, "page", path)
            continue
        kind = kind_of_name(relative_path)
        yield from _split_file(path, kind if kind not in ("", PATH_LIST) else "page")


def _is_page_list(path: str, config: Config) -> bool:
    """Return True if lines of JSON name the files of pages, and do not contain the pages."""
    content_keys = (config.content_column,) if config.content_column else CONTENT_KEYS
    try:
        with open_input(path, config) as file:
            return is_page_list(file, content_keys)
    except (OSError, ValueError):
        return False


def _split_page_list(path: str, config: Config, done: set[str]) -> Iterator[Source]:
    """Yield ranges of a page list with some hundred lines each, and add the files that it names to ``done``."""
    folder, (size, version) = os.path.dirname(path), _stat(path)
    begin = count = 0
    digest = hashlib.blake2b(version.encode(), digest_size=16)
    with open_input(path, config) as file:
        for entry in entries(file):
            if count == PAGES_PER_SOURCE:
                yield Source(path, "folder", path, size, begin, entry.offset, digest.hexdigest())
                begin, count = entry.offset, 0
                digest = hashlib.blake2b(version.encode(), digest_size=16)
            count += 1
            done.add(entry.file)
            with suppress(OSError, ValueError):  # it will be a row with a reason
                digest.update(repr(_stat(path_of(folder, entry))).encode())
    if count:
        yield Source(path, "folder", path, size, begin, size, digest.hexdigest())


def _expand_stdin(plan: _Plan) -> Iterator[Source]:
    """Yield standard input as one source if it is an archive or JSON Lines, or the sources of the list of paths that it is."""
    stream = open_stdin()
    head = cast(io.BufferedReader, stream).peek(MAX_PATH_BYTES)
    compression = detect_compression(head)
    buffer = DecompressedBuffer(io.BytesIO(head), compression)
    buffer.fill(MAX_PATH_BYTES)
    start = bytes(buffer.data[:MAX_PATH_BYTES])
    kind = kind_of_bytes(start)
    if kind in ("wacz", "parquet"):
        raise UsageError(f"standard input is {kind}, which cannot be read as a stream: give its path")
    if kind or not start:
        yield Source(STDIN, "stdin", STDIN)
        return
    if start.lstrip().startswith(b"<"):
        raise UsageError("standard input is a page: a census reads archives, JSON Lines or a list of paths from there")
    yield from _expand_lines(cast(BinaryIO, RewindableStream(stream)), compression, STDIN, plan, ())
