"""Decoding the text of a scanned page from an encoding other than UTF-8, references put back in their places."""

from __future__ import annotations

import codecs
from array import array
from functools import cache

from webtongue import _kernel
from webtongue.coding.labels import resolve

__all__ = ["single_byte_table", "to_utf8"]

CHUNK = 1 << 20  # bytes decoded at a time: bounds memory on huge pages
HELD = b"\x1a"  # stands for a reference in the scanned text (the kernel's kPlaceholder)
NO_CHARACTER = 0xFFFD


def to_utf8(text: bytes, encoding: str, references: bytes = b"") -> bytes:
    """Decode by a WHATWG name; bytes that mean nothing become U+FFFD.

    >>> to_utf8("Žluťoučký \\x1a".encode("cp1250"), "windows-1250", "→\\x1a".encode()).decode()
    'Žluťoučký →'
    """
    table = single_byte_table(encoding)
    out = _kernel.single_byte_to_utf8(text, table) if table is not None else _multibyte(text, encoding)
    return _restore(out, references) if references else out


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
    holes = [b if p == NO_CHARACTER and codec.startswith("cp125") and b < 0xA0 else p for b, p in enumerate(points, 0x80)]
    return array("H", holes)


def _codec(encoding: str) -> str:
    found = resolve(encoding)
    return found.codec if found and found.codec else "cp1252"


def _multibyte(text: bytes, encoding: str) -> bytes:
    decoder = codecs.getincrementaldecoder(_codec(encoding))("replace")
    chunks = (text[start : start + CHUNK] for start in range(0, len(text), CHUNK))
    out = [decoder.decode(chunk).encode("utf-8", "replace") for chunk in chunks]
    out.append(decoder.decode(b"", True).encode("utf-8", "replace"))
    return b"".join(out)


def _restore(text: bytes, references: bytes) -> bytes:
    """Put what each placeholder stands for in its place."""
    pieces = text.split(HELD)
    held = references.split(HELD)
    out = [pieces[0]]
    for piece, character in zip(pieces[1:], held, strict=False):
        out += (character, piece)
    return b"".join(out)
