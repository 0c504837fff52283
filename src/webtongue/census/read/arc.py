"""ARC files, the predecessor of WARC: a line of five fields, or ten in version 2, and then the response of the server.

Each record is a gzip member, or the file is compressed as a whole, or not at all. The line of a record::

    http://example.org/ 192.0.2.7 20080430204825 text/html 1591
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from webtongue.census.capture import Capture
from webtongue.census.config import Config
from webtongue.census.read.captures import MAX_HEAD_BYTES, MAX_URL_CHARS, build_capture, damage_capture, is_sampled
from webtongue.census.read.decompress import Compression
from webtongue.census.read.records import ArchiveFormat, Bytes, Damage, RecordHead, RecordReader

__all__ = ["ARC", "read_arc"]

MAX_LINE_BYTES = 1 << 14  # the line before a record is mostly its URL
SCHEME = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]{1,20}:")
LINE_WITH_SCHEME = re.compile(rb"\n([A-Za-z][A-Za-z0-9+.-]{1,20}:)")
IP = re.compile(rb"[0-9A-Fa-f.:]{3,45}|-?")
DATE = re.compile(rb"[0-9]{12,18}")  # fourteen digits; some tools wrote a few more or less
VERSION_2_FIELDS = 7  # from the media type on
FILE_DESCRIPTION = b"filedesc:"  # the first record of an ARC file describes the file


def _split_line(data: Bytes, start: int) -> tuple[list[bytes], int]:
    """Return the fields of a line and the index after it; no fields if the line does not end."""
    end = data.find(b"\n", start, start + MAX_LINE_BYTES)
    return (bytes(data[start:end]).rstrip(b"\r\t ").split(b" "), end + 1) if end >= 0 else ([], -1)


def _date_index(fields: list[bytes]) -> int:
    """Return the index of the date, or 0. The date follows an IP address; a URL may contain spaces and numbers."""
    for index in range(2, len(fields) - 1):
        if DATE.fullmatch(fields[index]) and IP.fullmatch(fields[index - 1]):
            return index
    return 0


def _starts_record(data: Bytes, index: int) -> bool:
    if data.startswith(FILE_DESCRIPTION, index):
        return True
    fields, _ = _split_line(data, index)
    return len(fields) >= 5 and SCHEME.match(fields[0]) is not None and _date_index(fields) > 0


def _find_record(data: Bytes, start: int, end: int) -> int:
    """Return the index of the first line of a record; among other bytes, only a line that ends with a length is one."""
    position = max(start - 1, 0)
    while match := LINE_WITH_SCHEME.search(data, position, end):
        fields, _ = _split_line(data, match.start(1))
        if _date_index(fields) and fields[-1].lstrip(b"-").isdigit():
            return match.start(1)
        position = match.end()
    return -1


def _parse_head(data: Bytes, start: int) -> RecordHead | None:
    fields, end = _split_line(data, start)
    if not fields:
        return None
    date = _date_index(fields)
    size = int(fields[-1]) if fields[-1].isdigit() and len(fields[-1]) < 19 else 0
    if not date:
        return RecordHead({b"warc-target-uri": fields[0]}, size, end)
    rest = fields[date + 1 : -1]
    warc_fields = {
        b"warc-target-uri": b" ".join(fields[: date - 1]),
        b"warc-ip-address": fields[date - 1].strip(b"-"),
        b"warc-date": fields[date],
        b"content-type": b" ".join(rest[:1] if len(rest) + 1 >= VERSION_2_FIELDS else rest),
    }
    return RecordHead(warc_fields, size, end)


ARC = ArchiveFormat(_starts_record, _find_record, _parse_head, MAX_LINE_BYTES, start_bytes=MAX_LINE_BYTES)


def read_arc(file: BinaryIO, compression: Compression, filename: str, config: Config) -> Iterator[Capture]:
    """Read the captures of a file. All of them are responses, most of them of HTTP."""
    for record in RecordReader(file, compression, ARC, 0, 0, config.max_page_bytes + MAX_HEAD_BYTES):
        if isinstance(record, Damage):
            yield damage_capture(record, filename)
            continue
        url = record.fields[b"warc-target-uri"]
        if url.startswith(FILE_DESCRIPTION):
            continue
        if url[:4].lower() == b"http":
            record.fields = {**record.fields, b"content-type": b"application/http"}
        capture = build_capture("response", record, url.decode("utf-8", "replace")[:MAX_URL_CHARS], filename, config)
        if config.sample == 1 or is_sampled(capture.digest or f"{capture.url} {record.offset}", config.sample):
            yield capture
