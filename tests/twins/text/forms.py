"""Map presentation forms and width variants to letters: the readable twin of native/text/forms.cpp."""

from __future__ import annotations

import string
import unicodedata

MOST_LETTERS = 3


def letters_of(char: str) -> str:
    """The letters that a character stands for; itself where it is no form."""
    code = ord(char)
    if 0x1D400 <= code <= 0x1D6A3:
        return (string.ascii_uppercase + string.ascii_lowercase)[(code - 0x1D400) % 52]
    if 0x1F00 <= code <= 0x1FFF:
        return monotonic(char)
    if not 0xFB00 <= code < 0xFFA0:
        return char
    letters = "".join(c for c in unicodedata.normalize("NFKC", char) if unicodedata.category(c)[0] == "L")
    return letters if 0 < len(letters) <= MOST_LETTERS else char


def monotonic(char: str) -> str:
    """The letter of monotonic Greek that one of polytonic Greek stands for: breathings and iota subscript go, accents become acute."""
    if unicodedata.category(char)[0] != "L":
        return char
    base, *marks = unicodedata.normalize("NFD", char)
    kept = ["\u0308"] * ("\u0308" in marks) + ["\u0301"] * any(mark in "\u0300\u0301\u0342" for mark in marks)
    return unicodedata.normalize("NFC", base + "".join(kept))


def first_letter_of(char: str) -> str:
    return letters_of(char)[0]
