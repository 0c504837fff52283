"""Scan a page again when its encoding is known: its text becomes UTF-8, and its blocks stay the same.

It is in this package since legacy fonts, which are below encoding detection, need it too.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable

from webtongue import _kernel
from webtongue.charset.codecs import decode, python_codec, table_encodings, text_table
from webtongue.charset.mixed import decode as decode_mixed
from webtongue.markup.scan import Decoder, Markup
from webtongue.records import replace

__all__ = ["decode_scan", "hold_references", "read_as", "repair_text"]

CHUNK_BYTES = 1 << 18  # bounds memory on huge pages
NOT_SCANNABLE = ("johab",)  # encodings with < and > among their trail bytes, which are decoded first


def hold_references(markup: Markup) -> _kernel.Scan:
    """Scan the page with its character references held back, so that its text has bytes of its encoding only."""
    return _kernel.scan(markup.source, markup.syntax, False, False)


def read_as(
    markup: Markup,
    encoding: str,
    held: _kernel.Scan | None = None,
    *,
    mixed: bool = False,
    decoder: Decoder | None = None,
) -> Markup:
    """Scan a page again in an encoding that is not UTF-8.

    ``held`` is the scan with references held back, if there is one. ``mixed`` is True if parts of the text are UTF-8. ``decoder``
    is used for text that no decoder of the encoding alone can read.
    """
    if encoding in NOT_SCANNABLE:
        source = (decode_mixed if mixed else decode)(markup.source, encoding).encode("utf-8", "replace")
        scan = _kernel.scan(source, markup.syntax, False, True)
        return replace(markup, source=source, scan=scan, transcoded=encoding)
    decoder = decode_mixed if mixed else decoder
    scan = decode_scan(markup.source, markup.syntax, encoding, held, decoder)
    return replace(markup, scan=scan, read_as=encoding, decoder=decoder)


def decode_scan(
    source: bytes, syntax: int, encoding: str, held: _kernel.Scan | None = None, decoder: Decoder | None = None
) -> _kernel.Scan:
    """Scan a page again and decode its text; undecodable bytes become U+FFFD.

    ``held`` is the scan with references held back, if there is one; it cannot be used afterwards.
    """
    table = text_table(encoding)
    if table is not None and not decoder:
        return _kernel.scan(source, syntax, False, True, table)
    rewrite = _kernel.Rewrite(held or _kernel.scan(source, syntax, False, False))
    if decoder or encoding in table_encodings():
        decoder = decoder or decode
        for start, end in _chunks(rewrite):
            rewrite.append(decoder(rewrite.raw(start, end), encoding).encode("utf-8", "replace"))
        return rewrite.finish()
    incremental = codecs.getincrementaldecoder(python_codec(encoding))("replace")
    for start in range(0, rewrite.raw_size, CHUNK_BYTES):
        rewrite.append(incremental.decode(rewrite.raw(start, start + CHUNK_BYTES)).encode("utf-8", "replace"))
    rewrite.append(incremental.decode(b"", True).encode("utf-8", "replace"))
    return rewrite.finish()


def repair_text(markup: Markup, repair: Callable[[str], str]) -> Markup:
    """Return the page with mojibake in its text repaired; its blocks stay the same."""
    if markup.font:  # a second scan would not have the converted text
        scan = markup.scan
    elif markup.read_as:
        scan = decode_scan(markup.source, markup.syntax, markup.read_as, decoder=markup.decoder)
    else:
        scan = _kernel.scan(markup.source, markup.syntax, False, True)
    rewrite = _kernel.Rewrite(scan)
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    for start, end in _chunks(rewrite):
        rewrite.append(repair(decoder.decode(rewrite.raw(start, end))).encode())
    convert = markup.convert
    return replace(markup, scan=rewrite.finish(), convert=(lambda line: repair(convert(line))) if convert else repair)


def _chunks(rewrite: _kernel.Rewrite) -> list[tuple[int, int]]:
    """Return chunks of a scanned text that end with a line if possible, so that no character is cut."""
    chunks, start = [], 0
    while start < rewrite.raw_size:
        end = min(start + CHUNK_BYTES, rewrite.raw_size)
        if end < rewrite.raw_size:
            line_end = rewrite.raw(start, end).rfind(b"\n")
            end = start + line_end + 1 if line_end >= 0 else end
        chunks.append((start, end))
        start = end
    return chunks
