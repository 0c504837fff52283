"""Reading pages in encodings other than UTF-8."""

from __future__ import annotations

import codecs
from array import array
from functools import cache
from typing import Any

from webtongue import _kernel
from webtongue.coding.labels import resolve

__all__ = ["decode", "decode_scan", "lost", "single_byte_table"]

CHUNK = 1 << 18  # bytes decoded at a time: bounds memory on huge pages
REPLACEMENT = "\ufffd"


def decode_scan(source: bytes, syntax: int, encoding: str) -> Any:
    """Scan a page again, its text decoded by a WHATWG name; bytes that mean nothing become U+FFFD."""
    table = single_byte_table(encoding)
    if table is not None:
        return _kernel.scan(source, syntax, False, True, table)
    rewrite = _kernel.Rewrite(_kernel.scan(source, syntax, False, False))
    decoder = codecs.getincrementaldecoder(_codec(encoding))("replace")
    for start in range(0, rewrite.raw_size, CHUNK):
        rewrite.append(decoder.decode(rewrite.raw(start, start + CHUNK)).encode("utf-8", "replace"))
    rewrite.append(decoder.decode(b"", True).encode("utf-8", "replace"))
    return rewrite.finish()


def lost(sample: bytes, encoding: str) -> float:
    """Share of the bytes beyond ASCII that an encoding cannot read.

    >>> lost("ε".encode("cp1253"), "windows-1250"), lost("Ελλάδα.".encode("cp1253"), "shift_jis") > 0
    (0.0, True)
    """
    high = len(sample) - len(sample.decode("ascii", "ignore"))
    return decode(sample, encoding).count(REPLACEMENT) / max(high, 1)


def decode(raw: bytes, encoding: str) -> str:
    """A stretch of bytes as text; bytes that mean nothing become U+FFFD.

    >>> decode("Žluťoučký".encode("cp1250"), "windows-1250")
    'Žluťoučký'
    """
    table = single_byte_table(encoding)
    if table is None:
        return raw.decode(_codec(encoding), "replace")
    return raw.decode("latin-1").translate(dict(enumerate(table, 0x80)))


@cache
def single_byte_table(encoding: str) -> array[int] | None:
    """Code points of the bytes from 0x80 on, None if the encoding has more than one byte a character."""
    if encoding == "x-user-defined":
        return array("H", range(0xF780, 0xF800))
    codec = _codec(encoding)
    if codec.startswith("utf") or len(bytes(range(0x80, 0x100)).decode(codec, "replace")) != 0x80:
        return None
    points = [ord(bytes([b]).decode(codec, "replace")[0]) for b in range(0x80, 0x100)]
    # The standard gives bytes that windows-125x leaves empty to the control codes of the same number.
    holes = [
        b if p == ord(REPLACEMENT) and codec.startswith("cp125") and b < 0xA0 else p for b, p in enumerate(points, 0x80)
    ]
    return array("H", holes)


def _codec(encoding: str) -> str:
    found = resolve(encoding)
    return found.codec if found and found.codec else "cp1252"
