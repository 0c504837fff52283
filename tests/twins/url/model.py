"""Scores of a URL, from the sections of the model file: native/url/model.cpp, readably."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.twins.url.features import KIND, Suffixes, features
from webtongue.train.url.file import BUCKET, LANES, read_sections


class UrlModel:
    def __init__(self, path: Path, suffixes: Suffixes) -> None:
        parts = read_sections(path)
        self.suffixes = suffixes
        self.tags = np.frombuffer(parts["tags"], "<u2")
        self.rows = np.frombuffer(parts["rows"], np.int8).reshape(BUCKET, -1, LANES).astype(np.int64)
        self.bias = np.frombuffer(parts["bias"], "<i4").astype(np.int64)
        self.scales = np.frombuffer(parts["scales"], "<u4").astype(np.int64)

    def row_of(self, key: int) -> np.ndarray | None:
        buckets = len(self.tags) // BUCKET
        tag = key & 0xFFFF or 1
        for bucket in ((key >> 32) * buckets >> 32, (key & 0xFFFFFFFF) * buckets >> 32):
            for slot in range(bucket * BUCKET, bucket * BUCKET + BUCKET):
                if self.tags[slot] == tag:
                    return self.rows[slot % BUCKET, bucket]
        return None

    def totals(self, url: str) -> np.ndarray | None:
        """1/1024 nats of every label; None where the URL has no features."""
        reason, found = features(url.encode(), self.suffixes)
        if reason:
            return None
        plain, text = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
        texts = 0
        for key, kind in found:
            is_text = (kind & 0x7F) >= KIND["word"]
            texts += is_text
            row = self.row_of(key)
            if row is not None:
                (text if is_text else plain).__iadd__(row)
        scores = plain * self.scales[0] + (text * self.scales[texts] if texts else 0)
        return self.bias + (scores >> 16)[: len(self.bias)]
