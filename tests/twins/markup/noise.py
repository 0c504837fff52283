"""Noise flags of blocks, in plain Python."""

from __future__ import annotations

import re
import unicodedata

NUMBERS, SYMBOLS, COMMON, REPEATED, DAMAGED, NOTICE, CONSENT = 1, 2, 4, 8, 16, 32, 64
MAX_COMMON_BYTES, MAX_BANNER_TEXT_BYTES = 64, 8192  # bytes
MAX_BANNER, MAX_BUTTON, MAX_BUTTON_DISTANCE, MAX_WORD_DISTANCE = 1000, 40, 8, 80
COOKIE = re.compile(rb"(?i:coo)k(?i:ie)")  # the k is small, as it is in running text
# A lost letter: a question mark between letters, or the first of three.
LOST = re.compile(r"(?<=[A-Za-z\x80-\U0010ffff])\?(?=[A-Za-z\x80-\U0010ffff])|\?(?=\?\?)")


def is_letter(c: str) -> bool:
    return unicodedata.category(c)[0] in "LM"


def fold(raw: bytes) -> bytes:
    """Return the letters of ASCII in lower case, and all bytes beyond ASCII."""
    return re.sub(rb"[^A-Za-z\x80-\xff]", b"", raw).lower()


def flags(blocks: list[bytes], common: set[bytes], notices: set[bytes]) -> list[int]:
    """Return the flags of the blocks of a well-formed text; ``common`` and ``notices`` are folded strings."""
    seen: set[bytes] = set()
    result = []
    for raw in blocks:
        text = raw.decode()
        letters = sum(is_letter(c) for c in text)
        lost = text.count("\ufffd") + len(LOST.findall(text))
        block_flags = 0
        if not letters:
            block_flags |= NUMBERS if re.search("[0-9]", text) else SYMBOLS
        if lost and lost / (letters + lost) >= 0.05:
            block_flags |= DAMAGED
        if raw in seen:
            block_flags |= REPEATED
        if len(raw) <= MAX_COMMON_BYTES and (
            fold(raw) in notices or (b"/" in raw and fold(raw.split(b"/")[0]) in notices)
        ):
            block_flags |= COMMON | NOTICE
        elif len(raw) <= MAX_COMMON_BYTES and fold(raw) in common:
            block_flags |= COMMON
        seen.add(raw)
        result.append(block_flags)
    return result


def consent(blocks: list[bytes], uses: list[bytes], requests: list[bytes]) -> list[int]:
    """Return CONSENT for each banner and each of its buttons, 0 for other blocks."""
    out = [0] * len(blocks)
    if sum(map(len, blocks)) + len(blocks) - 1 > MAX_BANNER_TEXT_BYTES:
        return out

    def contains(text: bytes, words: list[bytes]) -> bool:
        return any(word in text.lower() for word in words)

    for number, raw in enumerate(blocks):
        around = [
            raw[max(0, m.start() - MAX_WORD_DISTANCE) : m.start() + MAX_WORD_DISTANCE] for m in COOKIE.finditer(raw)
        ]
        if len(raw) > MAX_BANNER or not any(contains(text, uses) for text in around):
            continue
        buttons = [
            number + 1 + i
            for i, text in enumerate(blocks[number + 1 : number + 1 + MAX_BUTTON_DISTANCE])
            if len(text) <= MAX_BUTTON and (contains(text, requests) or text.lower() == b"ok")
        ]
        if buttons or contains(raw, requests):
            for block in (number, *buttons):
                out[block] = CONSENT
    return out
