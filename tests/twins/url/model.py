"""Score a URL from the sections of the model file: the readable twin of native/url/model.cpp."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.twins.url.codes import Codes
from tests.twins.url.features import HOST, KIND, QUERY, Features, Suffixes, features, setting
from webtongue.lab.train.url.file import BUCKET_SLOTS, LANES, read_sections


class UrlModel:
    def __init__(self, path: Path, suffixes: Suffixes, codes: Codes) -> None:
        parts = read_sections(path)
        self.suffixes, self.codes = suffixes, codes
        self.tags = np.frombuffer(parts["tags"], "<u2")
        self.rows = np.frombuffer(parts["rows"], np.int8).reshape(BUCKET_SLOTS, -1, LANES).astype(np.int64)
        self.bias = np.frombuffer(parts["bias"], "<i4").astype(np.int64).reshape(4, -1)
        self.mix = np.frombuffer(parts["mix"], "<u4").astype(np.int64).reshape(4, 8)
        self.scales = np.frombuffer(parts["scales"], "<u4").astype(np.int64)

    def find_row(self, key: int) -> np.ndarray | None:
        buckets = len(self.tags) // BUCKET_SLOTS
        tag = key & 0xFFFF or 1
        for bucket in ((key >> 32) * buckets >> 32, (key & 0xFFFFFFFF) * buckets >> 32):
            for slot in range(bucket * BUCKET_SLOTS, bucket * BUCKET_SLOTS + BUCKET_SLOTS):
                if self.tags[slot] == tag:
                    return self.rows[slot % BUCKET_SLOTS, bucket]
        return None

    def read(self, url: str) -> tuple[int, Features]:
        return features(url.encode(), self.suffixes, self.codes)

    def channels(self, url: str) -> np.ndarray | None:
        """Return the evidence of the structure and text of every part for every label; None without features."""
        reason, url_features = self.read(url)
        if reason:
            return None
        text_count = sum(is_text(kind) for _, kind in url_features)
        units = np.array([self.scales[0], self.scales[text_count] if text_count else 0] * 4)
        sums = np.zeros((8, LANES), np.int64)
        for key, kind in url_features:
            row = self.find_row(key)
            if row is not None:
                sums[2 * part_of(kind) + is_text(kind)] += row
        return sums * (units * self.mix[setting(url.encode())] >> 12)[:, None]

    def scores(self, url: str) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Return the bias, and 1/1024 nats of the top level domain and of all other parts; None without features."""
        evidence = self.channels(url)
        if evidence is None:
            return None
        bias = self.bias[setting(url.encode())]
        count = len(bias)
        return bias, (evidence[:2].sum(0) >> 16)[:count], (evidence[2:].sum(0) >> 16)[:count]


def is_text(kind: int) -> bool:
    return (kind & 0x3F) >= KIND["word"]


def part_of(kind: int) -> int:
    if (kind & 0x3F) <= KIND["suffix"]:
        return 0
    return 1 if kind & HOST else 3 if kind & QUERY else 2
