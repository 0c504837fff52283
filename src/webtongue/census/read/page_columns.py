"""Convert rows of page lists and tables to captures, by the column names that crawls use."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.config import Config
from webtongue.census.read.captures import MAX_FIELD_CHARS, MAX_URL_CHARS, parse_time, payload_digest, set_body
from webtongue.census.read.media import has_no_text, parse_media_type
from webtongue.page import NO_HEADERS, parse_counts, parse_inlinks
from webtongue.page_list import KEYS, value_of

__all__ = ["COLUMNS", "capture_of_row", "fail_row", "set_page"]

# Columns of tables that are read if they exist, besides URL and page.
COLUMNS = tuple(column for name, columns in KEYS.items() if name not in ("file", "url") for column in columns)
MIN_MILLISECONDS = 10**11  # as seconds, this number would be after the year 5000


def capture_of_row(row: Mapping[str, Any], filename: str, offset: int, url_column: str = "url") -> Capture:
    """Return a capture with the columns of a row, without a body."""
    url = row.get(url_column)
    capture = Capture(
        url[:MAX_URL_CHARS] if isinstance(url, str) else "",
        "page",
        headers=_parse_headers(value_of(row, "headers")),
        fetch_status=_parse_status(value_of(row, "status")),
        fetch_time=_parse_any_time(value_of(row, "time")),
        ip=_parse_text(value_of(row, "ip")),
        country=_parse_text(value_of(row, "country")),
        inlinks=parse_inlinks(value_of(row, "inlinks") or ()),
        host=_parse_host(value_of(row, "host")),
        digest=_parse_text(value_of(row, "digest")).removeprefix("sha1:"),
        truncated=_parse_text(value_of(row, "truncated")),
        filename=filename,
        offset=offset,
    )
    content_type = capture.headers.get("content-type") or _parse_text(value_of(row, "type"))
    capture.mime_type = parse_media_type(content_type)
    if content_type and "content-type" not in capture.headers:
        capture.headers = {**capture.headers, "content-type": content_type}
    return capture


def set_page(capture: Capture, body: bytes, config: Config, is_complete: bool = True) -> Capture:
    """Return the capture with its body, and with its digest if the body is complete."""
    if is_complete:
        capture.digest = capture.digest or payload_digest(body)
    if has_no_text(capture.mime_type, capture.url):
        capture.status = Status.SKIPPED
    else:
        set_body(capture, body, config)
    return capture


def fail_row(capture: Capture, detail: str, problem: Problem = Problem.BAD_ROW) -> Capture:
    """Return the capture marked as failed."""
    capture.status, capture.problem, capture.detail = Status.FAILED, problem, detail
    return capture


def _parse_host(value: Any) -> Mapping[str, float] | None:
    """Return the pages by language of a host, or None for another value, such as the name of the host."""
    return parse_counts(value) if isinstance(value, Mapping | list) else None


def _parse_text(value: Any) -> str:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return value.strip()[:MAX_FIELD_CHARS] if isinstance(value, str) else ""


def _parse_status(value: Any) -> int:
    """Return an HTTP status, 200 if there is none, because a page that was saved was answered."""
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value[:6])
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 999 else 200


def _parse_any_time(value: Any) -> int:
    """Return a time in milliseconds since 1970, from a date, from text, or from seconds or milliseconds."""
    if isinstance(value, datetime):
        return max(round((value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp() * 1000), 0)
    if isinstance(value, str):
        return parse_time(value[:MAX_FIELD_CHARS])
    if isinstance(value, int | float) and 0 < value < MIN_MILLISECONDS * 1000:
        return round(value if value >= MIN_MILLISECONDS else value * 1000)
    return 0


def _parse_headers(value: Any) -> Mapping[str, str]:
    """Return headers from a mapping, from pairs (Arrow's maps), or from either as JSON."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return NO_HEADERS
    pairs = value.items() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    headers: dict[str, str] = {}
    for pair in pairs:
        if isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(part, str) for part in pair):
            headers.setdefault(pair[0].strip().lower(), pair[1].strip())
    return headers
