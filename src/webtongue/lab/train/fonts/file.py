"""Write and read the file of the font model (the kernel maps it, see native/fonts/detector.cpp).

Sections: names of fonts, the gate's threshold, classes of bytes, the gate, rows of log-probabilities, the Burmese table, the mean
log-probability of a character in each font, the manifest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.files import unpack
from webtongue.lab.train.container import write_container

__all__ = ["BYTE_CLASSES", "UNITS_PER_NAT", "FontWeights", "encode_font_bytes", "read_sections", "write_font_model"]

MAGIC = b"WTF\r\n\x1a\n\0"
VERSION = 2
SECTIONS = ("names", "threshold", "classes", "gate", "rows", "burmese", "typical", "manifest")
CP1252_BYTES = {ord(bytes([b]).decode("cp1252", "replace")): b for b in range(0x80, 0xA0)}
CP1252_BYTES |= {b: b for b in range(0x80, 0xA0)} | {0x3BC: 0xB5, 0xA0: 0x20}
# Classes of bytes for the gate: one for each ASCII byte, one for four bytes of the upper half, so that its table stays in the L1
# cache.
BYTE_CLASSES = np.array([b if 0x20 <= b < 0x80 else 0 if b < 0x20 else (b - 0x80) // 4 for b in range(256)])
UNITS_PER_NAT = 10  # weights and log-probabilities are in tenths of a nat
MIXING_STEPS = 200  # transitions after which the first character of a text no longer matters
OUTSIDE_LATIN_1 = re.compile("[^\0-\xff]")


def encode_font_bytes(text: str) -> bytes:
    """Return characters of windows-1252 as their bytes, all others as 0.

    >>> encode_font_bytes("aé€中")
    b'a\\xe9\\x80\\x00'
    """
    return OUTSIDE_LATIN_1.sub("\0", text.translate(CP1252_BYTES)).encode("latin-1")


@dataclass(frozen=True, slots=True)
class FontWeights:
    """The fitted model; the first name is that of ordinary text, the last that of the Burmese font."""

    names: list[str]
    threshold: int  # minimum sum of the gate, in tenths of a nat
    gate: NDArray[np.int8]  # pairs of classes
    rows: NDArray[np.int8]  # pairs of bytes x lanes
    burmese: NDArray[np.int8]  # pairs of code points


def write_font_model(path: Path, weights: FontWeights, manifest: dict[str, Any]) -> None:
    """Pack all sections and write the file; `<path>.json` beside it holds the manifest."""
    parts = {
        "names": "\n".join(weights.names).encode(),
        "threshold": np.array([weights.threshold], "<i4").tobytes(),
        "classes": BYTE_CLASSES.astype(np.uint8).tobytes(),
        "gate": weights.gate.tobytes(),
        "rows": weights.rows.tobytes(),
        "burmese": weights.burmese.tobytes(),
        "typical": np.array(
            [typical(weights.rows[:, i]) for i in range(len(weights.names) - 1)] + [0], "<i4"
        ).tobytes(),
    }
    write_container(path, MAGIC, VERSION, SECTIONS, parts, manifest)


def typical(log_probabilities: NDArray[np.int8]) -> int:
    """Return the mean log-probability of a character in text drawn from a table of pairs, in thousandths of a nat."""
    logs = log_probabilities.reshape(256, 256) / UNITS_PER_NAT
    pairs = np.exp(logs)
    pairs /= pairs.sum(axis=1, keepdims=True)
    singles = np.full(256, 1 / 256)
    for _ in range(MIXING_STEPS):
        singles = singles @ pairs
    return round(1000 * float((singles[:, None] * pairs * logs).sum()))


def read_sections(path: Path) -> dict[str, bytes]:
    """Return the sections of a file and verify its checksum; raise ValueError if it is damaged or not a font model."""
    return unpack(path, MAGIC, VERSION, SECTIONS)
