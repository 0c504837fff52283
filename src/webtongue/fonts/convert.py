"""Convert text for a legacy font to Unicode: lines, a scanned page, or the source of a page with its markup.

A line is converted if it is likelier text for the font than ordinary text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from webtongue import _kernel
from webtongue.charset.codecs import decode
from webtongue.fonts.detect import load
from webtongue.fonts.tables import Font, all_fonts

__all__ = ["convert_line", "convert_lines", "convert_scan", "convert_source"]

CHUNK_BYTES = 1 << 15  # bounds memory on huge pages
TAG = re.compile(rb"(<[^<>]*>)")
HIDDEN_ELEMENT = re.compile(rb"<\s*(/?)(script|style)(?=[\s>])", re.IGNORECASE)  # elements whose content is not shown
MAX_REFERENCE_BYTES = 40  # the longest name has 33
MAX_CHARACTER_BYTES = 4
BOM = "\ufeff"


def convert_line(line: str, font: str) -> str:
    """Return a line of a text for a font, converted if it is likelier text for the font.

    >>> convert_line("Hkkjr ljdkj", "krutidev"), convert_line("About us", "krutidev")
    ('भारत सरकार', 'About us')
    """
    return b"\n".join(convert_lines(line.encode("utf-8", "replace"), all_fonts()[font])).decode()


def convert_lines(text: bytes, font: Font) -> list[bytes]:
    """Return the lines of a text in UTF-8, with those converted that are likelier text for the font."""
    lines = text.split(b"\n")
    margins = load().lines(text, _number(font.name))[1]
    own = [number for number, margin in enumerate(margins) if margin > 0]
    if own:
        # A sign that is open at the end of a line is written after the first of the two line feeds.
        converted = font.convert_utf8(b"\n\n".join([lines[number] for number in own])).split(b"\n")
        converted.append(b"")
        for at, number in enumerate(own):
            lines[number] = converted[2 * at] + converted[2 * at + 1]
    return lines


def convert_scan(scan: _kernel.Scan, font: Font) -> _kernel.Scan:
    """Return a scan with its text converted and its blocks kept; the given scan cannot be used afterwards."""
    rewrite = _kernel.Rewrite(scan)
    start = 0
    while start < rewrite.raw_size:
        chunk = rewrite.raw(start, start + CHUNK_BYTES)
        if start + CHUNK_BYTES < rewrite.raw_size:
            chunk = chunk[: _find_cut(chunk, 0, CHUNK_BYTES - 1)]
        rewrite.append(b"\n".join(convert_lines(chunk, font)))
        start += len(chunk)
    return rewrite.finish()


def convert_source(source: bytes, font: str, encoding: str = "utf-8") -> Iterator[str]:
    """Yield the source of a page in chunks, with text between tags converted if it is for the font.

    >>> page = "<title>News</title><style>a{}</style><p>Hkkjr ljdkj dk &lt;k¡pk</p>"
    >>> "".join(convert_source(page.encode(), "krutidev"))
    '<title>News</title><style>a{}</style><p>भारत सरकार का ढाँचा</p>'
    """
    hidden_element = b""
    for start, end in _chunks(source):
        text = decode(source[start:end], encoding)
        text = text if start else text.removeprefix(BOM)
        if end - start > CHUNK_BYTES:  # a tag
            hidden_element = _hidden_after(source[start : start + CHUNK_BYTES], hidden_element)
            yield text
            continue
        parts = TAG.split(text.encode("utf-8", "replace"))
        visible: Sequence[int] = range(0, len(parts), 2)
        if hidden_element or HIDDEN_ELEMENT.search(source, start, end):
            visible, hidden_element = _find_visible(parts, hidden_element)
        _convert_parts(parts, visible, all_fonts()[font])
        yield b"".join(parts).decode()


def _convert_parts(parts: list[bytes], visible: Sequence[int], font: Font) -> None:
    """Convert the visible parts in place."""
    texts = [_kernel.unescape(parts[i], False) if b"&" in parts[i] else parts[i] for i in visible]
    lines = convert_lines(b"\n".join(texts), font)
    at = 0
    for i, text in zip(visible, texts, strict=True):
        size = text.count(b"\n") + 1
        converted = lines[at] if size == 1 else b"\n".join(lines[at : at + size])
        at += size
        if converted != text and not text.isspace():
            parts[i] = converted.replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;")


def _find_visible(parts: list[bytes], hidden_element: bytes) -> tuple[list[int], bytes]:
    """Return the numbers of visible parts, and the hidden element that is open at the end."""
    visible = []
    for i in range(0, len(parts), 2):
        if not hidden_element:
            visible.append(i)
        if i + 1 < len(parts):
            hidden_element = _hidden_after(parts[i + 1], hidden_element)
    return visible, hidden_element


def _hidden_after(tag: bytes, hidden_element: bytes) -> bytes:
    """Return the hidden element that is open after a tag."""
    match = HIDDEN_ELEMENT.match(tag)
    if not match:
        return hidden_element
    is_end_tag, name = match[1], match[2].lower()
    return name if not is_end_tag else b"" if name == hidden_element else hidden_element


def _chunks(source: bytes) -> Iterator[tuple[int, int]]:
    """Yield chunks of a source that end after a tag or, in long text without tags, between lines or words."""
    start = 0
    while start < len(source):
        end = start + CHUNK_BYTES
        if end < len(source):
            end = _last_tag_end(source, start, end) or _find_text_end(source, start, end)
        yield start, min(end, len(source))
        start = end


def _last_tag_end(source: bytes, start: int, end: int) -> int:
    """Return the end of the last whole tag in a range, 0 if there is none."""
    close = source.rfind(b">", start, end)
    tag_start = source.rfind(b"<", start, close) if close >= 0 else -1
    return source.find(b">", tag_start) + 1 if tag_start >= 0 else 0


def _find_text_end(source: bytes, start: int, end: int) -> int:
    """Return a position to cut text without tags, or the end of a tag that is longer than a chunk."""
    tag_start = source.rfind(b"<", start, end)
    if tag_start > start:
        return tag_start
    if tag_start == start:
        following = source.find(b"<", end)
        close = source.find(b">", end, following if following >= 0 else len(source))
        if close >= 0:
            return close + 1
    return _find_cut(source, start, end)


def _find_cut(text: bytes, start: int, end: int) -> int:
    """Return the end of the last line, else of the last word; a longer word is cut between characters."""
    for mark in (b"\n", b" "):
        if (at := text.rfind(mark, start, end)) >= 0:
            return at + 1
    earliest = max(start + 1, end - MAX_CHARACTER_BYTES)
    reference = text.rfind(b"&", end - MAX_REFERENCE_BYTES, end)
    if reference > start and b";" not in text[reference:end]:
        return reference
    while text[end] & 0xC0 == 0x80 and end > earliest:
        end -= 1
    return end


@cache
def _number(font: str) -> int:
    """Return the number of a font in the model."""
    return load().names.index(font)
