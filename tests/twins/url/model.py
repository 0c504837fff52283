"""Scores of a URL, from the sections of the model file: native/url/model.cpp, readably."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.twins.url.features import HOST, KIND, QUERY, Names, Suffixes, features, setting
from webtongue.train.url.file import BUCKET, LANES, read_sections


class UrlModel:
    def __init__(self, path: Path, suffixes: Suffixes, names: Names) -> None:
        parts = read_sections(path)
        self.suffixes, self.names = suffixes, names
        self.tags = np.frombuffer(parts["tags"], "<u2")
        self.rows = np.frombuffer(parts["rows"], np.int8).reshape(BUCKET, -1, LANES).astype(np.int64)
        self.bias = np.frombuffer(parts["bias"], "<i4").astype(np.int64).reshape(8, -1)
        self.mix = np.frombuffer(parts["mix"], "<u4").astype(np.int64).reshape(8, 8)
        self.scales = np.frombuffer(parts["scales"], "<u4").astype(np.int64)

    def row_of(self, key: int) -> np.ndarray | None:
        buckets = len(self.tags) // BUCKET
        tag = key & 0xFFFF or 1
        for bucket in ((key >> 32) * buckets >> 32, (key & 0xFFFFFFFF) * buckets >> 32):
            for slot in range(bucket * BUCKET, bucket * BUCKET + BUCKET):
                if self.tags[slot] == tag:
                    return self.rows[slot % BUCKET, bucket]
        return None

    def voices(self, url: str) -> np.ndarray | None:
        """What every part says for every label by its structure and by its text; None where the URL has no features."""
        reason, found = features(url.encode(), self.suffixes, self.names)
        if reason:
            return None
        texts = sum(is_text(kind) for _, kind in found)
        units = np.array([self.scales[0], self.scales[texts] if texts else 0] * 4)
        sums = np.zeros((8, LANES), np.int64)
        for key, kind in found:
            row = self.row_of(key)
            if row is not None:
                sums[2 * part_of(kind) + is_text(kind)] += row
        return sums * (units * self.mix[self.setting(url)] >> 12)[:, None]

    def setting(self, url: str) -> int:
        """What kind of address it is, and whether it names a language."""
        _, found = features(url.encode(), self.suffixes, self.names)
        return setting(url.encode()) + 4 * any((kind & 0x3F) == KIND["said"] for _, kind in found)

    def totals(self, url: str) -> np.ndarray | None:
        """1/1024 nats of every label; None where the URL has no features."""
        said = self.voices(url)
        if said is None:
            return None
        bias = self.bias[self.setting(url)]
        return bias + (said.sum(0) >> 16)[: len(bias)]


def is_text(kind: int) -> bool:
    return (kind & 0x3F) >= KIND["word"]


def part_of(kind: int) -> int:
    if (kind & 0x3F) <= KIND["suffix"]:
        return 0
    return 1 if kind & HOST else 3 if kind & QUERY else 2
