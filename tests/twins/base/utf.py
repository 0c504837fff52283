"""UTF-8 checked by Python's codec, whose ``replace`` drops the same bytes as the standard's decoder."""

from __future__ import annotations


def check_utf8(raw: bytes) -> tuple[int, int]:
    """Ill-formed sequences, and well-formed characters beyond ASCII."""
    text = raw.decode("utf-8", "surrogateescape")
    good = sum(ord(c) >= 0x80 and not 0xDC80 <= ord(c) <= 0xDCFF for c in text)
    replaced = raw.decode("utf-8", "replace")
    return sum(c >= "\x80" for c in replaced) - good, good
