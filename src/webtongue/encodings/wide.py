"""UTF-16 and UTF-32 as UTF-8: a unit that is no character becomes U+FFFD, as the standard's decoders have it.

>>> to_utf8(b"\\xd8\\x00\\x00a", "utf-16be").decode()
'\\ufffda'
"""

from __future__ import annotations

__all__ = ["WIDE", "to_utf8"]

WIDE = ("utf-16le", "utf-16be", "utf-32le", "utf-32be")
REPLACEMENT = "\ufffd"


def to_utf8(raw: bytes, encoding: str) -> bytes:
    """A text in one of the four, in UTF-8."""
    if encoding.startswith("utf-32"):
        return raw.decode(encoding, "replace").encode()
    rest = len(raw) % 2
    whole = raw[:-1] if rest else raw
    try:
        text = whole.decode(encoding)
    except UnicodeDecodeError:
        text = _without_lone(whole, encoding).decode(encoding)
    return text.encode() + (REPLACEMENT * rest).encode()


def _without_lone(units: bytes, encoding: str) -> bytes:
    """UTF-16 with U+FFFD for each surrogate that has no other half; Python's decoder drops what follows it, too."""
    import numpy as np  # for damaged text only

    codes = np.frombuffer(units, ">u2" if encoding == "utf-16be" else "<u2").copy()
    high, low = codes & 0xFC00 == 0xD800, codes & 0xFC00 == 0xDC00
    paired = high[:-1] & low[1:]
    lone = high | low
    lone[:-1] &= ~paired
    lone[1:] &= ~paired
    codes[lone] = ord(REPLACEMENT)
    return codes.tobytes()
