"""Tags and what searching for their ends takes: names, attributes, the script data states."""

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
    """The tag whose name starts at ``at``."""
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
        found = ATTRIBUTE.match(page, tag.end)
        group = next((g for g in (2, 3, 4) if found[g] is not None), 0)
        tag.attributes.setdefault(found[1].lower(), found.span(group) if group else (found.end(), found.end()))
        tag.end = found.end()


def find_end_tag(page: bytes, at: int, name: bytes) -> int:
    found = re.compile(rb"</" + re.escape(name) + rb"[\t\n\f\r />]", re.IGNORECASE).search(page, at)
    return found.start() if found else len(page)


def find_script_end(page: bytes, at: int) -> int:
    """The script data states of the standard: plain, escaped by ``<!--``, and doubly by a ``<script>`` inside."""
    escaped = double = False
    while found := SCRIPT_TOKEN.search(page, at):
        token = found.group().lower()
        at = found.end()
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
            return found.start()
    return len(page)


def past(page: bytes, literal: bytes, at: int) -> int:
    found = page.find(literal, at)
    return len(page) if found < 0 else found + len(literal)


def past_comment(page: bytes, at: int) -> int:
    found = COMMENT.match(page, at)
    return found.end() if found else len(page)
