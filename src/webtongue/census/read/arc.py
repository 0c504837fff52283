"""ARC files, the format before WARC: a line of five fields, or ten in version 2, then what the server sent.

Packed a record a member, as a whole, or not at all. The line of a record::

    http://example.org/ 192.0.2.7 20080430204825 text/html 1591
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from webtongue.census.capture import Capture
from webtongue.census.config import Config
from webtongue.census.read.captures import BEGINNING, LONGEST_URL, captured, damaged, is_sampled
from webtongue.census.read.records import Bytes, Damage, Form, Head, Records
from webtongue.census.read.unpack import Packing

__all__ = ["ARC", "captures"]

LONGEST_LINE = 1 << 14  # bytes of the line before a record, most of them its address
SCHEME = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]{1,20}:")
NEXT = re.compile(rb"\n([A-Za-z][A-Za-z0-9+.-]{1,20}:)")
IP = re.compile(rb"[0-9A-Fa-f.:]{3,45}|-?")
DATE = re.compile(rb"[0-9]{12,18}")  # fourteen digits, with a few that some tools left out or added
VERSION_2 = 7  # fields from the type on
OWN = b"filedesc:"  # what an ARC file says of itself: its first record


def _line(data: Bytes, start: int) -> tuple[list[bytes], int]:
    """The fields of a line, and where it ends; no fields where it does not."""
    end = data.find(b"\n", start, start + LONGEST_LINE)
    return (bytes(data[start:end]).rstrip(b"\r\t ").split(b" "), end + 1) if end >= 0 else ([], -1)


def _date(fields: list[bytes]) -> int:
    """Which of the fields is the date, 0 where none is: it follows an IP number, since addresses hold spaces and numbers."""
    for index in range(2, len(fields) - 1):
        if DATE.fullmatch(fields[index]) and IP.fullmatch(fields[index - 1]):
            return index
    return 0


def _begins(data: Bytes, at: int) -> bool:
    if data.startswith(OWN, at):
        return True
    fields, _ = _line(data, at)
    return len(fields) >= 5 and SCHEME.match(fields[0]) is not None and _date(fields) > 0


def _find(data: Bytes, start: int, end: int) -> int:
    """Among other bytes only a line counts that ends with a length."""
    at = max(start - 1, 0)
    while found := NEXT.search(data, at, end):
        fields, _ = _line(data, found.start(1))
        if _date(fields) and fields[-1].lstrip(b"-").isdigit():
            return found.start(1)
        at = found.end()
    return -1


def _head(data: Bytes, start: int) -> Head | None:
    fields, end = _line(data, start)
    if not fields:
        return None
    date = _date(fields)
    size = int(fields[-1]) if fields[-1].isdigit() and len(fields[-1]) < 19 else 0
    if not date:
        return Head({b"warc-target-uri": fields[0]}, size, end)
    rest = fields[date + 1 : -1]
    known = {
        b"warc-target-uri": b" ".join(fields[: date - 1]),
        b"warc-ip-address": fields[date - 1].strip(b"-"),
        b"warc-date": fields[date],
        b"content-type": b" ".join(rest[:1] if len(rest) + 1 >= VERSION_2 else rest),
    }
    return Head(known, size, end)


ARC = Form(_begins, _find, _head, LONGEST_LINE, opening=LONGEST_LINE)


def captures(file: BinaryIO, packing: Packing, filename: str, config: Config) -> Iterator[Capture]:
    """The captures of a file. All are responses, and most of them of HTTP."""
    for found in Records(file, packing, ARC, 0, 0, config.largest_page + BEGINNING):
        if isinstance(found, Damage):
            yield damaged(found, filename)
            continue
        url = found.fields[b"warc-target-uri"]
        if url.startswith(OWN):
            continue
        if url[:4].lower() == b"http":
            found.fields = {**found.fields, b"content-type": b"application/http"}
        capture = captured("response", found, url.decode("utf-8", "replace")[:LONGEST_URL], filename, config)
        if config.sample == 1 or is_sampled(capture.digest or f"{capture.url} {found.offset}", config.sample):
            yield capture
