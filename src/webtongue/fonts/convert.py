"""Text in a font made ordinary text: lines, a scanned page, a page's source with its markup.

A line is converted where it reads better as the font's than as what its characters say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from webtongue import _kernel
from webtongue.encodings.codecs import decode
from webtongue.fonts.guess import load
from webtongue.fonts.tables import Font, named

__all__ = ["convert_line", "convert_lines", "convert_scan", "convert_source"]

CHUNK = 1 << 15  # bytes converted at a time: bounds memory on huge pages
TAG = re.compile(rb"(<[^<>]*>)")
UNSEEN = re.compile(rb"<\s*(/?)(script|style)(?=[\s>])", re.IGNORECASE)  # what stands in these is not shown
LONGEST_REFERENCE = 40  # bytes; the longest name has 33
LONGEST_CHARACTER = 4
BOM = "\ufeff"


def convert_line(line: str, font: str) -> str:
    """A line of a text that is known to be in a font, converted if it reads better so.

    >>> convert_line("Hkkjr ljdkj", "krutidev"), convert_line("About us", "krutidev")
    ('भारत सरकार', 'About us')
    """
    return b"\n".join(convert_lines(line.encode("utf-8", "replace"), named()[font])).decode()


def convert_lines(text: bytes, font: Font) -> list[bytes]:
    """Every line of a text in UTF-8, those that read better as the font's converted."""
    lines = text.split(b"\n")
    margins = load().lines(text, _number(font.name))[1]
    own = [number for number, margin in enumerate(margins) if margin > 0]
    if own:
        # A sign that its line leaves open comes out after the first of the two line feeds.
        converted = font.convert_utf8(b"\n\n".join([lines[number] for number in own])).split(b"\n")
        converted.append(b"")
        for at, number in enumerate(own):
            lines[number] = converted[2 * at] + converted[2 * at + 1]
    return lines


def convert_scan(scan: _kernel.Scan, font: Font) -> _kernel.Scan:
    """A scan with its text converted; blocks stay, since line feeds do. The scan that is given is used up."""
    rewrite = _kernel.Rewrite(scan)
    start = 0
    while start < rewrite.raw_size:
        chunk = rewrite.raw(start, start + CHUNK)
        if start + CHUNK < rewrite.raw_size:
            chunk = chunk[: _cut(chunk, 0, CHUNK - 1)]
        rewrite.append(b"\n".join(convert_lines(chunk, font)))
        start += len(chunk)
    return rewrite.finish()


def convert_source(source: bytes, font: str, encoding: str = "utf-8") -> Iterator[str]:
    """A page's source bit by bit, with the text between its tags converted where it is the font's.

    >>> page = "<title>News</title><style>a{}</style><p>Hkkjr ljdkj dk &lt;k¡pk</p>"
    >>> "".join(convert_source(page.encode(), "krutidev"))
    '<title>News</title><style>a{}</style><p>भारत सरकार का ढाँचा</p>'
    """
    unseen = b""
    for begin, end in _stretches(source):
        text = decode(source[begin:end], encoding)
        text = text if begin else text.removeprefix(BOM)
        if end - begin > CHUNK:  # a tag
            unseen = _opened(source[begin : begin + CHUNK], unseen)
            yield text
            continue
        parts = TAG.split(text.encode("utf-8", "replace"))
        seen: Sequence[int] = range(0, len(parts), 2)
        if unseen or UNSEEN.search(source, begin, end):
            seen, unseen = _seen(parts, unseen)
        _convert_parts(parts, seen, named()[font])
        yield b"".join(parts).decode()


def _convert_parts(parts: list[bytes], seen: Sequence[int], font: Font) -> None:
    """Convert those of the parts that are seen, in place."""
    shown = [_kernel.unescape(parts[i], False) if b"&" in parts[i] else parts[i] for i in seen]
    text = b"\n".join(shown)
    lines = convert_lines(text, font)
    at = 0
    for i, was in zip(seen, shown, strict=True):
        size = was.count(b"\n") + 1
        now = lines[at] if size == 1 else b"\n".join(lines[at : at + size])
        at += size
        if now != was and not was.isspace():
            parts[i] = now.replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;")


def _seen(parts: list[bytes], unseen: bytes) -> tuple[list[int], bytes]:
    """Which parts are text that is shown, and the element whose content is not that is open at the end."""
    seen = []
    for i in range(0, len(parts), 2):
        if not unseen:
            seen.append(i)
        if i + 1 < len(parts):
            unseen = _opened(parts[i + 1], unseen)
    return seen, unseen


def _opened(tag: bytes, unseen: bytes) -> bytes:
    """The element whose content is not shown that is open after a tag."""
    found = UNSEEN.match(tag)
    if not found:
        return unseen
    closing, name = found[1], found[2].lower()
    return name if not closing else b"" if name == unseen else unseen


def _stretches(source: bytes) -> Iterator[tuple[int, int]]:
    """Where to cut a source: after a tag or, where there is none for long, between lines or words."""
    begin = 0
    while begin < len(source):
        end = begin + CHUNK
        if end < len(source):
            end = _after_tag(source, begin, end) or _in_text(source, begin, end)
        yield begin, min(end, len(source))
        begin = end


def _after_tag(source: bytes, begin: int, end: int) -> int:
    """The end of the last tag that ends there, nought for none."""
    close = source.rfind(b">", begin, end)
    start = source.rfind(b"<", begin, close) if close >= 0 else -1
    return source.find(b">", start) + 1 if start >= 0 else 0


def _in_text(source: bytes, begin: int, end: int) -> int:
    """Where to cut text without tags, or the end of a tag that is longer than a chunk."""
    start = source.rfind(b"<", begin, end)
    if start > begin:
        return start
    if start == begin:
        following = source.find(b"<", end)
        close = source.find(b">", end, following if following >= 0 else len(source))
        if close >= 0:
            return close + 1
    return _cut(source, begin, end)


def _cut(text: bytes, begin: int, end: int) -> int:
    """The end of the last line or else word before there; a longer word is cut between characters."""
    for mark in (b"\n", b" "):
        if (at := text.rfind(mark, begin, end)) >= 0:
            return at + 1
    last = max(begin + 1, end - LONGEST_CHARACTER)
    reference = text.rfind(b"&", end - LONGEST_REFERENCE, end)
    if reference > begin and b";" not in text[reference:end]:
        return reference
    while text[end] & 0xC0 == 0x80 and end > last:
        end -= 1
    return end


@cache
def _number(font: str) -> int:
    """Of a font in the model."""
    return load().names.index(font)
