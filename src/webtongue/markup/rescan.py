"""Scanning a page again once its encoding is known: its text becomes UTF-8, blocks stay what they are.

Fonts are below the coding stage and need this too, so it lives with the scanner.
"""

from __future__ import annotations

import codecs
from dataclasses import replace

from webtongue import _kernel
from webtongue.encodings.codecs import by_table, codec_of, decode, reading_table
from webtongue.encodings.repair import repair
from webtongue.markup.scan import Markup

__all__ = ["decode_scan", "hold_references", "read_as", "repaired"]

CHUNK = 1 << 18  # bytes decoded or put right at a time: bounds memory on huge pages
NOT_SCANNED = ("johab",)  # has < and > among its trail bytes: decoded first


def hold_references(markup: Markup) -> _kernel.Scan:
    """The page scanned with its character references held back: its text is bytes of one encoding, whichever that is."""
    return _kernel.scan(markup.source, markup.syntax, False, False)


def read_as(markup: Markup, encoding: str, held: _kernel.Scan | None = None) -> Markup:
    """Scan again in an encoding that is not valid UTF-8; ``held`` is the page with its references held back."""
    if encoding in NOT_SCANNED:
        source = decode(markup.source, encoding).encode("utf-8", "replace")
        scan = _kernel.scan(source, markup.syntax, False, True)
        return replace(markup, source=source, scan=scan, transcoded=encoding)
    return replace(markup, scan=decode_scan(markup.source, markup.syntax, encoding, held), read_as=encoding)


def decode_scan(source: bytes, syntax: int, encoding: str, held: _kernel.Scan | None = None) -> _kernel.Scan:
    """Scan a page again, its text decoded by a WHATWG name; bytes that mean nothing become U+FFFD.

    ``held`` is the page scanned with its references held back, where that was done before; it is used up.
    """
    table = reading_table(encoding)
    if table is not None:
        return _kernel.scan(source, syntax, False, True, table)
    rewrite = _kernel.Rewrite(held or _kernel.scan(source, syntax, False, False))
    if encoding in by_table():
        for start, end in _chunks(rewrite):
            rewrite.append(decode(rewrite.raw(start, end), encoding).encode("utf-8", "replace"))
        return rewrite.finish()
    decoder = codecs.getincrementaldecoder(codec_of(encoding))("replace")
    for start in range(0, rewrite.raw_size, CHUNK):
        rewrite.append(decoder.decode(rewrite.raw(start, start + CHUNK)).encode("utf-8", "replace"))
    rewrite.append(decoder.decode(b"", True).encode("utf-8", "replace"))
    return rewrite.finish()


def repaired(markup: Markup) -> Markup:
    """The page with text put right that was read in a wrong encoding before it came here; blocks stay as they are."""
    if markup.font:  # already rewritten: it cannot be scanned to the same text again
        scan = markup.scan
    elif markup.read_as:
        scan = decode_scan(markup.source, markup.syntax, markup.read_as)
    else:
        scan = _kernel.scan(markup.source, markup.syntax, False, True)
    rewrite = _kernel.Rewrite(scan)
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    for start, end in _chunks(rewrite):
        rewrite.append(repair(decoder.decode(rewrite.raw(start, end))).encode())
    drawn = markup.convert
    return replace(markup, scan=rewrite.finish(), convert=(lambda line: repair(drawn(line))) if drawn else repair)


def _chunks(rewrite: _kernel.Rewrite) -> list[tuple[int, int]]:
    """Stretches of a scanned text that end with a line, where no character of several bytes can be cut."""
    out, start = [], 0
    while start < rewrite.raw_size:
        end = min(start + CHUNK, rewrite.raw_size)
        if end < rewrite.raw_size:
            cut = rewrite.raw(start, end).rfind(b"\n")
            end = start + cut + 1 if cut >= 0 else end
        out.append((start, end))
        start = end
    return out
