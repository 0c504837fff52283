"""Saved pages: a file is a page, and an ``index.jsonl`` in their folder says what else is known of them.

A line of the index is of one page, as ``webtongue identify`` reads it too::

    {"file": "a.html", "url": "https://example.org/a", "headers": {"Content-Type": "text/html"}, "ip": "192.0.2.7", "country": "IS"}
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Any

from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.config import Config
from webtongue.census.read.captures import LONGEST_URL, is_sampled, unreadable
from webtongue.census.read.jsonlines import lines
from webtongue.census.read.known import bad_row, described, filled
from webtongue.census.read.media import is_binary_name
from webtongue.census.read.opening import Sleep, opened
from webtongue.census.read.unpack import Packing, Unpacked
from webtongue.files import sentence

__all__ = ["INDEX", "LONGEST_LINE", "file_of", "indexed", "page"]

INDEX = "index.jsonl"
LONGEST_LINE = 1 << 24  # bytes of a line of the index
# What browsers write at the top of a page that they save.
SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d{1,6}\)([^\s>]{1,4096})\s*-->")
TOP = 2048  # bytes in which it is looked for


def page(path: str, name: str, config: Config, sleep: Sleep, row: Mapping[str, Any] | None = None) -> Iterator[Capture]:
    """A saved page, with what is known of it; none where it is not of the sample."""
    capture = described(row or {}, name, 0)
    try:
        with opened(path, config, sleep) as file:
            body = file.read(config.largest_page + 1)
    except (OSError, ValueError) as error:  # a name that no file can have is a ValueError
        yield bad_row(capture, sentence(error), Problem.UNREADABLE)
        return
    capture.length = len(body)
    if not capture.url and (found := SAVED_FROM.search(body, 0, TOP)):
        capture.url = found[1].decode("utf-8", "replace")[:LONGEST_URL]
    whole = len(body) <= config.largest_page
    filled(capture, body, config, whole)
    if not capture.mime_type and is_binary_name(name):
        capture.status, capture.body = Status.SKIPPED, None
    if config.sample == 1 or is_sampled(capture.digest or name, config.sample):
        yield capture


def indexed(path: str, name: str, config: Config, sleep: Sleep, begin: int = 0, end: int = 0) -> Iterator[Capture]:
    """The pages that an index names, in its order: those of the lines that begin between two offsets."""
    folder, called = path.rpartition("/")[0], name.rpartition("/")[0]
    try:
        with opened(path, config, sleep) as file:
            for line in lines(Unpacked(file, Packing.PLAIN, begin), LONGEST_LINE):
                offset = begin + line.offset
                if end and offset >= end:
                    return
                file_name, trouble = file_of(line.keys)
                if line.trouble or trouble:
                    yield bad_row(described(line.keys, name, offset), line.trouble or trouble)
                    continue
                inside = posixpath.join(folder, file_name) if folder else file_name
                yield from page(inside, posixpath.join(called, file_name), config, sleep, line.keys)
    except (OSError, ValueError) as error:
        yield unreadable(name, sentence(error))


def file_of(keys: Mapping[str, Any]) -> tuple[str, str]:
    """The file that a line names, within the folder of the index; or what is wrong with it."""
    name = keys.get("file") if keys.get("file") is not None else keys.get("path")
    if not isinstance(name, str) or not name:
        return "", "no file is named"
    clean = posixpath.normpath(name)
    if posixpath.isabs(name) or os.path.isabs(name) or clean.split("/")[0] == "..":
        return clean, "outside the folder of its index"
    return clean, ""
