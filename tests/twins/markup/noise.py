"""Noise flags of a block, on text rather than bytes."""

from __future__ import annotations

import re
import unicodedata

NUMBERS, SYMBOLS, COMMON, REPEATED, DAMAGED, NOTICE, CONSENT = 1, 2, 4, 8, 16, 32, 64
LONGEST_COMMON, MOST_WITH_BANNER = 64, 8192  # bytes
COOKIE = re.compile(rb"(?i:coo)k(?i:ie)")  # the k is small, as it is in running text
# A lost letter: a question mark between letters, or the first of three.
LOST = re.compile(r"(?<=[A-Za-z\x80-\U0010ffff])\?(?=[A-Za-z\x80-\U0010ffff])|\?(?=\?\?)")


def is_letter(c: str) -> bool:
    return unicodedata.category(c)[0] in "LM"


def fold(raw: bytes) -> bytes:
    """Letters of ASCII in lower case, and everything beyond it."""
    return re.sub(rb"[^A-Za-z\x80-\xff]", b"", raw).lower()


def flags(blocks: list[bytes], common: set[bytes], notices: set[bytes]) -> list[int]:
    """Flags of the blocks of a well-formed text; ``common`` and ``notices`` hold folded strings."""
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
        if len(raw) <= LONGEST_COMMON and (
            fold(raw) in notices or (b"/" in raw and fold(raw.split(b"/")[0]) in notices)
        ):
            found |= COMMON | NOTICE
        elif len(raw) <= LONGEST_COMMON and fold(raw) in common:
            found |= COMMON
        if COOKIE.search(raw) and sum(map(len, blocks)) + len(blocks) - 1 <= MOST_WITH_BANNER:
            found |= CONSENT
        seen.add(raw)
        out.append(found)
    return out
