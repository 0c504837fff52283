"""A readable twin of native/fonts/detector.cpp."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from webtongue.lab.train.fonts.file import encode_font_bytes, read_sections

WINDOW_CHARS, MAX_WINDOWS = 48, 12
LANES, BURMESE = 32, 161


class FontDetector:
    """The tables of the model and the kernel's computations with them."""

    def __init__(self, path: Path) -> None:
        parts = read_sections(path)
        self.names = parts["names"].decode().split("\n")
        self.threshold = int(np.frombuffer(parts["threshold"], "<i4")[0])
        self.classes = list(parts["classes"])
        self.gate = np.frombuffer(parts["gate"], np.int8).reshape(128, 128).tolist()
        self.rows = np.frombuffer(parts["rows"], np.int8).reshape(65536, LANES)
        self.typical = np.frombuffer(parts["typical"], "<i4").tolist()
        self.burmese = np.frombuffer(parts["burmese"], np.int8).reshape(BURMESE, BURMESE).tolist()

    def may_have_font(self, raw: bytes) -> bool:
        min_step = 2 * WINDOW_CHARS
        step = max(len(raw) // MAX_WINDOWS, min_step)
        for start in range(0, len(raw), step):
            at = start
            for _ in range(3):
                at += at < len(raw) and raw[at] & 0xC0 == 0x80
            end = min(len(raw), at + step)
            while at < end:
                score, at = self.score_window(raw, at)
                if score > self.threshold:
                    return True
                if step > min_step:
                    break
        return False

    def score_window(self, raw: bytes, at: int) -> tuple[int, int]:
        latin = other = 0
        before, last = self.classes[32], 0
        for _ in range(WINDOW_CHARS):
            if at >= len(raw):
                break
            char, at = character(raw, at)
            after = self.classes[encode_font_bytes(char)[0]]
            letter = point(char)
            latin += self.gate[before][after]
            other += self.burmese[last][letter] if letter or last else 0
            before, last = after, letter
        return max(latin, other), at

    def lines(self, raw: bytes, only_font: int) -> tuple[bytes, list[int]]:
        fonts = [self.line(line, only_font if only_font < len(self.names) else 0) for line in raw.split(b"\n")]
        return bytes(font for font, _ in fonts), [margin for _, margin in fonts]

    def line(self, raw: bytes, only_font: int) -> tuple[int, int]:
        chars = characters(raw)
        glyphs = b" " + encode_font_bytes("".join(chars))
        sums = self.rows[[a << 8 | b for a, b in pairwise(glyphs)]].sum(axis=0, dtype=int)
        points = [0, *map(point, chars)]
        other = sum(self.burmese[a][b] for a, b in pairwise(points) if a or b)
        zawgyi = len(self.names) - 1
        if 2 * sum(map(bool, points)) > len(chars):
            return (zawgyi if other > 0 or only_font == zawgyi else 0), other
        best = only_font or 1 + int(np.argmax(sums[1:zawgyi]))
        if best >= zawgyi:
            return 0, 0
        margin = int(sums[best] - sums[0])
        return (best if margin > 0 or only_font else 0), margin

    def fit(self, raw: bytes, font: int) -> tuple[int, int, int, int]:
        if font in (0, len(self.names) - 1) or font >= len(self.names):
            return 0, 0, 0, 0
        sums = [0, 0, 0, 0]
        for word in re.split(rb"[ \t-\r]+", encode_font_bytes("".join(characters(raw)))):
            if not word:
                continue
            pairs = [a << 8 | b for a, b in pairwise(b" " + word + b" ")]
            own, ordinary = int(self.rows[pairs, font].sum(dtype=int)), int(self.rows[pairs, 0].sum(dtype=int))
            sums[0] += len(pairs)
            if own > ordinary:
                sums[1] += len(pairs)
                sums[2] += own
                sums[3] += ordinary
        return sums[0], sums[1], sums[2], sums[3]


@lru_cache(maxsize=4)  # a line is scored for several fonts
def characters(raw: bytes) -> tuple[str, ...]:
    result = []
    at = 0
    while at < len(raw):
        char, at = character(raw, at)
        result.append(char)
    return tuple(result)


def character(raw: bytes, at: int) -> tuple[str, int]:
    """Return a character of UTF-8, or a byte that is not UTF-8, and the next position; no upper limit is checked."""
    first = raw[at]
    more = 3 if first >= 0xF0 else 2 if first >= 0xE0 else 1 if first >= 0xC0 else 0
    rest = raw[at + 1 : at + 1 + more]
    if first < 0x80 or not more or len(rest) < more or any(b & 0xC0 != 0x80 for b in rest):
        return chr(first), at + 1
    code = first & (0x3F >> more)
    for byte in rest:
        code = code << 6 | byte & 0x3F
    if code < (0, 0x80, 0x800, 0x10000)[more]:  # an overlong form
        return chr(first), at + 1
    return chr(min(code, 0x10FFFF)), at + 1 + more


def point(char: str) -> int:
    return ord(char) - 0x1000 + 1 if "\u1000" <= char <= "\u109f" else 0
