"""The classes of the model of encodings: which there are, what their bytes stand for, which read a text alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webtongue.encodings import tables
from webtongue.encodings.codecs import single_byte_table
from webtongue.encodings.languages import encoding_languages
from webtongue.train.encodings.file import NOTHING, OTHER, ByteRule

__all__ = ["CLASSES", "KINDS", "RULE", "code_tables", "right_classes"]

# Kinds of the kernel (native/coding/multibyte.hpp) by encoding; single-byte ones are 0.
KINDS = {"gb18030": 1, "big5": 2, "euc-jp": 3, "shift_jis": 4, "euc-kr": 5, "johab": 6, "euc-tw": 7, "vni": OTHER,
         "tscii": OTHER, "tab": OTHER, "tam": OTHER}  # fmt: skip
BY_TWO = ("vni",)  # letters of two bytes, of which the second is beyond ASCII: it has a table nonetheless
# Found by their escapes, or read by the same decoder as another.
NO_CLASS = frozenset({"gbk", "hz-gb-2312"})
CLASSES = sorted(name for name in encoding_languages() if name not in NO_CLASS and not name.startswith("iso-2022"))
PRIVATE = 0xF700  # the first of the code points for bytes that mean something only beside others


def _map() -> bytes:
    """Cases folded, digits alike, what parts words taken for a space; other signs stay, as they may be trail bytes."""
    out = bytearray(range(256))
    for byte in range(0x21):
        out[byte] = 0x20
    out[0x7F] = 0x20
    for byte in range(ord("A"), ord("Z") + 1):
        out[byte] = byte + 32
    for byte in range(ord("0"), ord("9") + 1):
        out[byte] = ord("0")
    return bytes(out)


RULE = ByteRule(_map())


def code_tables(classes: list[str]) -> NDArray[np.uint16]:
    """Code points of the bytes from 0x80 on, a row a class."""
    out = np.full((len(classes), 128), NOTHING, np.uint16)
    for row, name in enumerate(classes):
        table = None if KINDS.get(name) and name not in BY_TWO else single_byte_table(name) or _upper_table(name)
        if table is not None:
            out[row] = table
    return out


def _upper_table(name: str) -> list[int] | None:
    """The upper half of a coding that reads some control codes as letters or some bytes with their neighbours.

    Bytes that mean something only beside others stand for characters of the private area.
    """
    units = tables.load(name).units
    beside = {char for source in units for char in source}
    alone = (ord(units[char][0]) if char in units else PRIVATE + ord(char) for char in sorted(beside))
    known = dict(zip(sorted(beside), alone, strict=True))
    return [known.get(chr(byte), NOTHING) for byte in range(0x80, 0x100)]


def right_classes(raw: bytes, number: int, tables: NDArray[np.uint16]) -> tuple[int, ...]:
    """The class itself and all that read these bytes alike."""
    if KINDS.get(CLASSES[number]):
        return (number,)
    present = np.unique(np.frombuffer(raw, np.uint8))
    present = present[present >= 0x80] - 0x80
    alike = np.flatnonzero((tables[:, present] == tables[number, present]).all(axis=1))
    return tuple(int(k) for k in alike if not KINDS.get(CLASSES[k]))
