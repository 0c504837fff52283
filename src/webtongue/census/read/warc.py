"""WARC files: fastwarc reads intact records, and ``RecordReader`` everything else.

fastwarc decompresses gzip twice as fast as Python's zlib, but it stops at damage, ends silently at an empty member, and trusts
the stated length of a record. Its output is therefore checked: every record must lie within one member, and the next record must
follow. Where that fails, ``RecordReader`` reads from the last good offset on, until a record is intact again. It also reads the
last record of a file and whatever follows it. Both readers give a ``Record``, which ``build_capture`` converts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, BinaryIO, cast

from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.config import Config
from webtongue.census.read.captures import (
    MAX_FIELD_CHARS,
    MAX_HEAD_BYTES,
    MAX_URL_CHARS,
    build_capture,
    damage_capture,
    is_sampled,
)
from webtongue.census.read.decompress import Compression
from webtongue.census.read.members import find_member
from webtongue.census.read.records import NO_FIELDS, ArchiveFormat, Bytes, Damage, Record, RecordHead, RecordReader
from webtongue.errors import MissingExtra

__all__ = ["WARC", "read_warc"]

MAX_RECORD_HEAD_BYTES = 1 << 16  # tools write one or two KB
MAX_SKIPPED_BYTES = 1 << 30  # bytes of content that fastwarc may skip, because it decompresses them
FASTWARC_TYPES = {4: "response", 8: "resource", 64: "revisit", 128: "conversion"}  # record types that become captures
CAPTURE_TYPES = frozenset(FASTWARC_TYPES.values())
READ_ERRORS = (StopIteration, OSError, ValueError, EOFError, RuntimeError)  # errors of fastwarc and of the file
EMPTY_LINE = re.compile(rb"\n\r*\n")
# Among other bytes, a record is recognised by two lines of its head, because pages write about WARC too.
RECORD_START = re.compile(
    rb"(?:WARC|warc)/[01]\.[0-9]{1,3}[ \t]*\r*\n(?:WARC-|warc-|Content-|content-)[A-Za-z0-9-]{0,60}[ \t]*:"
)
MAX_LENGTH_DIGITS = 18


def _parse_head(data: Bytes, start: int) -> RecordHead | None:
    end = data.find(b"\r\n\r\n", start, start + MAX_RECORD_HEAD_BYTES)
    if end >= 0 and data.find(b"\n\n", start, end) < 0:
        content_start = end + 4
    elif match := EMPTY_LINE.search(data, start, start + MAX_RECORD_HEAD_BYTES):
        end, content_start = match.span()
    else:
        return None
    fields: dict[bytes, bytes] = {}
    name = b""
    for line in bytes(data[start:end]).splitlines()[1:]:
        if line[:1] in (b" ", b"\t") and name:  # a folded line
            fields[name] = (fields[name] + b" " + line.strip()).lstrip()
            continue
        name, _, value = line.partition(b":")
        name = name.strip().lower()
        fields[name] = value.strip()
    return RecordHead(fields, _stated_size(fields), content_start)


def _stated_size(fields: Mapping[bytes, bytes]) -> int:
    """Return the stated length of a record; 0 if that is no length, so that the next record is searched for."""
    text = fields.get(b"content-length", b"")
    return int(text) if text.isdigit() and len(text) <= MAX_LENGTH_DIGITS else 0


def _starts_record(data: Bytes, index: int) -> bool:
    return data.startswith((b"WARC/", b"warc/"), index)


def _find_record(data: Bytes, start: int, end: int) -> int:
    match = RECORD_START.search(data, start, end)
    return match.start() if match else -1


WARC = ArchiveFormat(_starts_record, _find_record, _parse_head, MAX_RECORD_HEAD_BYTES, start_bytes=128)


def read_warc(
    file: BinaryIO, compression: Compression, filename: str, config: Config, begin: int = 0, end: int = 0
) -> Iterator[Capture]:
    """Read the captures of a file, or those whose records start between two offsets of a file with a member for each record."""
    if begin:
        begin = find_member(file, compression, begin, lambda data: _starts_record(data, 0))
        if begin < 0 or (end and begin >= end):
            return
    is_fast = compression is not Compression.ZSTD and file.seekable()
    pending = NO_PENDING
    while begin >= 0:
        if is_fast:
            begin, pending = yield from _read_fast(file, compression, filename, config, begin, end)
            if begin < 0:
                return
        records = RecordReader(file, compression, WARC, begin, end, _max_content_bytes(config))
        begin = yield from _read_tolerant(records, filename, config, is_fast, pending)


def _max_content_bytes(config: Config) -> int:
    return config.max_page_bytes + MAX_HEAD_BYTES


def _read_tolerant(
    records: RecordReader, filename: str, config: Config, is_fast: bool, pending: _Pending
) -> Generator[Capture, None, int]:
    """Read captures up to the first intact record; return the offset at which fastwarc may continue, or -1 at the end.

    ``pending`` is the capture that was already built from the first record.
    """
    for record in records:
        if isinstance(record, Damage):
            yield damage_capture(record, filename)
            continue
        record_type = record.fields.get(b"warc-type", b"").lower().decode("latin-1")
        if record_type in CAPTURE_TYPES:
            capture = pending.capture
            if capture is not None and (capture.offset, pending.size, False) == (
                record.offset,
                record.size,
                record.is_cut,
            ):
                capture.length = record.length
            else:
                capture = _build_sampled(record_type, record, filename, config)
            if capture is not None:
                yield _check_bomb(capture, record.size, config)
        if is_fast and records.next_offset >= 0:
            return records.next_offset
    return -1


@dataclass(frozen=True, slots=True)
class _Pending:
    """A capture that was built from fastwarc's record, and the stated size of the record; what follows it is not yet checked."""

    capture: Capture | None = None
    size: int = 0


NO_PENDING = _Pending()


def _read_fast(
    file: BinaryIO, compression: Compression, filename: str, config: Config, begin: int, end: int
) -> Generator[Capture, None, tuple[int, _Pending]]:
    """Read captures with fastwarc up to the first irregularity; return the offset of the record to be read again, or -1 at the end.

    A capture is pending until the next record is read, because only that proves that it was intact. It is returned too.
    """
    file.seek(begin)
    records, offset_of = (_open_members if compression is Compression.GZIP else _open_plain)(file)
    is_sample, max_content_bytes = config.sample < 1, _max_content_bytes(config)
    pending = NO_PENDING
    last = -1
    while True:
        try:
            record = next(records)
            offset = offset_of(record)
            if offset <= last or (last < 0 and offset != begin):  # two records in a member, or one in several
                return max(last, begin), pending
            record_type, size = FASTWARC_TYPES.get(int(record.record_type)), record.content_length
            if size > MAX_SKIPPED_BYTES:
                return max(last, begin), pending
            fields, content = NO_FIELDS, b""
            if record_type is not None:
                items = record.headers.items_bytes()
                fields = {name.lower(): value.strip() for name, value in items}
                if len(fields) < len(items) or size != _stated_size(fields):
                    return max(last, begin), pending
                if is_sample and not _may_be_sampled(record_type, fields, config):
                    record_type = None
                elif size <= config.max_record_bytes:
                    content = record.reader.read(min(size, max_content_bytes))
            rest = size - len(content)
            # A record that reaches into the next member states a wrong length, and would swallow the records there.
            if (rest and record.reader.consume(rest) < rest) or offset_of(record) != offset:
                return max(last, begin), pending
        except BaseException as error:  # also at the end: what follows the last record is checked by RecordReader
            _reraise_unexpected(error)
            return max(last, begin), pending
        if pending.capture is not None:
            pending.capture.length = offset - last
            yield _check_bomb(pending.capture, pending.size, config)
        if end and offset >= end:
            return -1, NO_PENDING
        pending = NO_PENDING
        if record_type is not None:
            pending = _Pending(
                _build_sampled(record_type, Record(fields, content, size, offset), filename, config), size
            )
        last = offset


def _open_members(file: BinaryIO) -> tuple[Any, Callable[[Any], int]]:
    """Return fastwarc's records of a file with a member for each record, and the function from a record to its member's offset."""
    try:
        from fastwarc.stream_io import GzipReader
    except ImportError:
        raise MissingExtra("fastwarc", "census") from None
    stream = GzipReader(file)
    member_offset = stream.frame_start_position
    return _iterate(stream), lambda _: cast(int, member_offset())


def _open_plain(file: BinaryIO) -> tuple[Any, Callable[[Any], int]]:
    """Return fastwarc's records of a plain file, and the function from a record to its offset."""
    return _iterate(file), attrgetter("stream_pos")


def _iterate(stream: Any) -> Any:
    try:
        from fastwarc.warc import ArchiveIterator
    except ImportError:
        raise MissingExtra("fastwarc", "census") from None
    return iter(
        ArchiveIterator(
            stream, parse_http=False, max_header_len=MAX_RECORD_HEAD_BYTES, stream_detect=False, inplace=True
        )
    )


def _reraise_unexpected(error: BaseException) -> None:
    """Raise errors that are neither the end of a file nor a failure of fastwarc. Its panics are recognised by name."""
    if not isinstance(error, READ_ERRORS) and type(error).__name__ != "PanicException":
        raise error


def _build_sampled(record_type: str, record: Record, filename: str, config: Config) -> Capture | None:
    """Return the capture of a record, or None if it is not in the sample."""
    fields = record.fields
    url = fields.get(b"warc-target-uri", b"").decode("utf-8", "replace")
    if url.startswith("<") and url.endswith(">"):  # as some versions of wget write it
        url = url[1:-1]
    digest = _stated_digest(record_type, fields)
    capture = build_capture(record_type, record, url[:MAX_URL_CHARS], filename, config, digest)
    if config.sample < 1 and not is_sampled(capture.digest or f"{url} {record.offset}", config.sample):
        return None
    return capture


def _stated_digest(record_type: str, fields: Mapping[bytes, bytes]) -> str:
    """Return the digest of the payload, which is the whole block if the record has no HTTP head."""
    value = fields.get(b"warc-payload-digest", b"")
    if not value and (record_type == "conversion" or record_type == "resource"):
        value = fields.get(b"warc-block-digest", b"")
    digest = value.decode("latin-1")[:MAX_FIELD_CHARS]
    return digest[5:] if digest[:5].lower() == "sha1:" else digest


def _may_be_sampled(record_type: str, fields: Mapping[bytes, bytes], config: Config) -> bool:
    """Return False if the head of a record shows that it is not in the sample, so that its content need not be read."""
    digest = _stated_digest(record_type, fields)
    return not digest or is_sampled(digest, config.sample)


def _check_bomb(capture: Capture, size: int, config: Config) -> Capture:
    """Return the capture, as a failure if its record is compressed far more than text can be."""
    if capture.body is None or size <= config.max_page_bytes or not 0 < capture.length * config.bomb_ratio < size:
        return capture
    capture.status, capture.problem, capture.body = Status.FAILED, Problem.BOMB, None
    capture.detail = f"{capture.length:,} bytes decompress to {size:,}"
    return capture
