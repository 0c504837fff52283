"""What rows know of pages: the columns that crawls have, under the names that they go by."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.config import Config
from webtongue.census.read.captures import LONGEST_URL, LONGEST_WORD, digest_of, millis
from webtongue.census.read.media import holds_no_text, mime_of
from webtongue.page import NO_HEADERS

__all__ = ["COLUMNS", "bad_row", "described", "filled"]

# Columns that are read where they are there; the first counts that says something. Common Crawl's index has some of them.
IPS, TIMES = ("ip", "ip_address", "warc_ip_address"), ("fetch_time", "timestamp", "date")
STATUSES, TYPES = ("fetch_status", "status", "status_code"), ("content_type", "mime_type", "content_mime_type")
DIGESTS, COUNTRIES = ("digest", "content_digest"), ("country",)
HEADERS, TRUNCATED = ("headers", "http_headers"), ("content_truncated", "truncated")
COLUMNS = (*IPS, *TIMES, *STATUSES, *TYPES, *DIGESTS, *COUNTRIES, *HEADERS, *TRUNCATED)
MILLISECONDS = 10**11  # a number from here on is no number of seconds: that would be after the year 5000


def described(row: Mapping[str, Any], filename: str, offset: int, url_column: str = "url") -> Capture:
    """A capture with all that a row says of it, and no body yet."""
    url = row.get(url_column)
    capture = Capture(
        url[:LONGEST_URL] if isinstance(url, str) else "",
        "page",
        headers=_headers(_first(row, HEADERS)),
        fetch_status=_status(_first(row, STATUSES)),
        fetch_time=_time(_first(row, TIMES)),
        ip=_word(_first(row, IPS)),
        country=_word(_first(row, COUNTRIES)),
        digest=_word(_first(row, DIGESTS)).removeprefix("sha1:"),
        truncated=_word(_first(row, TRUNCATED)),
        filename=filename,
        offset=offset,
    )
    said = capture.headers.get("content-type") or _word(_first(row, TYPES))
    capture.mime_type = mime_of(said)
    if said and "content-type" not in capture.headers:
        capture.headers = {**capture.headers, "content-type": said}
    return capture


def filled(capture: Capture, body: bytes, config: Config, whole: bool = True) -> Capture:
    """The capture with its body. ``whole``: nothing of the body is missing, so that its digest is that of the page."""
    if whole:
        capture.digest = capture.digest or digest_of(body)
    if holds_no_text(capture.mime_type, capture.url):
        capture.status = Status.SKIPPED
        return capture
    capture.body = body
    if len(body) > config.largest_page:
        capture.body = body[: config.largest_page]
        capture.truncated = capture.truncated or "length"
    return capture


def bad_row(capture: Capture, why: str, problem: Problem = Problem.BAD_ROW) -> Capture:
    """The capture of a row that holds no page."""
    capture.status, capture.problem, capture.detail = Status.FAILED, problem, why
    return capture


def _first(row: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    for name in names:
        value = row.get(name)
        if value is not None:
            return value
    return None


def _word(value: Any) -> str:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return value.strip()[:LONGEST_WORD] if isinstance(value, str) else ""


def _status(value: Any) -> int:
    """An HTTP status; 200 where nothing is said, as of a page that somebody kept."""
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value[:6])
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 999 else 200


def _time(value: Any) -> int:
    """A moment in milliseconds: of a date, of text, or of seconds or milliseconds since 1970."""
    if isinstance(value, datetime):
        return max(round((value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp() * 1000), 0)
    if isinstance(value, str):
        return millis(value[:LONGEST_WORD])
    if isinstance(value, int | float) and 0 < value < MILLISECONDS * 1000:
        return round(value if value >= MILLISECONDS else value * 1000)
    return 0


def _headers(value: Any) -> Mapping[str, str]:
    """Headers as rows have them: an object, pairs (Arrow's maps), or either written as JSON."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return NO_HEADERS
    pairs = value.items() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    found: dict[str, str] = {}
    for pair in pairs:
        if isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(part, str) for part in pair):
            found.setdefault(pair[0].strip().lower(), pair[1].strip())
    return found
