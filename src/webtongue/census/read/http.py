"""The head of an HTTP response as archives hold it: as it was sent, folded, with lone line feeds, without a reason, cut."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Head", "head_of"]

LONGEST = 1 << 18  # bytes of a head that are looked at: servers refuse some tens of KB
LONGEST_VALUE = 1 << 13  # bytes of a header that are kept
STATUS = re.compile(rb"(?:HTTP(?:/[0-9.]{1,5})?|ICY)[ \t]+([0-9]{3})(?![0-9])")  # ICY: radio servers
BLANK = re.compile(rb"\n\r*\n")
FOLD = re.compile(r"\r?\n[ \t]+")
# The headers that a census reads, the others are left: what the body is, and where else it points.
KEPT = re.compile(
    rb"\n(content-(?:type|language|encoding)|transfer-encoding|location|link)[ \t]*:([^\r\n]*(?:\r?\n[ \t]+[^\r\n]*)*)",
    re.I,
)
LISTS = frozenset(
    ("content-language", "content-encoding", "transfer-encoding", "link")
)  # of which several lines are one list
MOST_LINES = 64  # of the headers that are kept: more are a flood


@dataclass(slots=True)  # not frozen: one is made for every page, and that takes a microsecond less
class Head:
    """Status, the headers that are kept, by their names in lower case, and where the body begins; ``whole``: an empty
    line ends it."""

    status: int
    headers: dict[str, str]
    start: int
    whole: bool


def head_of(block: bytes) -> Head | None:
    r"""The head at the beginning of a block, None where there is none.

    Of a header that is given twice the first counts; lists are joined.

    >>> head_of(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>")
    Head(status=200, headers={'content-type': 'text/html'}, start=44, whole=True)
    """
    status = STATUS.match(block)
    if status is None:
        return None
    blank = BLANK.search(block, 0, LONGEST)
    if blank is not None:
        end, start = blank.span()
    elif len(block) <= LONGEST:
        end = start = len(block)
    else:
        return None
    headers: dict[str, str] = {}
    for found, value in KEPT.findall(block, 0, end)[:MOST_LINES]:
        name, text = found.decode("ascii").lower(), value[:LONGEST_VALUE].decode("latin-1").strip()
        if "\n" in text:
            text = FOLD.sub(" ", text)
        if name not in headers:
            headers[name] = text
        elif name in LISTS:
            headers[name] += ", " + text
    return Head(int(status[1]), headers, start, blank is not None)
