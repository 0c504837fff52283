"""Text that is a language only through a font: valid characters of one script that a font shows as another.

The stage after coding: where a few hundred characters look like a font's, the font is found and the text converted, block by
block; everything after it reads Unicode.

>>> from webtongue.identifier import Identifier
>>> convert_text("Hkkjr esa cgqr lh Hkk\\"kk,¡ cksyh tkrh gSaA", Identifier().reader)
('भारत में बहुत सी भाषाएँ बोली जाती हैं।', 'x-font-krutidev')
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from webtongue import _kernel
from webtongue.encodings.decoding import Decoding
from webtongue.fonts.guess import SAMPLE, Found, find, load
from webtongue.fonts.tables import named
from webtongue.markup import Markup, Syntax
from webtongue.markup.rescan import read_as
from webtongue.text import TextReader

__all__ = ["convert_line", "convert_source", "convert_text", "load", "read", "suspects"]

CHUNK = 1 << 16  # bytes converted at a time: bounds memory on huge pages
TAG = re.compile(r"(<[^<>]*>)")
UNSEEN = ("script", "style")
HEAD = 1 << 18  # bytes of a page that are looked at: its fonts' names, and text that is not UTF-8
OVER = "windows-1252"  # what the bytes of a font are, where they are not UTF-8


def suspects(scanned: Markup) -> bool:
    """Whether a page's text may be drawn by a font: cheap, and right more often than not."""
    return scanned.syntax is not Syntax.NONE and load().suspects_scan(scanned.scan)


def read(scanned: Markup, reader: TextReader) -> tuple[Markup, Decoding] | None:
    """The page with the text of its font converted, and the font as its encoding; None where no font drew it."""
    if not suspects(scanned):
        return None
    raw = not scanned.transcoded and scanned.scan.check_utf8()[0] > 0
    looked_at = read_as(replace(scanned, source=scanned.source[:HEAD]), OVER) if raw else scanned
    found = find(looked_at.scan.slice(0, SAMPLE), reader, scanned.source[:HEAD])
    if found is None:
        return None
    scanned.scan.release()  # it is scanned again: two scans of a huge page would be too much memory
    over = read_as(scanned, OVER) if raw else scanned
    how = f"drawn by a font over {over.transcoded or over.read_as or 'utf-8'}, converted"
    if found.hinted:
        how = f"named by the page; {how}"
    scan = over.scan if raw else _kernel.scan(over.source, over.syntax, False, True)  # rewriting uses a scan up
    name = found.font.name
    drawn = replace(over, scan=_converted(scan, found), font=name, convert=partial(convert_line, font=name))
    return drawn, Decoding(found.font.encoding, found.confidence, how)


def convert_text(text: str, reader: TextReader) -> tuple[str, str]:
    """A text and "", or the text converted and its font as an encoding."""
    if not load().suspects_text(text):
        return text, ""
    raw = text.encode("utf-8", "replace")
    found = find(raw, reader)
    if found is None:
        return text, ""
    return b"\n".join(_lines(raw, found)).decode(), found.font.encoding


def convert_line(line: str, font: str) -> str:
    """A line of a text that is known to be in a font, converted if it reads better so.

    >>> convert_line("Hkkjr ljdkj", "krutidev"), convert_line("About us", "krutidev")
    ('भारत सरकार', 'About us')
    """
    found = Found(named()[font], load().names.index(font), 1.0, "", hinted=False)
    return b"\n".join(_lines(line.encode("utf-8", "replace"), found)).decode()


def convert_source(source: str, font: str) -> str:
    """A page's source with the text between its tags converted, where it is the font's.

    >>> convert_source("<title>News</title><style>a{}</style><p>Hkkjr ljdkj dk &lt;k¡pk</p>", "krutidev")
    '<title>News</title><style>a{}</style><p>भारत सरकार का ढाँचा</p>'
    """
    out, unseen = [], ""
    for piece in TAG.split(source):
        if piece.startswith("<") and piece.endswith(">"):
            name = piece[1:].split(None, 1)[0].rstrip(">").lower() if piece[1:].strip() else ""
            unseen = name if name in UNSEEN else "" if name == f"/{unseen}" else unseen
        elif not unseen and not piece.isspace() and piece:
            shown = _kernel.unescape(piece.encode("utf-8", "replace"), False).decode("utf-8", "replace")
            converted = convert_line(shown, font)
            if converted != shown:
                piece = converted.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        out.append(piece)
    return "".join(out)


def _lines(text: bytes, found: Found) -> Iterator[bytes]:
    """Every line, those that read better as the font's converted."""
    margins = load().lines(text, found.number)[1]
    for line, margin in zip(text.split(b"\n"), margins, strict=True):
        yield found.font.convert_utf8(line) if margin > 0 else line


def _converted(scan: _kernel.Scan, found: Found) -> _kernel.Scan:
    """A scan with its text converted; blocks stay, since line feeds do."""
    rewrite = _kernel.Rewrite(scan)
    start = 0
    while start < rewrite.raw_size:
        chunk = rewrite.raw(start, start + CHUNK)
        whole = chunk[: chunk.rfind(b"\n") + 1] if start + len(chunk) < rewrite.raw_size else chunk
        chunk = whole or chunk
        rewrite.append(b"\n".join(_lines(chunk, found)))
        start += len(chunk)
    return rewrite.finish()
