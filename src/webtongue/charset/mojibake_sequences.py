"""Find and undo UTF-8 that was decoded as a single-byte encoding, with array operations.

``tests/twins/charset/mojibake_sequences.py`` does the same with a regular expression.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.charset import wide
from webtongue.charset.mojibake import bytes_by_character
from webtongue.records import dataclass

__all__ = ["SequenceCounts", "count_sequences", "repair"]

CHUNK_CHARS = 1 << 15  # bounds memory on huge pages
MAX_BACKTRACK = 1 << 8  # characters before the end of a chunk that are searched for one outside of all sequences
LEADS = range(0xC2, 0xF5)
MAX_SEQUENCE = 4  # characters
# The scanner folds no-break spaces, as which the byte A0 was decoded, into spaces. "à" mostly ends a word, so the space is kept
# there; the other letters occur inside of words.
FOLDED, UNFOLDED = "Ã ", "à"
SPACE, NO_BREAK_SPACE = 0x20, 0xA0
IS_FOLDED_LEAD = np.zeros(1 << 8, np.bool_)
IS_FOLDED_LEAD[[char.encode()[0] for char in "РנΠŠ"]] = True
IS_SPACE = np.zeros(1 << 16, np.bool_)  # index: a code unit of UTF-16
IS_SPACE[[code for code in range(1 << 14) if chr(code).isspace()]] = True

Bytes = NDArray[np.uint8]
Units = NDArray[np.uint16]
Ints = NDArray[Any]


@dataclass(frozen=True, slots=True)
class SequenceCounts:
    """Counts of sequences, of distinct lead bytes, of characters in sequences, and of all characters beyond ASCII."""

    sequences: int
    leads: int
    explained: int
    high: int


@dataclass(frozen=True, slots=True)
class Sequences:
    """The positions of well-formed sequences and their bytes in four columns, of which the lead says how many count."""

    starts: Ints
    columns: tuple[Bytes, Bytes, Bytes, Bytes]


def count_sequences(text: str, name: str) -> SequenceCounts:
    """Count the sequences of UTF-8 in a text that was decoded as the single-byte encoding ``name``."""
    count = explained = high = 0
    leads: set[int] = set()
    for units in _chunks(text, name):
        lead = _find_sequences(_to_bytes(units, name)).columns[0]
        leads.update(np.unique(lead).tolist())
        count += len(lead)
        explained += int(2 * len(lead) + (lead >= 0xE0).sum() + (lead >= 0xF0).sum())
        high += int((units >= 0x80).sum())
    return SequenceCounts(count, len(leads), explained, high)


def repair(text: str, name: str) -> str:
    """Return the text with its UTF-8 decoded as such; what is no sequence is kept."""
    result = bytearray()
    for units in _chunks(text, name):
        repaired = _replace(units, _find_sequences(_to_unfolded_bytes(units, name)))
        result += wide.to_utf8(repaired.tobytes(), "utf-16le")
    return result.decode()


def _chunks(text: str, name: str) -> Iterator[Units]:
    """Yield the text in UTF-16 in chunks that cut no sequence, and if possible no run of sequences."""
    byte_of = bytes_by_character(name)
    start = 0
    while start < len(text):
        end = start + CHUNK_CHARS
        if end < len(text):
            near = range(end, max(start, end - MAX_BACKTRACK), -1)
            after_ascii = next((i for i in near if "!" <= text[i - 1] <= "~"), 0)
            before_lead = (i for i in range(end - MAX_SEQUENCE + 1, end) if byte_of.get(text[i]) in LEADS)
            end = after_ascii or next(before_lead, end)
            end -= 2 * text.endswith(FOLDED, start, end)
        units = np.frombuffer(text[start:end].encode("utf-16-le", "surrogatepass"), "<u2")
        yield _unfold(units) if FOLDED[0] in byte_of else units
        start = end


def _unfold(units: Units) -> Units:
    """Return the text with "à" for each "Ã" before a single space."""
    at = np.flatnonzero((units[:-2] == ord(FOLDED[0])) & (units[1:-1] == ord(FOLDED[1])))
    at = at[~IS_SPACE[units[at + 2]]]
    if len(at):
        units = units.copy()
        units[at] = ord(UNFOLDED)
    return units


def _to_bytes(units: Units, name: str) -> Bytes:
    """Return the bytes that were decoded as these characters, 0 for others, and a padding of zeros."""
    data = np.zeros(len(units) + MAX_SEQUENCE, np.uint8)
    data[:-MAX_SEQUENCE] = _byte_table(name).take(units)
    return data


def _to_unfolded_bytes(units: Units, name: str) -> Bytes:
    """Return the same with the byte A0 for a space inside a sequence."""
    data = _to_bytes(units, name)
    if _byte_table(name)[NO_BREAK_SPACE] != NO_BREAK_SPACE:
        return data
    at = np.flatnonzero(units[1:-1] == SPACE) + 1
    at = at[~IS_SPACE[units[at + 1]]]
    first, second = data.take(at - 1), data.take(np.maximum(at - 2, 0)) * (at > 1)
    is_second = IS_FOLDED_LEAD[first] | (first > 0xE0) & (first < LEADS.stop)
    is_third = (first & 0xC0 == 0x80) & (second >= 0xE0) & (second < LEADS.stop)
    data[at[is_second | is_third]] = NO_BREAK_SPACE
    return data


def _find_sequences(data: Bytes) -> Sequences:
    """Return the sequences in runs of well-formed ones; a run with an ill-formed sequence is left out."""
    is_trail = data & 0xC0 == 0x80
    at = np.flatnonzero((data[:-1] >= LEADS.start) & (data[:-1] < LEADS.stop) & is_trail[1:])
    lead = data.take(at)
    is_whole = ((lead < 0xE0) | is_trail.take(at + 2)) & ((lead < 0xF0) | is_trail.take(at + 3))
    if not is_whole.all():
        at, lead = at[is_whole], lead[is_whole]
    if not len(at):
        return Sequences(at, (lead,) * 4)
    second, third, fourth = (data.take(at + i) for i in (1, 2, 3))
    size = 2 + (lead >= 0xE0).astype(np.int8) + (lead >= 0xF0)
    run_starts = np.flatnonzero(np.append(True, at[1:] != at[:-1] + size[:-1]))
    is_bad = (lead == 0xE0) & (second < 0xA0) | (lead == 0xED) & (second >= 0xA0)
    is_bad |= (lead == 0xF0) & (second < 0x90) | (lead == 0xF4) & (second >= 0x90)
    if is_bad.any():
        is_bad_run = np.logical_or.reduceat(is_bad, run_starts)
        good = np.flatnonzero(~np.repeat(is_bad_run, np.diff(run_starts, append=len(at))))
        return Sequences(at.take(good), (lead.take(good), second.take(good), third.take(good), fourth.take(good)))
    return Sequences(at, (lead, second, third, fourth))


def _replace(units: Units, sequences: Sequences) -> Units:
    """Return UTF-16 with each sequence replaced by its character."""
    at, (lead, second, third, fourth) = sequences.starts, sequences.columns
    points = (lead & np.int32(0x1F)) << 6 | second & 0x3F
    is_kept = np.ones(len(units), np.bool_)
    is_kept[at + 1] = False
    three = np.flatnonzero(lead >= 0xE0)
    points[three] = (points[three] & 0x3FF) << 6 | third[three] & 0x3F
    is_kept[at[three] + 2] = False
    four = np.flatnonzero(lead >= 0xF0)
    beyond_bmp = (points[four] & 0x7FFF) << 6 | fourth[four] & 0x3F
    points[four] = 0xD7C0 + (beyond_bmp >> 10)
    result = units.copy()
    result[at] = points
    result[at[four] + 1] = 0xDC00 + (beyond_bmp & 0x3FF)
    is_kept[at[four] + 1] = True
    is_kept[at[four] + 3] = False
    return result.take(np.flatnonzero(is_kept))


@cache
def _byte_table(name: str) -> Bytes:
    """Return the bytes of characters by code point, 0 for characters that the encoding lacks."""
    table = np.zeros(1 << 16, np.uint8)
    for char, byte in bytes_by_character(name).items():
        table[ord(char)] = byte
    return table
