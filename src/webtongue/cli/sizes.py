"""Sizes as people write them."""

from __future__ import annotations

import re

from webtongue.errors import UsageError

__all__ = ["size_of"]

SIZE = re.compile(r"(\d+)\s*([KMG]?)B?", re.IGNORECASE)
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def size_of(text: str) -> int:
    """Bytes as people write them.

    >>> size_of("16M"), size_of("2 GB")
    (16777216, 2147483648)
    """
    found = SIZE.fullmatch(text.strip())
    if found is None or not int(found[1]):
        raise UsageError(f"a size is written 16M or 2G, not {text!r}")
    return int(found[1]) * UNITS[found[2].upper()]
