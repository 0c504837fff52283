"""Encodings as the report counts them: which are outside UTF-8, and which differ from the declared one."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["NOT_DECLARED", "NO_ENCODING", "count_legacy", "is_different"]

NO_ENCODING, NOT_DECLARED = "not known", "none"
UTF8 = frozenset({"utf-8", "ascii"})  # ASCII is a part of UTF-8


def count_legacy(pages: Mapping[str, int]) -> int:
    """Return the number of pages in a known encoding other than UTF-8, from those of each encoding.

    >>> count_legacy({"utf-8": 4, "ascii": 1, "not known": 2, "koi8-r": 3})
    3
    """
    return sum(count for encoding, count in pages.items() if encoding not in UTF8 and encoding != NO_ENCODING)


def is_different(declared: str, detected: str) -> bool:
    """Return True if a page is in another encoding than it declares; names are compared as they are written.

    >>> is_different("UTF-8", "ascii"), is_different("none", "utf-8"), is_different("big5", ""), is_different("big5", "gbk")
    (False, True, False, True)
    """
    names = {declared.lower(), detected.lower()}
    return bool(detected) and len(names) > 1 and not names <= UTF8
