"""The prescan of the HTML standard (13.2.3.2), step by step, and its algorithm for the charset of a Content-Type value."""

from __future__ import annotations

import re

SPACE = b"\t\n\f\r "
CHARSET = re.compile(rb"charset[\t\n\f\r ]*=[\t\n\f\r ]*", re.IGNORECASE)
TAG = re.compile(rb"</?[A-Za-z]")
META = re.compile(rb"<meta[\t\n\f\r /]", re.IGNORECASE)


class OutOfBytes(Exception):
    """The head ends inside a token."""


def charset_in(content: bytes) -> bytes | None:
    """Return the value of ``charset=`` as written, or None."""
    match = CHARSET.search(content)
    if not match or match.end() == len(content):
        return None
    rest = content[match.end() :]
    if rest[:1] in (b'"', b"'"):
        value, quote, _ = rest[1:].partition(rest[:1])
        return value if quote else None
    return re.match(rb"[^\t\n\f\r ;]*", rest).group()


def get_attribute(head: bytes, at: int) -> tuple[bytes, bytes, int] | int:
    """Return name, value and next position; only the position of the ``>`` if no attribute is left."""

    def byte(i: int) -> bytes:
        if i >= len(head):
            raise OutOfBytes
        return head[i : i + 1]

    while byte(at) in b"\t\n\f\r /":
        at += 1
    if byte(at) == b">":
        return at
    name = b""
    while True:
        c = byte(at)
        if c == b"=" and name:
            break
        if c in SPACE:
            while byte(at) in SPACE:
                at += 1
            if byte(at) != b"=":
                return name, b"", at
            break
        if c in b"/>":
            return name, b"", at
        name += c.lower()
        at += 1
    at += 1
    while byte(at) in SPACE:
        at += 1
    value = b""
    if byte(at) in b"\"'":
        quote = byte(at)
        at += 1
        while byte(at) != quote:
            value += byte(at)
            at += 1
        return name, value, at + 1
    while byte(at) not in SPACE + b">":
        value += byte(at)
        at += 1
    return name, value, at


def attributes(head: bytes, at: int) -> tuple[list[tuple[bytes, bytes]], int]:
    pairs: list[tuple[bytes, bytes]] = []
    while isinstance(attribute := get_attribute(head, at), tuple):
        name, value, at = attribute
        if name not in dict(pairs):
            pairs.append((name, value))
    return pairs, attribute


def meta(pairs: list[tuple[bytes, bytes]], known: set[bytes]) -> bytes | None:
    """Return the charset of a meta element's attributes in their order."""
    got_pragma, need_pragma, charset = False, None, None
    for name, value in pairs:
        if name == b"http-equiv":
            got_pragma = value.lower() == b"content-type"
        elif name == b"content":
            label = charset_in(value)
            if label is not None and label.lower() in known and not charset:
                charset, need_pragma = label, True
        elif name == b"charset":
            label = value.strip(SPACE)
            charset, need_pragma = (label if label.lower() in known else None), False
    return charset if need_pragma is False or (need_pragma and got_pragma) else None


def xml_encoding(head: bytes, known: set[bytes]) -> bytes | None:
    match = re.match(rb"<\?xml[^>]*?encoding([^>]*)>", head)
    value = (
        re.match(rb"[\x00-\x20]*=[\x00-\x20]*(?:\"([^\"\x00-\x20]*)\"|'([^'\x00-\x20]*)')", match[1]) if match else None
    )
    label = (value[1] if value[1] is not None else value[2]) if value else None
    return label if label is not None and label.lower() in known else None


def prescan(head: bytes, known: set[bytes]) -> tuple[bytes, bool] | None:
    """Return the label, and True if it is that of the XML declaration."""
    at = 0
    try:
        while at < len(head):
            if head.startswith(b"<!--", at):
                end = head.find(b"-->", at + 2)
                if end < 0:
                    break
                at = end + 2
            elif META.match(head, at):
                pairs, at = attributes(head, at + 5)
                if label := meta(pairs, known):
                    return label, False
            elif TAG.match(head, at):
                at = re.compile(rb"[^\t\n\f\r >]*").match(head, at).end()
                _, at = attributes(head, at)
            elif head[at : at + 2] in (b"<!", b"</", b"<?"):
                at = head.find(b">", at)
                if at < 0:
                    break
            at += 1
    except OutOfBytes:
        pass
    label = xml_encoding(head, known)
    return (label, True) if label is not None else None
