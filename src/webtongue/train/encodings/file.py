"""The byte model file: the one place that writes its format (the kernel maps it, see native/coding/byte_model.cpp).

Sections: names of classes, the rule (which n-grams count), bias, tags and rows of n-grams, units to nats by the number of
n-grams, kinds and code tables of classes that are encodings, and the manifest.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.files import unpack
from webtongue.train.container import NATS, write

MAGIC = b"WTB\r\n\x1a\n\0"
VERSION = 2
SECTIONS = (
    "names", "rule", "bias", "tags", "rows", "scales", "kinds", "tables", "letters", "sorts", "contexts", "context scales",
    "manifest",
)  # fmt: skip
LANES = 16
SCALES = 4096  # numbers of n-grams told apart
OTHER = 8  # the kind of a class that is no encoding the kernel can check
NOTHING = 0xFFFD
WINDOWS = 1025  # 128 bytes beyond ASCII, eight of each, and none


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
    letters: NDArray[np.uint16] | None = None  # classes x 256: the small letter of each byte
    sorts: NDArray[np.uint8] | None = None  # classes x 256: what sort of character each byte is
    contexts: NDArray[np.float32] | None = None  # weights of what stands beside what, in nats of a text with one window


def write_byte_model(path: Path, weights: ByteWeights, manifest: dict[str, Any]) -> None:
    """Quantise, pack and write; `<path>.json` beside it holds the manifest for people."""
    count = len(weights.classes)
    unit = _unit(np.abs(weights.rows).max(axis=1), 0.999)
    rows = np.zeros((len(weights.tags), -(-count // LANES) * LANES), np.int8)
    rows[:, :count] = np.clip(np.rint(weights.rows / unit), -127, 127)
    damping = NATS * 65536 / np.sqrt(np.maximum(np.arange(SCALES), 1))
    contexts = weights.contexts if weights.contexts is not None else np.zeros(0, np.float32)
    context_unit = _unit(np.abs(contexts), 0.9999)
    letters = weights.letters if weights.letters is not None else np.zeros((count, 256), "<u2")
    sorts = weights.sorts if weights.sorts is not None else np.zeros((count, 256), np.uint8)
    tables = weights.tables if weights.tables is not None else np.full((count, 128), NOTHING, "<u2")
    manifest = {**manifest, "classes": count, "rows": len(weights.tags), "used": int(np.count_nonzero(weights.tags))}
    parts = {
        "names": "\n".join(weights.classes).encode(),
        "rule": weights.rule.packed(),
        "bias": np.rint(weights.bias * NATS).astype("<i4").tobytes(),
        "tags": weights.tags.astype("<u2").tobytes(),
        "rows": rows.tobytes(),
        "scales": np.rint(unit * damping).astype("<u4").tobytes(),
        "kinds": bytes(weights.kinds or [OTHER] * count),
        "tables": tables.astype("<u2").tobytes(),
        "letters": letters.astype("<u2").tobytes(),
        "sorts": sorts.astype(np.uint8).tobytes(),
        "contexts": np.clip(np.rint(contexts / context_unit), -127, 127).astype(np.int8).tobytes(),
        "context scales": np.rint(context_unit * damping[:WINDOWS]).astype("<u4").tobytes(),
    }
    write(path, MAGIC, VERSION, SECTIONS, parts, manifest)


def read_sections(path: Path) -> dict[str, bytes]:
    """A file's sections with its checksum proved; ValueError says what is wrong with it."""
    return unpack(path, MAGIC, VERSION, SECTIONS)


def _unit(sizes: NDArray[np.float32], share: float) -> float:
    """What one step of int8 stands for, so that this share of the weights fits; any small unit does where all are 0."""
    return (float(np.quantile(sizes, share)) if len(sizes) else 0.0) / 127 or 1 / 127


def _bits(orders: tuple[int, ...]) -> int:
    return sum(1 << (order - 1) for order in orders)
