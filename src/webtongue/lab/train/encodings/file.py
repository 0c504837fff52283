"""Write and read the file of the byte model (the kernel maps it, see native/charset/byte_model.cpp).

Sections: names of classes, the rule (which n-grams count), bias, tags and rows of n-grams, scales from units to nats by number of
n-grams, kinds and code tables of classes that are encodings, byte contexts, costs of characters, and the manifest.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.files import unpack
from webtongue.lab.train.container import write_container
from webtongue.policy import LOG_SCALE

MAGIC = b"WTB\r\n\x1a\n\0"
VERSION = 3
SECTIONS = (
    "names", "rule", "bias", "tags", "rows", "scales", "kinds", "tables", "letters", "sorts", "contexts", "context scales",
    "byte costs", "pair costs", "step costs", "manifest",
)  # fmt: skip
LANES = 16
MAX_NGRAMS = 4096  # larger numbers of n-grams have the same scale
UNCHECKED_KIND = 8  # kind of a class that the kernel cannot validate
NO_CHARACTER = 0xFFFD
MAX_WINDOWS = 1025  # 0 to 8 windows for each of 128 bytes beyond ASCII


@dataclass(frozen=True, slots=True)
class ByteRule:
    """Which n-grams count: the byte map (0x20 separates words), and orders with and without bytes beyond ASCII."""

    map: bytes
    high: tuple[int, ...] = (1, 2, 3, 4)
    plain: tuple[int, ...] = ()
    everywhere: bool = False  # read all text, not only words with bytes beyond ASCII
    max_ngrams: int = 384  # per text

    @property
    def arguments(self) -> tuple[bytes, int, int, bool, int]:
        """Arguments of the kernel."""
        return (self.map, _to_mask(self.high), _to_mask(self.plain), self.everywhere, self.max_ngrams)

    def pack(self) -> bytes:
        """Return the section of the file."""
        return self.map + struct.pack(
            "<BBBBI", _to_mask(self.high), _to_mask(self.plain), self.everywhere, 0, self.max_ngrams
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class CharacterCosts:
    """Costs of bytes by class, and of characters and steps by kind of East Asian encoding, in 1/8 nats (costs.py)."""

    bytes: NDArray[np.uint8]  # classes x contexts x symbols
    pairs: NDArray[np.uint8]  # kinds x 128 x 256
    steps: NDArray[np.uint8]  # kinds x 3 x 3


@dataclass(frozen=True, slots=True)
class ByteWeights:
    """The fitted model: a row of weights for each n-gram, in nats of a text with one n-gram."""

    classes: list[str]
    rule: ByteRule
    tags: NDArray[np.uint16]
    rows: NDArray[np.float32]  # rows x classes
    bias: NDArray[np.float32]  # nats
    kinds: list[int] | None = None
    tables: NDArray[np.uint16] | None = None  # classes x 128
    letters: NDArray[np.uint16] | None = None  # classes x 256: the lower-case letter of each byte
    sorts: NDArray[np.uint8] | None = None  # classes x 256: the character class of each byte
    contexts: NDArray[np.float32] | None = None  # weights of byte contexts, in nats of a text with one window
    costs: CharacterCosts | None = None


def write_byte_model(path: Path, weights: ByteWeights, manifest: dict[str, Any]) -> None:
    """Quantise and write the model; `<path>.json` beside it holds the manifest."""
    count = len(weights.classes)
    unit = _choose_unit(np.abs(weights.rows).max(axis=1), 0.999)
    rows = np.zeros((len(weights.tags), -(-count // LANES) * LANES), np.int8)
    rows[:, :count] = np.clip(np.rint(weights.rows / unit), -127, 127)
    damping = LOG_SCALE * 65536 / np.sqrt(np.maximum(np.arange(MAX_NGRAMS), 1))
    contexts = weights.contexts if weights.contexts is not None else np.zeros(0, np.float32)
    context_unit = _choose_unit(np.abs(contexts), 0.9999)
    letters = weights.letters if weights.letters is not None else np.zeros((count, 256), "<u2")
    sorts = weights.sorts if weights.sorts is not None else np.zeros((count, 256), np.uint8)
    tables = weights.tables if weights.tables is not None else np.full((count, 128), NO_CHARACTER, "<u2")
    manifest = {**manifest, "classes": count, "rows": len(weights.tags), "used": int(np.count_nonzero(weights.tags))}
    parts = {
        "names": "\n".join(weights.classes).encode(),
        "rule": weights.rule.pack(),
        "bias": np.rint(weights.bias * LOG_SCALE).astype("<i4").tobytes(),
        "tags": weights.tags.astype("<u2").tobytes(),
        "rows": rows.tobytes(),
        "scales": np.rint(unit * damping).astype("<u4").tobytes(),
        "kinds": bytes(weights.kinds or [UNCHECKED_KIND] * count),
        "tables": tables.astype("<u2").tobytes(),
        "letters": letters.astype("<u2").tobytes(),
        "sorts": sorts.astype(np.uint8).tobytes(),
        "contexts": np.clip(np.rint(contexts / context_unit), -127, 127).astype(np.int8).tobytes(),
        "context scales": np.rint(context_unit * damping[:MAX_WINDOWS]).astype("<u4").tobytes(),
        "byte costs": weights.costs.bytes.tobytes() if weights.costs else b"",
        "pair costs": weights.costs.pairs.tobytes() if weights.costs else b"",
        "step costs": weights.costs.steps.tobytes() if weights.costs else b"",
    }
    write_container(path, MAGIC, VERSION, SECTIONS, parts, manifest)


def read_sections(path: Path) -> dict[str, bytes]:
    """Return the sections of a file and verify its checksum; raise ValueError if it is damaged or not a byte model."""
    return unpack(path, MAGIC, VERSION, SECTIONS)


def _choose_unit(sizes: NDArray[np.float32], share: float) -> float:
    """Return the size of one int8 step for which this share of the weights fits; a small unit if all weights are 0."""
    return (float(np.quantile(sizes, share)) if len(sizes) else 0.0) / 127 or 1 / 127


def _to_mask(orders: tuple[int, ...]) -> int:
    return sum(1 << (order - 1) for order in orders)
