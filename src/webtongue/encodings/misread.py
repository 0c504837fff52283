"""Sequences of UTF-8 whose bytes stand as characters of another encoding, found and undone by passes over arrays.

``tests/twins/encodings/misread.py`` does the same with a regular expression.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.encodings import wide
from webtongue.encodings.codecs import single_byte_table

__all__ = ["put_right"]

WRONG = ("windows-1252", "windows-1251")  # what UTF-8 was taken for, the commonest first
CHUNK = 1 << 15  # characters put right at a time: bounds memory on huge pages
NEAR = 1 << 8  # characters before the end of a chunk among which one is looked for that is in no sequence
LEADS = range(0xC2, 0xF5)
LONGEST = 4  # characters of a sequence
# The scanner folds no-break spaces into spaces, and that is what the second byte of "à" was taken for.
FOLDED, UNFOLDED = "Ã ", "à"
SPACES = np.array([code for code in range(1 << 14) if chr(code).isspace()])

Bytes = NDArray[np.uint8]
Units = NDArray[np.uint16]
Ints = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Sequences:
    """Where sequences begin, in well-formed rows, and their bytes: four columns, of which the lead says how many count."""

    at: Ints
    parts: tuple[Bytes, Bytes, Bytes, Bytes]
    rows: int


def put_right(text: str) -> str:
    """The text as it was before it was misread; as it is where it never was."""
    rows = {name: sum(_sequences(units, name).rows for units in _chunks(text, name)) for name in WRONG}
    best = max(WRONG, key=lambda name: rows[name])
    if not rows[best]:
        return text
    out = bytearray()
    for units in _chunks(text, best):
        out += wide.to_utf8(_undone(units, _sequences(units, best)).tobytes(), "utf-16le")
    return out.decode()


def _chunks(text: str, name: str) -> Iterator[Units]:
    """Parts of a text in UTF-16 that cut no sequence, and no row of them if that can be helped."""
    back = _mistaken(name)
    begin = 0
    while begin < len(text):
        end = begin + CHUNK
        if end < len(text):
            near = range(end, max(begin, end - NEAR), -1)
            plain = next((i for i in near if "!" <= text[i - 1] <= "~"), 0)
            end = plain or next((i for i in range(end - LONGEST + 1, end) if back.get(text[i]) in LEADS), end)
            end -= 2 * text.endswith(FOLDED, begin, end)
        units = np.frombuffer(text[begin:end].encode("utf-16-le", "surrogatepass"), "<u2")
        yield _unfolded(units) if name == WRONG[0] else units
        begin = end


def _unfolded(units: Units) -> Units:
    """With "à" where "Ã", a space and something else than a space stand."""
    at = np.flatnonzero((units[:-2] == ord(FOLDED[0])) & (units[1:-1] == ord(FOLDED[1])))
    at = at[~np.isin(units[at + 2], SPACES)]
    if len(at):
        units = units.copy()
        units[at] = ord(UNFOLDED)
    return units


def _sequences(units: Units, name: str) -> Sequences:
    """Sequences in rows, one after the other, that are all well-formed: a row with another is left as it is."""
    data = np.zeros(len(units) + LONGEST, np.uint8)  # nought: no byte of a sequence
    data[:-LONGEST] = _table(name).take(units)
    trails = data & 0xC0 == 0x80
    at = np.flatnonzero((data[:-1] >= LEADS.start) & (data[:-1] < LEADS.stop) & trails[1:])
    lead = data.take(at)
    whole = ((lead < 0xE0) | trails.take(at + 2)) & ((lead < 0xF0) | trails.take(at + 3))
    if not whole.all():
        at, lead = at[whole], lead[whole]
    if not len(at):
        return Sequences(at, (lead,) * 4, 0)
    second, third, fourth = (data.take(at + i) for i in (1, 2, 3))
    size = 2 + (lead >= 0xE0).astype(np.int8) + (lead >= 0xF0)
    begin = np.flatnonzero(np.append(True, at[1:] != at[:-1] + size[:-1]))
    wrong = (lead == 0xE0) & (second < 0xA0) | (lead == 0xED) & (second >= 0xA0)
    wrong |= (lead == 0xF0) & (second < 0x90) | (lead == 0xF4) & (second >= 0x90)
    if wrong.any():
        bad = np.logical_or.reduceat(wrong, begin)
        good = np.flatnonzero(~np.repeat(bad, np.diff(begin, append=len(at))))
        parts = (lead.take(good), second.take(good), third.take(good), fourth.take(good))
        return Sequences(at.take(good), parts, int(len(begin) - bad.sum()))
    return Sequences(at, (lead, second, third, fourth), len(begin))


def _undone(units: Units, found: Sequences) -> Units:
    """UTF-16 with the character of each sequence in place of it."""
    at, (lead, second, third, fourth) = found.at, found.parts
    points = (lead & np.int32(0x1F)) << 6 | second & 0x3F
    kept = np.ones(len(units), np.bool_)
    kept[at + 1] = False
    three = np.flatnonzero(lead >= 0xE0)
    points[three] = (points[three] & 0x3FF) << 6 | third[three] & 0x3F
    kept[at[three] + 2] = False
    four = np.flatnonzero(lead >= 0xF0)
    wide = (points[four] & 0x7FFF) << 6 | fourth[four] & 0x3F
    points[four] = 0xD7C0 + (wide >> 10)
    out = units.copy()
    out[at] = points
    out[at[four] + 1] = 0xDC00 + (wide & 0x3FF)
    kept[at[four] + 1] = True
    kept[at[four] + 3] = False
    return out.take(np.flatnonzero(kept))


@cache
def _mistaken(name: str) -> dict[str, int]:
    """Bytes beyond ASCII by the characters that they were taken for."""
    found = {chr(byte): byte for byte in range(0x80, 0xA0)}  # control codes, where it was taken for ISO 8859
    table = single_byte_table(name) or ()
    return found | {chr(point): byte for byte, point in enumerate(table, 0x80) if point != 0xFFFD}


@cache
def _table(name: str) -> Bytes:
    """The same by code point."""
    out = np.zeros(1 << 16, np.uint8)
    for char, byte in _mistaken(name).items():
        out[ord(char)] = byte
    return out
