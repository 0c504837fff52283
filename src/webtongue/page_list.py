"""Page lists (``index.jsonl``): a line of JSON for each page of a folder, with its URL, its headers and further evidence.

{"file": "a.html", "url": "https://example.org/a", "headers": {"Content-Type": "text/html"}, "ip": "192.0.2.7", "country": "IS",
 "inlinks": [{"url": "https://example.is/", "language": "is", "anchor": "..."}], "host": {"isl": 40, "eng": 2}}

The command line and the census both read page lists with this module, so that they accept the same keys and reject the same lines.
"""

from __future__ import annotations

import json
import math
import os
import posixpath
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, BinaryIO, NoReturn

from webtongue.errors import UnreadableFile
from webtongue.page import Inlink, parse_inlinks
from webtongue.records import dataclass, field

__all__ = [
    "INDEX", "KEYS", "Entry", "entries", "is_page_list", "json_object", "lines", "path_of", "value_of",
]  # fmt: skip

INDEX = "index.jsonl"
MAX_LINE_BYTES = 1 << 24  # a longer line is not read, so that no file can fill the memory
MAX_CHECKED_LINES = 1000  # lines that decide whether a file is a page list
BOM = b"\xef\xbb\xbf"
# The keys of a page in page lists and in tables of pages, each with its accepted names; the first name that has a value counts.
# Some of the names are those of Common Crawl's index.
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
STRING_KEYS = ("url", "ip", "country")
CONTENT_KEYS = ("html", "content", "text")  # names under which a table of pages has the page itself


def value_of(keys: Mapping[str, Any], name: str) -> Any:
    """Return the value of a key under any of its names; None if the row has none."""
    return next((value for key in KEYS[name] if (value := keys.get(key)) is not None), None)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a page list: the file of a page, relative to the folder of the list, and all keys of the line.

    ``error`` says why the line cannot be used; ``file`` may then be empty.
    """

    number: int  # line number, counted from the first line that was read
    offset: int = 0  # offset of the line's first byte
    file: str = ""
    keys: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""

    @property
    def url(self) -> str | None:
        """The URL of the page."""
        return value_of(self.keys, "url") or None

    @property
    def headers(self) -> Mapping[str, str]:
        """The HTTP headers of the page."""
        return value_of(self.keys, "headers") or {}

    @property
    def ip(self) -> str | None:
        """The IP address of the server."""
        return value_of(self.keys, "ip") or None

    @property
    def country(self) -> str | None:
        """The country code of the server."""
        return value_of(self.keys, "country") or None

    @property
    def inlinks(self) -> tuple[Inlink, ...]:
        """The links to the page; list items that are not links are left out."""
        return parse_inlinks(value_of(self.keys, "inlinks") or ())

    @property
    def host(self) -> Mapping[str, float] | None:
        """The number of other pages of the host in each language."""
        return value_of(self.keys, "host") or None


def entries(file: BinaryIO, begin: int = 0, end: int = 0) -> Iterator[Entry]:
    """Yield the lines that begin between two offsets, without empty ones; ``end`` 0 is the end of the file."""
    if begin:
        file.seek(begin)
    offset = begin
    for number, (line, size) in enumerate(_sized_lines(file), 1):
        if end and offset >= end:
            return
        if line is None:
            yield Entry(number, offset, error=f"longer than {MAX_LINE_BYTES >> 20} MB")
        elif stripped := (line.removeprefix(BOM) if not offset else line).strip():
            yield _entry(number, offset, stripped)
        offset += size


def lines(file: BinaryIO) -> Iterator[bytes | None]:
    """Yield the lines of a file, None for a line that is too long."""
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
    """Return True if a file named ``index.jsonl`` lists pages, False if it contains the pages themselves.

    The majority of its first lines decides: lines that name a file against lines that contain a page. Bad lines do not count.
    """
    listing = holding = 0
    for entry in islice(entries(file), MAX_CHECKED_LINES):
        holds_page = any(entry.keys.get(key) is not None for key in content_keys)
        if holds_page and not isinstance(entry.keys.get("file"), str):  # `path` may be the path of its URL
            holding += 1
        elif entry.file:
            listing += 1
    return listing >= holding


def path_of(folder: str, entry: Entry) -> str:
    """Return the path of the file that an entry names; raise UnreadableFile if it is outside the folder of the list.

    Links to files are followed, as in ``files.walk_files``. Links to folders are followed only if they stay inside the folder.
    """
    if posixpath.isabs(entry.file) or os.path.isabs(entry.file) or entry.file.split("/")[0] == "..":
        raise UnreadableFile("outside the folder of its index")
    path = os.path.join(folder, entry.file)
    root, parent = os.path.realpath(folder), os.path.realpath(os.path.dirname(path))
    if parent != root and not parent.startswith(os.path.join(root, "")):
        raise UnreadableFile("outside the folder of its index: a folder on its way is a link")
    return path


def json_object(line: bytes) -> tuple[dict[str, Any], str]:
    """Parse a line of JSON; return its object and an empty string, or an empty object and the reason why it is not one."""
    try:
        value = json.loads(line, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        return {}, "not JSON that can be read: nested too deeply"
    except ValueError as error:
        return {}, f"not JSON: {str(error)[:100]}"
    if not isinstance(value, dict):
        return {}, f"not an object but {_kind(value)}"
    return value, ""


def _entry(number: int, offset: int, line: bytes) -> Entry:
    keys, error = json_object(line)
    if error:
        return Entry(number, offset, error=error)
    file = value_of(keys, "file")
    if not isinstance(file, str) or not file:
        return Entry(number, offset, keys=keys, error="no file is named")
    return Entry(number, offset, posixpath.normpath(file), keys, _type_error(keys))


def _type_error(keys: Mapping[str, Any]) -> str:
    """Return a sentence about the first value of a wrong type; empty if there is none."""
    for name in STRING_KEYS:
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
