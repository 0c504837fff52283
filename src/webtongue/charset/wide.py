"""Convert UTF-16 and UTF-32 to UTF-8; ill-formed units become U+FFFD, as in the standard's decoders.

>>> to_utf8(b"\\xd8\\x00\\x00a", "utf-16be").decode()
'\\ufffda'
"""

from __future__ import annotations

__all__ = ["WIDE_ENCODINGS", "to_utf8"]

WIDE_ENCODINGS = ("utf-16le", "utf-16be", "utf-32le", "utf-32be")
REPLACEMENT = "\ufffd"


def to_utf8(raw: bytes, encoding: str) -> bytes:
    """Return a text in one of WIDE_ENCODINGS in UTF-8."""
    if encoding.startswith("utf-32"):
        return raw.decode(encoding, "replace").encode()
    has_odd_byte = len(raw) % 2
    units = raw[:-1] if has_odd_byte else raw
    try:
        text = units.decode(encoding)
    except UnicodeDecodeError:
        text = _replace_lone_surrogates(units, encoding).decode(encoding)
    return text.encode() + (REPLACEMENT * has_odd_byte).encode()


def _replace_lone_surrogates(units: bytes, encoding: str) -> bytes:
    """Return UTF-16 with U+FFFD for each lone surrogate; Python's decoder would drop the unit after it too."""
    import numpy as np  # needed for damaged text only

    codes = np.frombuffer(units, ">u2" if encoding == "utf-16be" else "<u2").copy()
    high, low = codes & 0xFC00 == 0xD800, codes & 0xFC00 == 0xDC00
    is_pair = high[:-1] & low[1:]
    is_lone = high | low
    is_lone[:-1] &= ~is_pair
    is_lone[1:] &= ~is_pair
    codes[is_lone] = ord(REPLACEMENT)
    return codes.tobytes()
