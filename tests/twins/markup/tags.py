"""Tags: names, attributes, and the script data states."""

from __future__ import annotations

import re
from dataclasses import dataclass

NAME = re.compile(rb"[^\t\n\f\r />]*")
BETWEEN = re.compile(rb"[\t\n\f\r /]*")
ATTRIBUTE = re.compile(
    rb"([^\t\n\f\r />][^\t\n\f\r />=]*)[\t\n\f\r ]*(?:=[\t\n\f\r ]*(?:\"([^\"]*)(?:\"|\Z)|'([^']*)(?:'|\Z)|([^\t\n\f\r >]*)))?",
)
COMMENT = re.compile(rb"-?>|.*?--!?>", re.DOTALL)
SCRIPT_TOKEN = re.compile(rb"<!--|-->|</?script(?=[\t\n\f\r />])", re.IGNORECASE)

Range = tuple[int, int]


@dataclass
class Tag:
    name: bytes
    attributes: dict[bytes, Range]  # the first of each name
    end: int
    closed: bool
    self_closing: bool

    def span(self, name: bytes) -> Range:
        return self.attributes.get(name, (0, 0))


def read_tag(page: bytes, at: int) -> Tag:
    """Return the tag whose name starts at ``at``."""
    stop = NAME.match(page, at).end()
    tag = Tag(page[at:stop].lower(), {}, stop, False, False)
    while True:
        between = BETWEEN.match(page, tag.end)
        tag.end = between.end()
        if tag.end == len(page):
            return tag
        if page[tag.end] == ord(">"):
            tag.closed, tag.self_closing = True, between.group().endswith(b"/")
            tag.end += 1
            return tag
        match = ATTRIBUTE.match(page, tag.end)
        group = next((g for g in (2, 3, 4) if match[g] is not None), 0)
        tag.attributes.setdefault(match[1].lower(), match.span(group) if group else (match.end(), match.end()))
        tag.end = match.end()


def find_end_tag(page: bytes, at: int, name: bytes) -> int:
    match = re.compile(rb"</" + re.escape(name) + rb"[\t\n\f\r />]", re.IGNORECASE).search(page, at)
    return match.start() if match else len(page)


def find_script_end(page: bytes, at: int) -> int:
    """Return the end of a script by the standard's states: plain, escaped by ``<!--``, doubly escaped by a nested ``<script>``."""
    escaped = double = False
    while match := SCRIPT_TOKEN.search(page, at):
        token = match.group().lower()
        at = match.end()
        if token == b"<!--":
            if not escaped:
                escaped = True
            at -= 2  # its dashes may be those of "-->"
        elif token == b"-->":
            escaped = double = False
        elif token == b"<script":
            double = double or escaped
        elif double:
            double = False
        else:
            return match.start()
    return len(page)


def skip_past(page: bytes, literal: bytes, at: int) -> int:
    start = page.find(literal, at)
    return len(page) if start < 0 else start + len(literal)


def skip_comment(page: bytes, at: int) -> int:
    match = COMMENT.match(page, at)
    return match.end() if match else len(page)
