"""WARC files: fastwarc reads what is well, our own reader what is not.

fastwarc reads gzip twice as fast as Python's zlib does. It stops at damage, ends without a word at an empty member, and
believes what a record says of its length. So it is watched: every record must lie within one member, and the next must
follow. Where that fails, ``Records`` reads from the last good place on, and hands back once a record is as it should be;
it also reads the last record of a file, and what may stand behind it. Nothing is decided twice: both ways make a ``Record``,
and ``captured`` the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping
from operator import attrgetter
from typing import Any, BinaryIO, cast

from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.config import Config
from webtongue.census.read.captures import BEGINNING, LONGEST_URL, LONGEST_WORD, captured, damaged, is_sampled
from webtongue.census.read.members import next_member
from webtongue.census.read.records import NO_FIELDS, Bytes, Damage, Form, Head, Record, Records
from webtongue.census.read.unpack import Packing
from webtongue.errors import MissingExtra

__all__ = ["WARC", "captures"]

LONGEST_HEAD = 1 << 16  # bytes of a record's head; tools write one or two KB
LONGEST_SKIPPED = 1 << 30  # bytes of content that fastwarc may pass over: it has to unpack them
WANTED = {4: "response", 8: "resource", 64: "revisit", 128: "conversion"}  # numbers are fastwarc's
KINDS = frozenset(WANTED.values())
FAILURES = (StopIteration, OSError, ValueError, EOFError, RuntimeError)  # of fastwarc, and of the file below it
BLANK = re.compile(rb"\n\r*\n")
# Among other bytes a record is seen by two lines of its head: pages write of WARC too.
FOUND = re.compile(
    rb"(?:WARC|warc)/[01]\.[0-9]{1,3}[ \t]*\r*\n(?:WARC-|warc-|Content-|content-)[A-Za-z0-9-]{0,60}[ \t]*:"
)
MOST_DIGITS = 18  # of a length: more are no number of bytes


def _head(data: Bytes, start: int) -> Head | None:
    end = data.find(b"\r\n\r\n", start, start + LONGEST_HEAD)
    if end >= 0 and data.find(b"\n\n", start, end) < 0:
        begin = end + 4
    elif found := BLANK.search(data, start, start + LONGEST_HEAD):
        end, begin = found.span()
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
    return Head(fields, size_of(fields), begin)


def size_of(fields: Mapping[bytes, bytes]) -> int:
    """What a record says of its length; 0 where it says nothing that is a length: then what follows will show."""
    said = fields.get(b"content-length", b"")
    return int(said) if said.isdigit() and len(said) <= MOST_DIGITS else 0


def _begins(data: Bytes, at: int) -> bool:
    return data.startswith((b"WARC/", b"warc/"), at)


def _find(data: Bytes, start: int, end: int) -> int:
    found = FOUND.search(data, start, end)
    return found.start() if found else -1


WARC = Form(_begins, _find, _head, LONGEST_HEAD, opening=128)


def captures(
    file: BinaryIO, packing: Packing, filename: str, config: Config, begin: int = 0, end: int = 0
) -> Iterator[Capture]:
    """The captures of a file, or of the records that begin between two offsets of one that is packed a record a member."""
    if begin:
        begin = next_member(file, packing, begin, lambda opening: _begins(opening, 0))
        if begin < 0 or (end and begin >= end):
            return
    quick = packing is not Packing.ZSTD and file.seekable()
    while begin >= 0:
        if quick:
            begin = yield from _quickly(file, packing, filename, config, begin, end)
            if begin < 0:
                return
        begin = yield from _carefully(Records(file, packing, WARC, begin, end, _kept(config)), filename, config, quick)


def _kept(config: Config) -> int:
    return config.largest_page + BEGINNING


def _carefully(records: Records, filename: str, config: Config, quick: bool) -> Generator[Capture, None, int]:
    """Captures up to where a quicker reader may go on: its offset, or -1 at the end."""
    for found in records:
        if isinstance(found, Damage):
            yield damaged(found, filename)
            continue
        kind = found.fields.get(b"warc-type", b"").lower().decode("latin-1")
        if kind in KINDS:
            capture = _capture(kind, found, filename, config)
            if capture is not None:
                yield _weighed(capture, found.size, config)
        if quick and records.next_at >= 0:
            return records.next_at
    return -1


def _quickly(
    file: BinaryIO, packing: Packing, filename: str, config: Config, begin: int, until: int
) -> Generator[Capture, None, int]:
    """Captures up to where something is amiss: the offset of the record to be looked at again, or -1 at the end.

    A capture is held until the next record was read, since only that proves that all was well with it.
    """
    file.seek(begin)
    records, place = (_members if packing is Packing.GZIP else _lines)(file)
    sample, kept = config.sample < 1, _kept(config)
    held: Capture | None = None
    last, size = -1, 0
    while True:
        try:
            found = next(records)
            at = place(found)
            if at <= last or (last < 0 and at != begin):  # two records in a member, or one in several
                return max(last, begin)
            kind, own = WANTED.get(int(found.record_type)), found.content_length
            if own > LONGEST_SKIPPED:
                return max(last, begin)
            fields, content = NO_FIELDS, b""
            if kind is not None:
                items = found.headers.items_bytes()
                fields = {name.lower(): value for name, value in items}
                if len(fields) < len(items) or own != size_of(fields):
                    return max(last, begin)
                if sample and not _may_be_sampled(kind, fields, config):
                    kind = None
                else:
                    wanted = min(own, kept) if own <= config.largest_record else 0
                    content = found.reader.read(wanted) if wanted else b""
                    if len(content) < wanted or place(found) != at:
                        return max(last, begin)
        except BaseException as error:  # also at the end: what the last record is followed by is looked at
            return _looked_at_again(error, max(last, begin))
        if held is not None:
            held.length = at - last
            yield _weighed(held, size, config)
        if until and at >= until:
            return -1
        held = _capture(kind, Record(fields, content, own, at), filename, config) if kind is not None else None
        last, size = at, own


def _members(file: BinaryIO) -> tuple[Any, Callable[[Any], int]]:
    """fastwarc over a file packed a record a member, and the place of a record: that of the member it is being read from."""
    try:
        from fastwarc.stream_io import GzipReader
    except ImportError:
        raise MissingExtra("fastwarc", "census") from None
    stream = GzipReader(file)
    place = stream.frame_start_position
    return _iterated(stream), lambda _: cast(int, place())


def _lines(file: BinaryIO) -> tuple[Any, Callable[[Any], int]]:
    """fastwarc over a plain file, and the place of a record."""
    return _iterated(file), attrgetter("stream_pos")


def _iterated(stream: Any) -> Any:
    try:
        from fastwarc.warc import ArchiveIterator
    except ImportError:
        raise MissingExtra("fastwarc", "census") from None
    return iter(
        ArchiveIterator(stream, parse_http=False, max_header_len=LONGEST_HEAD, stream_detect=False, inplace=True)
    )


def _looked_at_again(error: BaseException, at: int) -> int:
    """Where to look again when fastwarc ends, or fails at what it reads. Its panics are no Exceptions, and told by their name."""
    if isinstance(error, FAILURES) or type(error).__name__ == "PanicException":
        return at
    raise error


def _capture(kind: str, record: Record, filename: str, config: Config) -> Capture | None:
    """The capture of a record, None where it is not of the sample."""
    fields = record.fields
    url = fields.get(b"warc-target-uri", b"").decode("utf-8", "replace")
    if url.startswith("<") and url.endswith(">"):  # as some versions of wget write it
        url = url[1:-1]
    capture = captured(kind, record, url[:LONGEST_URL], filename, config, _digest(kind, fields))
    if config.sample < 1 and not is_sampled(capture.digest or f"{url} {record.offset}", config.sample):
        return None
    return capture


def _digest(kind: str, fields: Mapping[bytes, bytes]) -> str:
    """What a record says of its payload, which is all of it where no HTTP head stands before."""
    said = fields.get(b"warc-payload-digest", b"")
    if not said and (kind == "conversion" or kind == "resource"):
        said = fields.get(b"warc-block-digest", b"")
    digest = said.decode("latin-1")[:LONGEST_WORD]
    return digest[5:] if digest[:5].lower() == "sha1:" else digest


def _may_be_sampled(kind: str, fields: Mapping[bytes, bytes], config: Config) -> bool:
    """False where a record says enough for it to be left out before it is read."""
    digest = _digest(kind, fields)
    return not digest or is_sampled(digest, config.sample)


def _weighed(capture: Capture, size: int, config: Config) -> Capture:
    """The capture, but a bomb where its record is packed as no text is."""
    if capture.body is None or size <= config.largest_page or not 0 < capture.length * config.bomb_ratio < size:
        return capture
    capture.status, capture.problem, capture.body = Status.FAILED, Problem.BOMB, None
    capture.detail = f"{capture.length:,} bytes unpack to {size:,}"
    return capture
