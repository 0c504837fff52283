"""The font model file: the one place that writes its format and reads it back (the kernel maps it, see native/fonts/guess.cpp).

Sections: names of fonts, the gate's threshold, classes of bytes, the gate, rows of log-probabilities, the Burmese table, the
manifest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.files import unpack
from webtongue.train.container import write

__all__ = ["CLASSES", "FontWeights", "font_bytes", "read_sections", "write_font_model"]

MAGIC = b"WTF\r\n\x1a\n\0"
VERSION = 1
SECTIONS = ("names", "threshold", "classes", "gate", "rows", "burmese", "manifest")
HIGH = {ord(bytes([b]).decode("cp1252", "replace")): b for b in range(0x80, 0xA0)}
HIGH |= {b: b for b in range(0x80, 0xA0)} | {0x3BC: 0xB5, 0xA0: 0x20}
# What the gate tells apart: ASCII byte by byte, the upper half by fours, so that its table stays in the nearest cache.
CLASSES = np.array([b if 0x20 <= b < 0x80 else 0 if b < 0x20 else (b - 0x80) // 4 for b in range(256)])
FOREIGN = re.compile("[^\0-\xff]")


def font_bytes(text: str) -> bytes:
    """Characters of windows-1252 as their bytes, all others as 0.

    >>> font_bytes("aé€中")
    b'a\\xe9\\x80\\x00'
    """
    return FOREIGN.sub("\0", text.translate(HIGH)).encode("latin-1")


@dataclass(frozen=True, slots=True)
class FontWeights:
    """What was learnt; the first name is that of ordinary text, the last that of the font over Burmese."""

    names: list[str]
    threshold: int  # what the gate's sum must be above, in tenths of a nat
    gate: NDArray[np.int8]  # pairs of classes
    rows: NDArray[np.int8]  # pairs of bytes x lanes
    burmese: NDArray[np.int8]  # pairs of code points


def write_font_model(path: Path, weights: FontWeights, manifest: dict[str, Any]) -> None:
    """Pack all parts and write the file in one go; `<path>.json` beside it holds the manifest for people."""
    parts = {
        "names": "\n".join(weights.names).encode(),
        "threshold": np.array([weights.threshold], "<i4").tobytes(),
        "classes": CLASSES.astype(np.uint8).tobytes(),
        "gate": weights.gate.tobytes(),
        "rows": weights.rows.tobytes(),
        "burmese": weights.burmese.tobytes(),
    }
    write(path, MAGIC, VERSION, SECTIONS, parts, manifest)


def read_sections(path: Path) -> dict[str, bytes]:
    """A file's sections with its checksum proved; ValueError says what is wrong with it."""
    return unpack(path, MAGIC, VERSION, SECTIONS)
