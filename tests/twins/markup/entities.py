"""Character references: ``html.unescape`` is the oracle for text; attributes have one more rule."""

from __future__ import annotations

import html
import re
from html.entities import html5

REFERENCE = re.compile(rb"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[A-Za-z0-9]{2,32};?)")


def resolve(raw: bytes, in_attribute: bool) -> tuple[bytes, int] | None:
    """Return the UTF-8 of the reference at the start of ``raw`` and its length, or None if there is none."""
    match = REFERENCE.match(raw)
    if match is None:
        return None
    reference = match.group().decode("ascii")
    if reference.startswith("&#"):
        return html.unescape(reference).encode(), len(reference)
    name = reference[1:]
    if name in html5 and name.endswith(";"):
        return html5[name].encode(), len(reference)
    for size in range(len(name), 1, -1):
        if name[:size] in html5 and not name[:size].endswith(";"):
            after = raw[1 + size : 2 + size]
            if in_attribute and after and (after == b"=" or after.isalnum()):
                return None
            return html5[name[:size]].encode(), 1 + size
    return None


def unescape(raw: bytes, in_attribute: bool) -> bytes:
    result = bytearray()
    at = 0
    while at < len(raw):
        reference = resolve(raw[at : at + 80], in_attribute) if raw[at] == ord("&") else None
        if raw[at : at + 2] == b"&#":
            reference = resolve(raw[at:], in_attribute)  # digits have no bound
        text, length = reference or (raw[at : at + 1], 1)
        result += text
        at += length
    return bytes(result)
