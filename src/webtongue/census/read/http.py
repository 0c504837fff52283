"""The head of an HTTP response as archives store it: as sent, with folded lines, bare line feeds, no reason phrase, or cut."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["HttpHead", "parse_http_head"]

MAX_HEAD_BYTES = 1 << 18  # servers refuse heads of some tens of KB
MAX_VALUE_BYTES = 1 << 13  # bytes of a header that are kept
STATUS = re.compile(rb"(?:HTTP(?:/[0-9.]{1,5})?|ICY)[ \t]+([0-9]{3})(?![0-9])")  # ICY: radio servers
EMPTY_LINE = re.compile(rb"\n\r*\n")
FOLD = re.compile(r"\r?\n[ \t]+")
# The headers that a census reads: the type and language of the body, and links. All others are ignored.
KEPT_HEADERS = re.compile(
    rb"\n(content-(?:type|language|encoding)|transfer-encoding|location|link)[ \t]*:([^\r\n]*(?:\r?\n[ \t]+[^\r\n]*)*)",
    re.I,
)
LIST_HEADERS = frozenset(
    ("content-language", "content-encoding", "transfer-encoding", "link")
)  # repeated ones are joined
MAX_HEADERS = 64  # more than this is a flood


@dataclass(slots=True)  # not frozen: creating one for each page then takes a microsecond less
class HttpHead:
    """The status, the kept headers by lower-case name, and the index of the body."""

    status: int
    headers: dict[str, str]
    body_start: int
    is_complete: bool  # whether an empty line ends the head


def parse_http_head(block: bytes) -> HttpHead | None:
    r"""Return the head at the start of a block, or None if there is none.

    Of a repeated header the first counts, unless it is a list: those are joined.

    >>> parse_http_head(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>")
    HttpHead(status=200, headers={'content-type': 'text/html'}, body_start=44, is_complete=True)
    """
    status = STATUS.match(block)
    if status is None:
        return None
    empty_line = EMPTY_LINE.search(block, 0, MAX_HEAD_BYTES)
    if empty_line is not None:
        end, start = empty_line.span()
    elif len(block) <= MAX_HEAD_BYTES:
        end = start = len(block)
    else:
        return None
    headers: dict[str, str] = {}
    for raw_name, raw_value in KEPT_HEADERS.findall(block, 0, end)[:MAX_HEADERS]:
        name, value = raw_name.decode("ascii").lower(), raw_value[:MAX_VALUE_BYTES].decode("latin-1").strip()
        if "\n" in value:
            value = FOLD.sub(" ", value)
        if name not in headers:
            headers[name] = value
        elif name in LIST_HEADERS:
            headers[name] += ", " + value
    return HttpHead(int(status[1]), headers, start, empty_line is not None)
