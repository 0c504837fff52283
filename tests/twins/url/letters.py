"""The readable twin of native/url/letters.cpp."""

from __future__ import annotations

import unicodedata

ODD = dict(zip("ßæøðþłđıœŋħŧə", "saodtldionhte", strict=True))


def is_letter(char: str) -> bool:
    return char.isascii() and char.isalpha() if ord(char) < 128 else unicodedata.category(char)[0] in "LM"


def lower(char: str) -> str:
    return char.lower()[0]  # the simple mapping: one letter for one


def plain(char: str) -> str:
    """Lower case, Latin without marks."""
    code = ord(char)
    if 0xC0 <= code < 0x250 or 0x1E00 <= code < 0x1F00:
        low = char.lower()
        first = unicodedata.normalize("NFKD", ODD.get(low, low))[0]
        first = ODD.get(first, first)
        if "a" <= first <= "z":
            return first
    return lower(char)
