"""Define the classes of the model of encodings: their names, code tables, and which of them decode a text alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webtongue.charset import tables
from webtongue.charset.codecs import single_byte_table
from webtongue.charset.languages import encoding_languages
from webtongue.lab.train.encodings.file import NO_CHARACTER, UNCHECKED_KIND, ByteRule

__all__ = ["CLASSES", "KINDS", "RULE", "build_code_tables", "find_equivalent_classes"]

# Kinds of multi-byte encodings in the kernel (native/charset/multibyte.hpp); single-byte encodings are 0.
KINDS = {"gb18030": 1, "big5": 2, "euc-jp": 3, "shift_jis": 4, "euc-kr": 5, "johab": 6, "euc-tw": 7, "vni": UNCHECKED_KIND,
         "tscii": UNCHECKED_KIND, "tab": UNCHECKED_KIND, "tam": UNCHECKED_KIND}  # fmt: skip
TWO_BYTE_LETTERS = ("vni",)  # letters have two bytes, the second beyond ASCII, but a code table exists
# Detected by escape sequences, or decoded like another encoding.
EXCLUDED_ENCODINGS = frozenset({"gbk", "hz-gb-2312"})
CLASSES = sorted(
    name for name in encoding_languages() if name not in EXCLUDED_ENCODINGS and not name.startswith("iso-2022")
)
FIRST_PRIVATE_CODE = 0xF700  # code point of byte 0, for bytes that have a meaning only beside others


def _make_byte_map() -> bytes:
    """Return a byte map that folds case, digits and spaces; other signs stay, since they may be trail bytes."""
    table = bytearray(range(256))
    for byte in range(0x21):
        table[byte] = 0x20
    table[0x7F] = 0x20
    for byte in range(ord("A"), ord("Z") + 1):
        table[byte] = byte + 32
    for byte in range(ord("0"), ord("9") + 1):
        table[byte] = ord("0")
    return bytes(table)


RULE = ByteRule(_make_byte_map())


def build_code_tables(classes: list[str]) -> NDArray[np.uint16]:
    """Return the code points of the bytes from 0x80 on, one row per class."""
    codes = np.full((len(classes), 128), NO_CHARACTER, np.uint16)
    for row, name in enumerate(classes):
        table = (
            None
            if KINDS.get(name) and name not in TWO_BYTE_LETTERS
            else single_byte_table(name) or _build_upper_table(name)
        )
        if table is not None:
            codes[row] = table
    return codes


def _build_upper_table(name: str) -> list[int] | None:
    """Return the upper half of an encoding that decodes control codes as letters, or bytes together with their neighbours.

    Bytes that have a meaning only beside others get code points of the private use area.
    """
    units = tables.load(name).decode_map
    combining = {char for source in units for char in source}
    meanings = (ord(units[char][0]) if char in units else FIRST_PRIVATE_CODE + ord(char) for char in sorted(combining))
    code_of = dict(zip(sorted(combining), meanings, strict=True))
    return [code_of.get(chr(byte), NO_CHARACTER) for byte in range(0x80, 0x100)]


def find_equivalent_classes(raw: bytes, number: int, tables: NDArray[np.uint16]) -> tuple[int, ...]:
    """Return the class itself and all classes that decode these bytes alike."""
    if KINDS.get(CLASSES[number]):
        return (number,)
    present = np.unique(np.frombuffer(raw, np.uint8))
    present = present[present >= 0x80] - 0x80
    alike = np.flatnonzero((tables[:, present] == tables[number, present]).all(axis=1))
    return tuple(int(k) for k in alike if not KINDS.get(CLASSES[k]))
