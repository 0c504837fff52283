"""Page lists: ``index.jsonl``, a line of JSON for each page of a folder, with its address, headers and what else is known of it.

{"file": "a.html", "url": "https://example.org/a", "headers": {"Content-Type": "text/html"}, "ip": "192.0.2.7", "country": "IS",
 "inlinks": [{"url": "https://example.is/", "language": "is", "anchor": "..."}], "host": {"isl": 40, "eng": 2}}

The command line and the census read page lists with this module, so both know the same keys and refuse the same lines.
"""

from __future__ import annotations

import json
import math
import os
import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, BinaryIO, NoReturn

from webtongue.errors import UnreadableFile
from webtongue.page import Inlink, parse_inlinks

__all__ = [
    "INDEX", "KEYS", "Entry", "entries", "is_page_list", "json_object", "lines", "path_of", "value_of",
]  # fmt: skip

INDEX = "index.jsonl"
MAX_LINE_BYTES = 1 << 24  # a longer line is not read, so that no file can fill the memory
MAX_JUDGED = 1000  # lines that decide whether a file is a page list
BOM = b"\xef\xbb\xbf"
# What a page list and tables of pages say of a page, and the names that it goes by; the first that has a value counts. Some are
# those of Common Crawl's index.
KEYS: Mapping[str, tuple[str, ...]] = {
    "file": ("file", "path"),
    "url": ("url",),
    "headers": ("headers", "http_headers"),
    "ip": ("ip", "ip_address", "warc_ip_address"),
    "country": ("country",),
    "inlinks": ("inlinks",),
    "host": ("host",),
    "time": ("fetch_time", "timestamp", "date"),
    "status": ("fetch_status", "status", "status_code"),
    "type": ("content_type", "mime_type", "content_mime_type"),
    "digest": ("digest", "content_digest"),
    "truncated": ("content_truncated", "truncated"),
}
WORDS = ("url", "ip", "country")
CONTENT_KEYS = ("html", "content", "text")  # where tables of pages have the page itself


def value_of(keys: Mapping[str, Any], name: str) -> Any:
    """Return what a row says under one of the names of a key; None where it says nothing."""
    return next((value for key in KEYS[name] if (value := keys.get(key)) is not None), None)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a line says of a page: its file, relative to the folder of the list, and all its keys.

    ``trouble`` is why the line cannot be used; then ``file`` may be empty.
    """

    number: int  # of its line, counted from where reading began
    offset: int = 0  # of its first byte
    file: str = ""
    keys: Mapping[str, Any] = field(default_factory=dict)
    trouble: str = ""

    @property
    def url(self) -> str | None:
        """The address of the page."""
        return value_of(self.keys, "url") or None

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers it was served with."""
        return value_of(self.keys, "headers") or {}

    @property
    def ip(self) -> str | None:
        """The address of its server."""
        return value_of(self.keys, "ip") or None

    @property
    def country(self) -> str | None:
        """The country of its server, a code."""
        return value_of(self.keys, "country") or None

    @property
    def inlinks(self) -> tuple[Inlink, ...]:
        """Links to it; what is none in the list is left out."""
        return parse_inlinks(value_of(self.keys, "inlinks") or ())

    @property
    def host(self) -> Mapping[str, float] | None:
        """How many other pages of its host are in each language."""
        return value_of(self.keys, "host") or None


def entries(file: BinaryIO, begin: int = 0, end: int = 0) -> Iterator[Entry]:
    """Read the lines that begin between two offsets, in their order; empty lines are left out. ``end`` 0 is the end of the file."""
    if begin:
        file.seek(begin)
    offset = begin
    for number, (line, size) in enumerate(_sized_lines(file), 1):
        if end and offset >= end:
            return
        if line is None:
            yield Entry(number, offset, trouble=f"longer than {MAX_LINE_BYTES >> 20} MB")
        elif stripped := (line.removeprefix(BOM) if not offset else line).strip():
            yield _entry(number, offset, stripped)
        offset += size


def lines(file: BinaryIO) -> Iterator[bytes | None]:
    """Read the lines of a file; None stands for one that is too long."""
    return (line for line, _ in _sized_lines(file))


def _sized_lines(file: BinaryIO) -> Iterator[tuple[bytes | None, int]]:
    while line := file.readline(MAX_LINE_BYTES + 1):
        size = len(line)
        if size <= MAX_LINE_BYTES:
            yield line, size
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE_BYTES)
            size += len(line)
        yield None, size


def is_page_list(file: BinaryIO, content_keys: tuple[str, ...] = CONTENT_KEYS) -> bool:
    """Return whether a file that is called ``index.jsonl`` lists pages, and does not hold them itself.

    Most of its first lines decide: those that name a file against those that have a page in them. Bad lines say nothing.
    """
    listing = holding = 0
    for entry in islice(entries(file), MAX_JUDGED):
        holds_page = any(entry.keys.get(key) is not None for key in content_keys)
        if holds_page and not isinstance(entry.keys.get("file"), str):  # `path` may be that of its address
            holding += 1
        elif entry.file:
            listing += 1
    return listing >= holding


def path_of(folder: str, entry: Entry) -> str:
    """Return the path of the file that an entry names; raise UnreadableFile where it lies outside the folder of the list.

    Links to files are followed as they are where a folder is walked; folders on the way may be links within the folder only.
    """
    if posixpath.isabs(entry.file) or os.path.isabs(entry.file) or entry.file.split("/")[0] == "..":
        raise UnreadableFile("outside the folder of its index")
    path = os.path.join(folder, entry.file)
    root, around = os.path.realpath(folder), os.path.realpath(os.path.dirname(path))
    if around != root and not around.startswith(os.path.join(root, "")):
        raise UnreadableFile("outside the folder of its index: a folder on its way is a link")
    return path


def json_object(line: bytes) -> tuple[dict[str, Any], str]:
    """Parse a line that should be an object of JSON; return it, or why it is none."""
    try:
        found = json.loads(line, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        return {}, "not JSON that can be read: nested too deeply"
    except ValueError as error:
        return {}, f"not JSON: {str(error)[:100]}"
    if not isinstance(found, dict):
        return {}, f"not an object but {_kind(found)}"
    return found, ""


def _entry(number: int, offset: int, line: bytes) -> Entry:
    keys, trouble = json_object(line)
    if trouble:
        return Entry(number, offset, trouble=trouble)
    file = value_of(keys, "file")
    if not isinstance(file, str) or not file:
        return Entry(number, offset, keys=keys, trouble="no file is named")
    return Entry(number, offset, posixpath.normpath(file), keys, _wrong_type(keys))


def _wrong_type(keys: Mapping[str, Any]) -> str:
    for name in WORDS:
        if not isinstance(value := value_of(keys, name), str | None):
            return f"{name} is {_kind(value)}, not a string"
    if not isinstance(headers := value_of(keys, "headers"), dict | None):
        return f"headers are {_kind(headers)}, not an object"
    if not isinstance(inlinks := value_of(keys, "inlinks"), list | None):
        return f"inlinks are {_kind(inlinks)}, not a list"
    if not isinstance(host := value_of(keys, "host"), dict | None):
        return f"host is {_kind(host)}, not an object of languages and numbers of pages"
    return ""


def _kind(value: Any) -> str:
    names = {bool: "a boolean", dict: "an object", list: "a list", str: "a string", type(None): "null"}
    return names.get(type(value), "a number")


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is too large a number")
    return value
