"""A readable twin of native/fonts/guess.cpp."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from webtongue.train.fonts.file import font_bytes, read_sections

WINDOW, WINDOWS = 48, 12
LANES, BURMESE = 32, 161


class Twin:
    """The model's tables, and what the kernel says by them."""

    def __init__(self, path: Path) -> None:
        parts = read_sections(path)
        self.names = parts["names"].decode().split("\n")
        self.threshold = int(np.frombuffer(parts["threshold"], "<i4")[0])
        self.classes = list(parts["classes"])
        self.gate = np.frombuffer(parts["gate"], np.int8).reshape(128, 128).tolist()
        self.rows = np.frombuffer(parts["rows"], np.int8).reshape(65536, LANES)
        self.burmese = np.frombuffer(parts["burmese"], np.int8).reshape(BURMESE, BURMESE).tolist()

    def suspects(self, raw: bytes) -> bool:
        least = 2 * WINDOW
        step = max(len(raw) // WINDOWS, least)
        for start in range(0, len(raw), step):
            at = start
            for _ in range(3):
                at += at < len(raw) and raw[at] & 0xC0 == 0x80
            end = min(len(raw), at + step)
            while at < end:
                score, at = self.look(raw, at)
                if score > self.threshold:
                    return True
                if step > least:
                    break
        return False

    def look(self, raw: bytes, at: int) -> tuple[int, int]:
        latin = other = 0
        before, last = self.classes[32], 0
        for _ in range(WINDOW):
            if at >= len(raw):
                break
            char, at = character(raw, at)
            after = self.classes[font_bytes(char)[0]]
            letter = point(char)
            latin += self.gate[before][after]
            other += self.burmese[last][letter] if letter or last else 0
            before, last = after, letter
        return max(latin, other), at

    def lines(self, raw: bytes, wanted: int) -> tuple[bytes, list[int]]:
        found = [self.line(line, wanted if wanted < len(self.names) else 0) for line in raw.split(b"\n")]
        return bytes(font for font, _ in found), [margin for _, margin in found]

    def line(self, raw: bytes, wanted: int) -> tuple[int, int]:
        chars = characters(raw)
        glyphs = b" " + font_bytes("".join(chars))
        sums = self.rows[[a << 8 | b for a, b in pairwise(glyphs)]].sum(axis=0, dtype=int)
        points = [0, *map(point, chars)]
        other = sum(self.burmese[a][b] for a, b in pairwise(points) if a or b)
        zawgyi = len(self.names) - 1
        if 2 * sum(map(bool, points)) > len(chars):
            return (zawgyi if other > 0 or wanted == zawgyi else 0), other
        best = wanted or 1 + int(np.argmax(sums[1:zawgyi]))
        if best >= zawgyi:
            return 0, 0
        margin = int(sums[best] - sums[0])
        return (best if margin > 0 or wanted else 0), margin


@lru_cache(maxsize=4)  # a line is looked at for several fonts
def characters(raw: bytes) -> tuple[str, ...]:
    out = []
    at = 0
    while at < len(raw):
        char, at = character(raw, at)
        out.append(char)
    return tuple(out)


def character(raw: bytes, at: int) -> tuple[str, int]:
    """A character of UTF-8, or a byte that is none as itself; ranges of code points are not checked."""
    first = raw[at]
    more = 3 if first >= 0xF0 else 2 if first >= 0xE0 else 1 if first >= 0xC0 else 0
    rest = raw[at + 1 : at + 1 + more]
    if first < 0x80 or not more or len(rest) < more or any(b & 0xC0 != 0x80 for b in rest):
        return chr(first), at + 1
    code = first & (0x3F >> more)
    for byte in rest:
        code = code << 6 | byte & 0x3F
    return chr(min(code, 0x10FFFF)), at + 1 + more


def point(char: str) -> int:
    return ord(char) - 0x1000 + 1 if "\u1000" <= char <= "\u109f" else 0
