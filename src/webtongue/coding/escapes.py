"""Encodings that shift between alphabets by escape sequences: bytes of theirs that look like markup may be text.

They are told by their escapes and decoded before the page is scanned.
"""

from __future__ import annotations

import codecs
import re

__all__ = ["decode", "find"]

# What follows the escape, and the encoding that has it. The first that is found decides; the codecs are supersets.
ESCAPES = re.compile(rb"\x1b(?:\$\)([CAGH])|\$\*H|\$\(?([@BDOPQ])|\(([JI]))")
HZ = re.compile(rb"~\{(?:[\x21-\x77][\x21-\x7e])+~\}")
CODECS = {
    "iso-2022-jp": "iso2022_jp_ext",
    "iso-2022-jp-3": "iso2022_jp_3",
    "iso-2022-kr": "iso2022_kr",
    "hz-gb-2312": "hz",
}
CHUNK = 1 << 20  # characters decoded at a time: bounds memory on huge pages


def find(raw: bytes) -> str:
    """The escaping encoding of a page, or an empty string.

    >>> find("日本".encode("iso2022_jp"))
    'iso-2022-jp'
    >>> find("中文".encode("hz"))
    'hz-gb-2312'
    """
    if b"\x1b" in raw:
        if match := ESCAPES.search(raw):
            if match.group(1) == b"C":
                return "iso-2022-kr"
            if match.group(2) in (b"O", b"P", b"Q"):
                return "iso-2022-jp-3"
            if match.group(2) or match.group(3):
                return "iso-2022-jp"
    elif b"~{" in raw and raw.isascii() and HZ.search(raw):
        return "hz-gb-2312"
    return ""


def decode(raw: bytes, encoding: str) -> bytes:
    """The page in UTF-8."""
    decoder = codecs.getincrementaldecoder(CODECS[encoding])("replace")
    out = []
    for start in range(0, len(raw), CHUNK):
        out.append(decoder.decode(raw[start : start + CHUNK]).encode("utf-8", "replace"))
    out.append(decoder.decode(b"", True).encode("utf-8", "replace"))
    return b"".join(out)
