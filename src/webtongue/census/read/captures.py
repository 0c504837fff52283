"""From a record of an archive to a capture: what was asked for, what came back, and the body as it was meant."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache

from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.config import Config
from webtongue.census.read.codings import undo
from webtongue.census.read.http import head_of
from webtongue.census.read.media import holds_no_text, mime_of
from webtongue.census.read.records import Damage, Record
from webtongue.page import NO_HEADERS

__all__ = ["BEGINNING", "captured", "damaged", "digest_of", "is_sampled", "millis", "unreadable"]

BEGINNING = 1 << 20  # bytes kept of a record beside those of its page: its head, and the marks of chunks
LONGEST_URL, LONGEST_WORD = 1 << 14, 128  # characters kept of an address, and of other fields
# What a page is whose file breaks off, or whose record is shorter than it says: a crawler writes so of a broken connection.
BROKEN_OFF = "disconnect"
SHORT_DATE = re.compile(r"(\d{4})-?(\d\d)?-?(\d\d)?[T ]?(\d\d)?:?(\d\d)?:?(\d\d)?")
DATE_PARTS = ("0001", "01", "01", "00", "00", "00")


def captured(kind: str, record: Record, url: str, filename: str, config: Config, digest: str = "") -> Capture:
    """The capture of a WARC or ARC record. ``kind`` is response, resource, revisit or conversion; ``digest`` as it was read.

    This runs once a page, and every microsecond counts.
    """
    fields, content = record.fields, record.content
    date, ip, said = (
        fields.get(b"warc-date", b""),
        fields.get(b"warc-ip-address", b""),
        fields.get(b"content-type", b""),
    )
    capture = Capture(
        url,
        kind,
        headers=NO_HEADERS,
        fetch_time=millis(date.decode("latin-1")),
        ip=ip.decode("latin-1").strip()[:LONGEST_WORD],
        digest=digest,
        filename=filename,
        offset=record.offset,
        length=record.length,
    )
    if b"warc-truncated" in fields:
        word = fields[b"warc-truncated"].decode("latin-1").strip().lower()
        capture.truncated = word[:LONGEST_WORD] or "unspecified"
    elif b"warc-segment-number" in fields:
        capture.truncated = "unspecified"  # the rest is in records of their own, which may be in other files
    if record.cut:
        capture.truncated = BROKEN_OFF
    if record.size > config.largest_record:
        return _failed(capture, Problem.TOO_LARGE, f"a record of {record.size:,} bytes")
    if said[:16].lower() == b"application/http" or (content.startswith(b"HTTP/") and kind != "conversion"):
        return _response(capture, record, config)
    if kind == "response" and not said:
        return _failed(capture, Problem.CUT if record.cut else Problem.BAD_HTTP, "no HTTP response")
    if kind == "response":
        capture.fetch_status = 0  # an answer of a name server, of FTP
    return _plain(capture, record, said.decode("latin-1"), config)


def _response(capture: Capture, record: Record, config: Config) -> Capture:
    """What an HTTP response says and holds."""
    content = record.content
    head = head_of(content)
    is_revisit = capture.record_type == "revisit"
    if head is None or (record.cut and not head.whole):
        if is_revisit:
            capture.status = Status.REVISIT
            return capture
        if record.cut:
            return _failed(capture, Problem.CUT, "the record ends within the head of its response")
        return _failed(
            capture, Problem.BAD_HTTP, f"no HTTP response but {content[:40]!r}" if content else "it is empty"
        )
    headers = head.headers
    capture.headers, capture.fetch_status = headers, head.status
    capture.mime_type = mime = mime_of(headers.get("content-type", ""))
    if is_revisit:
        capture.status = Status.REVISIT
        return capture
    body = content[head.start :]
    if not capture.digest and len(content) == record.size:
        capture.digest = digest_of(body)
    if holds_no_text(mime, capture.url):
        capture.status = Status.SKIPPED
    elif "content-encoding" in headers or "transfer-encoding" in headers:
        _undo(capture, body, headers, config)
    elif len(body) <= config.largest_page:
        capture.body = body
    else:
        capture.body = body[: config.largest_page]
        capture.truncated = capture.truncated or "length"
    return capture


def _undo(capture: Capture, body: bytes, headers: Mapping[str, str], config: Config) -> None:
    done = undo(body, headers.get("transfer-encoding", ""), headers.get("content-encoding", ""), config)
    if done.problem:
        _failed(capture, done.problem, done.detail)
        return
    capture.body = done.body
    if done.cut and not capture.truncated:
        capture.truncated = "length" if len(done.body) >= config.largest_page else BROKEN_OFF


def _plain(capture: Capture, record: Record, content_type: str, config: Config) -> Capture:
    """A record whose content is the page itself: a resource, text that somebody extracted, an answer of a name server."""
    content = record.content
    capture.mime_type = mime = mime_of(content_type)
    if content_type:
        capture.headers = {"content-type": content_type.strip()}
    if capture.record_type == "revisit":
        capture.status = Status.REVISIT
        return capture
    if not capture.digest and len(content) == record.size:
        capture.digest = digest_of(content)
    if holds_no_text(mime, capture.url):
        capture.status = Status.SKIPPED
        return capture
    capture.is_text = capture.record_type == "conversion" and mime == "text/plain"
    capture.body = content
    if len(content) > config.largest_page:
        capture.body = content[: config.largest_page]
        capture.truncated = capture.truncated or "length"
    return capture


def _failed(capture: Capture, problem: Problem, detail: str) -> Capture:
    capture.status, capture.problem, capture.detail, capture.body = Status.FAILED, problem, detail, None
    return capture


def damaged(damage: Damage, filename: str) -> Capture:
    """The row of a stretch that is no record."""
    url = damage.fields.get(b"warc-target-uri", b"").decode("utf-8", "replace")[:LONGEST_URL]
    return Capture(
        url,
        "damaged",
        headers=NO_HEADERS,
        fetch_status=0,
        filename=filename,
        offset=damage.offset,
        length=damage.length,
        status=Status.FAILED,
        problem=damage.problem,
        detail=damage.detail,
    )


def unreadable(filename: str, detail: str, offset: int = 0) -> Capture:
    """The row of a file that cannot be opened, or read on."""
    capture = damaged(Damage(offset, 0, detail), filename)
    capture.problem = Problem.UNREADABLE
    return capture


@lru_cache(maxsize=1 << 12)  # records of the same second stand together
def millis(text: str) -> int:
    """A date as WARC has it, or fourteen digits as ARC has it, as milliseconds since 1970; 0 for what is none.

    >>> millis("2024-05-18T04:00:00Z"), millis("20240518040000"), millis("2024-05"), millis("blue monday")
    (1716004800000, 1716004800000, 1714521600000, 0)
    """
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        found = SHORT_DATE.match(text.strip())
        if found is None:
            return 0
        try:
            parts = [int(part or usual) for part, usual in zip(found.groups(), DATE_PARTS, strict=True)]
            moment = datetime(*parts)  # type: ignore[arg-type]
        except ValueError:
            return 0
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(round(moment.timestamp() * 1000), 0)


def digest_of(body: bytes) -> str:
    """As archives write it: SHA-1 in base 32."""
    return base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode("ascii")


def is_sampled(key: str, share: float) -> bool:
    """Whether what has this digest is in a sample: the same for every run and every machine.

    >>> sum(is_sampled(str(number), 0.1) for number in range(10_000))
    1029
    """
    found = hashlib.blake2b(key.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(found, "big") < share * 2**64
