"""Convert archive records to captures: URL, response and decoded body."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache

from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.config import Config
from webtongue.census.read.content_encoding import decode_body
from webtongue.census.read.http import parse_http_head
from webtongue.census.read.media import has_no_text, parse_media_type
from webtongue.census.read.records import Damage, Record
from webtongue.page import NO_HEADERS

__all__ = [
    "MAX_FIELD_CHARS", "MAX_HEAD_BYTES", "MAX_URL_CHARS", "build_capture", "damage_capture", "is_sampled", "parse_time",
    "payload_digest", "set_body", "unreadable_capture",
]  # fmt: skip

MAX_HEAD_BYTES = 1 << 20  # bytes kept of a record besides its page: HTTP head and chunk sizes
MAX_URL_CHARS, MAX_FIELD_CHARS = 1 << 14, 128
# The truncation of a page whose file ends early or whose record is shorter than stated, as crawlers mark a lost connection.
DISCONNECT = "disconnect"
SHORT_DATE = re.compile(r"(\d{4})-?(\d\d)?-?(\d\d)?[T ]?(\d\d)?:?(\d\d)?:?(\d\d)?")
DATE_DEFAULTS = ("0001", "01", "01", "00", "00", "00")


def build_capture(
    record_type: str, record: Record, url: str, filename: str, config: Config, digest: str = ""
) -> Capture:
    """Return the capture of a WARC or ARC record of type response, resource, revisit or conversion; ``digest`` is the stated one.

    This runs once for each page, so every microsecond counts.
    """
    fields, content = record.fields, record.content
    content_type = fields.get(b"content-type", b"")
    capture = Capture(
        url,
        record_type,
        headers=NO_HEADERS,
        fetch_time=parse_time(fields.get(b"warc-date", b"").decode("latin-1")),
        ip=fields.get(b"warc-ip-address", b"").decode("latin-1").strip()[:MAX_FIELD_CHARS],
        digest=digest,
        filename=filename,
        offset=record.offset,
        length=record.length,
    )
    if b"warc-truncated" in fields:
        reason = fields[b"warc-truncated"].decode("latin-1").strip().lower()
        capture.truncated = reason[:MAX_FIELD_CHARS] or "unspecified"
    elif b"warc-segment-number" in fields:
        capture.truncated = "unspecified"  # the other segments are records of their own, perhaps in other files
    if record.is_cut:
        capture.truncated = DISCONNECT
    if record.size > config.max_record_bytes:
        return _fail(capture, Problem.TOO_LARGE, f"a record of {record.size:,} bytes")
    if content_type[:16].lower() == b"application/http" or (
        content.startswith(b"HTTP/") and record_type != "conversion"
    ):
        return _read_response(capture, record, config)
    if record_type == "response" and not content_type:
        return _fail(capture, Problem.CUT if record.is_cut else Problem.BAD_HTTP, "no HTTP response")
    if record_type == "response":
        capture.fetch_status = 0  # a response of a name server or of FTP
    return _read_content(capture, record, content_type.decode("latin-1"), config)


def _read_response(capture: Capture, record: Record, config: Config) -> Capture:
    """Set status, headers and body from an HTTP response."""
    content = record.content
    head = parse_http_head(content)
    is_revisit = capture.record_type == "revisit"
    if head is None or (record.is_cut and not head.is_complete):
        if is_revisit:
            capture.status = Status.REVISIT
            return capture
        if record.is_cut:
            return _fail(capture, Problem.CUT, "the record ends within the head of its response")
        detail = f"no HTTP response but {content[:40]!r}" if content else "it is empty"
        return _fail(capture, Problem.BAD_HTTP, detail)
    headers = head.headers
    capture.headers, capture.fetch_status = headers, head.status
    capture.mime_type = media_type = parse_media_type(headers.get("content-type", ""))
    if is_revisit:
        capture.status = Status.REVISIT
        return capture
    body = content[head.body_start :]
    if not capture.digest and len(content) == record.size:
        capture.digest = payload_digest(body)
    if has_no_text(media_type, capture.url):
        capture.status = Status.SKIPPED
    elif "content-encoding" in headers or "transfer-encoding" in headers:
        _decode(capture, body, headers, config)
    else:
        set_body(capture, body, config)
    return capture


def _decode(capture: Capture, body: bytes, headers: Mapping[str, str], config: Config) -> None:
    decoded = decode_body(body, headers.get("transfer-encoding", ""), headers.get("content-encoding", ""), config)
    if decoded.problem:
        _fail(capture, decoded.problem, decoded.detail)
        return
    capture.body = decoded.body
    if decoded.is_cut and not capture.truncated:
        capture.truncated = "length" if len(decoded.body) >= config.max_page_bytes else DISCONNECT


def _read_content(capture: Capture, record: Record, content_type: str, config: Config) -> Capture:
    """Set the body of a record whose content is the page itself: a resource, extracted text, a response of a name server."""
    content = record.content
    capture.mime_type = media_type = parse_media_type(content_type)
    if content_type:
        capture.headers = {"content-type": content_type.strip()}
    if capture.record_type == "revisit":
        capture.status = Status.REVISIT
        return capture
    if not capture.digest and len(content) == record.size:
        capture.digest = payload_digest(content)
    if has_no_text(media_type, capture.url):
        capture.status = Status.SKIPPED
        return capture
    capture.is_text = capture.record_type == "conversion" and media_type == "text/plain"
    set_body(capture, content, config)
    return capture


def set_body(capture: Capture, body: bytes, config: Config) -> None:
    """Set the body of a capture, cut to the size of a page."""
    if len(body) > config.max_page_bytes:
        body = body[: config.max_page_bytes]
        capture.truncated = capture.truncated or "length"
    capture.body = body


def _fail(capture: Capture, problem: Problem, detail: str) -> Capture:
    capture.status, capture.problem, capture.detail, capture.body = Status.FAILED, problem, detail, None
    return capture


def damage_capture(damage: Damage, filename: str) -> Capture:
    """Return the capture that reports damaged bytes."""
    url = damage.fields.get(b"warc-target-uri", b"").decode("utf-8", "replace")[:MAX_URL_CHARS]
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


def unreadable_capture(filename: str, detail: str, offset: int = 0) -> Capture:
    """Return the capture that reports a file that cannot be opened, or not be read further."""
    return damage_capture(Damage(offset, 0, detail, Problem.UNREADABLE), filename)


@lru_cache(maxsize=1 << 12)  # neighbouring records have the same date
def parse_time(text: str) -> int:
    """Return a date of WARC, or the fourteen digits of ARC, in milliseconds since 1970; 0 for anything else.

    >>> parse_time("2024-05-18T04:00:00Z"), parse_time("20240518040000"), parse_time("2024-05"), parse_time("blue monday")
    (1716004800000, 1716004800000, 1714521600000, 0)
    """
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        match = SHORT_DATE.match(text.strip())
        if match is None:
            return 0
        try:
            parts = [int(part or default) for part, default in zip(match.groups(), DATE_DEFAULTS, strict=True)]
            time = datetime(*parts)  # type: ignore[arg-type]
        except ValueError:
            return 0
    if time.tzinfo is None:
        time = time.replace(tzinfo=UTC)
    return max(round(time.timestamp() * 1000), 0)


def payload_digest(body: bytes) -> str:
    """Return the SHA-1 of a payload in base 32, as archives write it."""
    return base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode("ascii")


def is_sampled(key: str, share: float) -> bool:
    """Return True if the capture with this digest is in a sample: the same in every run and on every machine.

    >>> sum(is_sampled(str(number), 0.1) for number in range(10_000))
    1029
    """
    digest = hashlib.blake2b(key.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big") < share * 2**64
