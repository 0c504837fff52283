"""Noise flags of a block, on text rather than bytes."""

from __future__ import annotations

import re
import unicodedata

NUMBERS, SYMBOLS, COMMON, REPEATED, DAMAGED = 1, 2, 4, 8, 16
LONGEST_COMMON = 64  # bytes
# A lost letter: a question mark between letters, or the first of three.
LOST = re.compile(r"(?<=[A-Za-z\x80-\U0010ffff])\?(?=[A-Za-z\x80-\U0010ffff])|\?(?=\?\?)")


def is_letter(c: str) -> bool:
    return unicodedata.category(c)[0] in "LM"


def fold(raw: bytes) -> bytes:
    """Letters and digits of ASCII in lower case, and everything beyond it."""
    return re.sub(rb"[^A-Za-z0-9\x80-\xff]", b"", raw).lower()


def flags(blocks: list[bytes], common: set[bytes]) -> list[int]:
    """Flags of the blocks of a well-formed text; ``common`` holds folded strings."""
    seen: set[bytes] = set()
    out = []
    for raw in blocks:
        text = raw.decode()
        letters = sum(is_letter(c) for c in text)
        lost = text.count("\ufffd") + len(LOST.findall(text))
        found = 0
        if not letters:
            found |= NUMBERS if re.search("[0-9]", text) else SYMBOLS
        if lost and lost / (letters + lost) >= 0.05:
            found |= DAMAGED
        if raw in seen:
            found |= REPEATED
        if len(raw) <= LONGEST_COMMON and fold(raw) in common:
            found |= COMMON
        seen.add(raw)
        out.append(found)
    return out
