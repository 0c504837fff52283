"""The byte model file: the one place that writes its format (the kernel maps it, see native/byte_model.cpp).

Sections: names of classes, the rule (which n-grams count), bias, tags and rows of n-grams, units to nats by the number of
n-grams, kinds and code tables of classes that are encodings, and the manifest.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.train.container import pack, unpack

MAGIC = b"WTB\r\n\x1a\n\0"
VERSION = 1
SECTIONS = ("names", "rule", "bias", "tags", "rows", "heats", "kinds", "tables", "manifest")
NATS = 1024
LANES = 16
HEATS = 4096  # numbers of n-grams told apart
OTHER = 8  # the kind of a class that is no encoding the kernel can check
NOTHING = 0xFFFD


@dataclass(frozen=True, slots=True)
class ByteRule:
    """Which n-grams count: what each byte is taken for (0x20 parts words), orders with and without bytes beyond ASCII."""

    map: bytes
    high: tuple[int, ...] = (1, 2, 3, 4)
    plain: tuple[int, ...] = ()
    everywhere: bool = False  # all text is read, not only words with bytes beyond ASCII
    most: int = 384  # n-grams read of a text

    @property
    def arguments(self) -> tuple[bytes, int, int, bool, int]:
        """As the kernel takes them."""
        return (self.map, _bits(self.high), _bits(self.plain), self.everywhere, self.most)

    def packed(self) -> bytes:
        return self.map + struct.pack(
            "<BBBBI", _bits(self.high), _bits(self.plain), self.everywhere, 0, self.most
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ByteWeights:
    """What was learnt: a row of weights for each n-gram, in nats of a text with one n-gram."""

    classes: list[str]
    rule: ByteRule
    tags: NDArray[np.uint16]
    rows: NDArray[np.float32]  # rows x classes
    bias: NDArray[np.float32]  # nats
    kinds: list[int] | None = None
    tables: NDArray[np.uint16] | None = None  # classes x 128


def write_byte_model(path: Path, weights: ByteWeights, manifest: dict[str, Any]) -> None:
    """Quantise, pack and write; `<path>.json` beside it holds the manifest for people."""
    count = len(weights.classes)
    unit = float(np.quantile(np.abs(weights.rows).max(axis=1), 0.999)) / 127 or 1.0
    rows = np.zeros((len(weights.tags), -(-count // LANES) * LANES), np.int8)
    rows[:, :count] = np.clip(np.rint(weights.rows / unit), -127, 127)
    heats = unit / np.sqrt(np.maximum(np.arange(HEATS), 1)) * NATS * 65536
    tables = weights.tables if weights.tables is not None else np.full((count, 128), NOTHING, "<u2")
    manifest = {**manifest, "classes": count, "rows": len(weights.tags), "used": int(np.count_nonzero(weights.tags))}
    parts = {
        "names": "\n".join(weights.classes).encode(),
        "rule": weights.rule.packed(),
        "bias": np.rint(weights.bias * NATS).astype("<i4").tobytes(),
        "tags": weights.tags.astype("<u2").tobytes(),
        "rows": rows.tobytes(),
        "heats": np.rint(heats).astype("<u4").tobytes(),
        "kinds": bytes(weights.kinds or [OTHER] * count),
        "tables": tables.astype("<u2").tobytes(),
        "manifest": json.dumps(manifest, ensure_ascii=False, sort_keys=True).encode(),
    }
    path.write_bytes(pack(MAGIC, VERSION, {name: parts[name] for name in SECTIONS}))
    Path(f"{path}.json").write_text(json.dumps(manifest, ensure_ascii=False, sort_keys=True, indent=1) + "\n", "utf-8")


def read_sections(path: Path) -> dict[str, bytes]:
    """A file's sections with its checksum proved; ValueError says what is wrong with it."""
    return unpack(path, MAGIC, VERSION, SECTIONS)


def _bits(orders: tuple[int, ...]) -> int:
    return sum(1 << (order - 1) for order in orders)
