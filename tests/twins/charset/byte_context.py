"""Byte contexts in plain Python: windows around bytes beyond ASCII, and their weights."""

from __future__ import annotations

from functools import cache

import numpy as np

MAX_PER_BYTE, HALF = 8, 2
MASK = (1 << 64) - 1


def windows(text: bytes) -> list[bytes]:
    """Return distinct windows in the order of the text, a few for each byte."""
    padded = b" " * HALF + text + b" " * HALF
    result: dict[bytes, None] = {}
    counts = [0] * 256
    for i, byte in enumerate(text):
        window = padded[i : i + 2 * HALF + 1]
        if byte >= 0x80 and window not in result and counts[byte] < MAX_PER_BYTE:
            counts[byte] += 1
            result[window] = None
    return list(result)


def feature(kind: int, parts: list[int], width: int, bits: int) -> int:
    key = 0
    for part in parts:
        key = key << width | part
    return (((kind << 48 | key) * 0x9E3779B97F4A7C15 ^ key) & MASK) * 0xD1B54A32D192ED03 % (1 << 64) >> 64 - bits


class ByteContext:
    """The sections of a model file for contexts."""

    def __init__(self, parts: dict[str, bytes]) -> None:
        self.letters = np.frombuffer(parts["letters"], "<u2").reshape(-1, 256).tolist()
        self.sorts = np.frombuffer(parts["sorts"], np.uint8).reshape(-1, 256).tolist()
        self.weights = np.frombuffer(parts["contexts"], np.int8)
        self.scales = np.frombuffer(parts["context scales"], "<u4").tolist()
        self.known = len(self.weights) > 0
        self.bits = max(len(self.weights), 1).bit_length() - 1

    def features(self, window: bytes, k: int) -> list[int]:
        c = [self.letters[k][byte] for byte in window]
        s = [self.sorts[k][byte] for byte in window]
        return [
            feature(1, s[1:4], 8, self.bits), feature(2, s, 8, self.bits), feature(3, [c[2], s[1], s[3]], 8, self.bits),
            feature(4, c[1:3], 16, self.bits), feature(5, c[2:4], 16, self.bits), feature(6, c[:3], 16, self.bits),
            feature(7, c[1:4], 16, self.bits), feature(8, c[2:], 16, self.bits),
        ]  # fmt: skip

    @cache  # noqa: B019  one model lives as long as the tests
    def weight(self, window: bytes, k: int) -> int:
        return sum(int(self.weights[i]) for i in self.features(window, k))

    def nats(self, total: int, count: int) -> int:
        return total * self.scales[min(count, len(self.scales) - 1)] >> 16
