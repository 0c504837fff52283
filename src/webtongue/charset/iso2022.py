"""Decode ISO 2022 as used in East Asia: escapes designate character sets as G0, G1 and G2, and shifts choose between them.

A hostile page may shift at every third byte, so a chunk of the page is decoded by array operations, not shift by shift.
``tests/twins/charset/iso2022.py`` does the same in a plain loop.

>>> decode(b"\\x1b$B0!\\x1b(B and \\x1b$)C\\x0e0!\\x0f").decode()
'亜 and 가'
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.charset import iso2022_sets as sets
from webtongue.charset import wide
from webtongue.charset.buffers import join_chunks
from webtongue.charset.iso2022_sets import ASCII, ESCAPES, NONE, SINGLE_SHIFT
from webtongue.records import dataclass

__all__ = ["DecodedChunk", "decode", "decode_chunks", "designated_sets"]

CHUNK_BYTES = 1 << 15  # arrays of this size stay in the cache
LOOKAHEAD_BYTES = 16  # no escape or character is longer
MAX_UTF8_GROWTH = 3  # bytes of UTF-8 for one of the page
PADDING_BYTES = 3  # bytes after the first in the longest escape
UNASSIGNED = ord(sets.REPLACEMENT)
LAST_POINT = 0x10FFFF
LAST_PAIR = (1 << 14) - 1
SPELLED_BYTES = 8  # bytes of a Hangul syllable that is spelled in letters: a filler, and a pair for each letter
FILLER = b"$T"
ESCAPE_STARTS = b"\x1b\x0e\x0f"
TWO_BYTE_ESCAPE, ASCII_ESCAPE = b"\x1b$B", b"\x1b(B"
MAX_PLAIN_BYTES = 1 << 20  # longer pages are decoded in chunks, which bounds memory

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Ints = NDArray[Any]


@dataclass(frozen=True, slots=True)
class DecodedChunk:
    """Code points of a page, and their offsets in it."""

    points: Ints
    offsets: Ints


@dataclass(frozen=True, slots=True)
class State:
    """The registers after the escapes so far; ``odd`` is 1 after an odd number of bytes of an unfinished run."""

    g0: int = ASCII
    g1: int = ASCII
    shifted: int = 0
    high_half: int = sets.LATIN
    g2: int = NONE  # the second plane of CNS 11643
    odd: int = 0


@dataclass(frozen=True, slots=True)
class _States:
    """The registers by the number of escapes before, a column for each."""

    g0: Ints
    g1: Ints
    shifted: Ints
    high_half: Ints
    g2: Ints

    @property
    def active_set(self) -> Bytes:
        """The set in which graphic bytes are decoded."""
        return np.where(self.shifted, self.g1, self.g0).astype(np.uint8)

    def first(self, rows: int) -> _States:
        return _States(*(getattr(self, name)[:rows] for name in self.__slots__))

    def at(self, row: int, odd: int) -> State:
        g0, g1, shifted, high_half, g2 = (int(getattr(self, name)[row]) for name in self.__slots__)
        return State(g0, g1, shifted, high_half, g2, odd)


@dataclass(frozen=True, slots=True)
class _Marks:
    """What is known about each byte of a chunk."""

    points: Ints  # code point of the character that starts here
    is_start: Bools  # True if a character starts here
    is_inside: Bools  # True for all bytes but the first of an escape or character


def decode(raw: bytes) -> bytes:
    """Return the page in UTF-8; unassigned codes become U+FFFD."""
    if _is_plain_japanese(raw):
        try:
            return raw.decode("iso2022_jp").encode()  # Python has the same table of pairs as iso2022_sets.py
        except UnicodeDecodeError:
            pass  # unassigned codes, or spaces and ends of lines within a pair
    return join_chunks((_utf8(chunk.points) for chunk in decode_chunks(raw)), MAX_UTF8_GROWTH * len(raw))


def designated_sets(raw: bytes) -> set[str]:
    """Return the names of all designated sets.

    >>> sorted(designated_sets(b"\\x1b$B0!\\x1b(J\\x1b(B"))
    ['(J', 'B']
    """
    if _is_plain_japanese(raw):
        return {"B"} if TWO_BYTE_ESCAPE in raw else set()
    raw += bytes(PADDING_BYTES)
    starts = range(0, len(raw) - PADDING_BYTES, CHUNK_BYTES)
    parts = (np.frombuffer(raw[at : at + CHUNK_BYTES + PADDING_BYTES], np.uint8) for at in starts)
    return {ESCAPES[number].name for part in parts for number in _distinct(_find_candidates(part)[1])} - {""}


def _is_plain_japanese(raw: bytes) -> bool:
    """Return True for a short page that only switches between ASCII and JIS X 0208, as nearly all pages in ISO 2022 do."""
    if len(raw) > MAX_PLAIN_BYTES or not raw.isascii() or any(shift in raw for shift in ESCAPE_STARTS[1:]):
        return False
    return raw.count(TWO_BYTE_ESCAPE) + raw.count(ASCII_ESCAPE) == raw.count(ESCAPE_STARTS[:1])


def decode_chunks(raw: bytes) -> Iterator[DecodedChunk]:
    """Yield the page in chunks; code points are bytes in a chunk of ASCII, else 32-bit integers."""
    state, at = State(), 0
    while at < len(raw):
        part = raw[at : at + CHUNK_BYTES]
        active_set = state.g1 if state.shifted else state.g0
        if not active_set and part.isascii() and not any(byte in part for byte in ESCAPE_STARTS):
            yield DecodedChunk(np.frombuffer(part, np.uint8), np.arange(at, at + len(part)))
            at += len(part)
            continue
        part = raw[at : at + CHUNK_BYTES + LOOKAHEAD_BYTES]
        points, where, used, state = _decode_chunk(
            np.frombuffer(part + bytes(PADDING_BYTES), np.uint8), state, at + len(part) == len(raw)
        )
        yield DecodedChunk(points, where + at)
        at += used


def _decode_chunk(padded: Bytes, before: State, is_last: bool) -> tuple[Ints, Ints, int, State]:
    """Return code points, their offsets, the number of bytes used, and the state after them."""
    size = len(padded) - PADDING_BYTES
    starts, numbers = _find_escapes(padded, before.g2)
    states = _states(numbers, before)
    if before.g2 == NONE and states.g2[-1] != NONE:
        # After this escape, a single shift has one byte and not two, so the chunk ends here.
        count = int(np.argmax(states.g2 != NONE))
        starts, numbers, states, is_last = starts[:count], numbers[:count], states.first(count + 1), True
        size = int(starts[-1] + SIZES[numbers[-1]])
    data = padded[:size]
    marks = _Marks(data.astype(np.int32), np.ones(size, np.bool_), np.zeros(size, np.bool_))
    _mark_escapes(starts, numbers, marks)
    _decode_high(data, starts, states.high_half, marks)
    _decode_single_shifts(padded, starts, numbers, states.g2, marks)
    active_set = np.repeat(states.active_set, np.diff(starts, prepend=0, append=size))
    active_set *= (data >= sets.GRAPHIC.start) & (data < sets.GRAPHIC.stop) & ~marks.is_inside
    present = _distinct(states.active_set)
    _decode_one_byte(data, active_set, present, marks)
    runs = _decode_pairs(data, active_set, present, before.odd, marks)
    used = size if is_last else _last_start(marks.is_inside, size - LOOKAHEAD_BYTES)
    where = np.flatnonzero(marks.is_start[:used])
    after = states.at(int(np.searchsorted(starts, used)), _is_odd(used, runs, active_set, before.odd))
    return marks.points.take(where).view(np.uint32), where, used, after


def _utf8(points: Ints) -> bytes:
    return points.tobytes() if points.dtype == np.uint8 else wide.to_utf8(points.tobytes(), "utf-32le")


def _distinct(numbers: Ints) -> list[int]:
    """Return the distinct values of an array of small numbers."""
    return np.flatnonzero(np.bincount(numbers)).tolist()


def _find_candidates(padded: Bytes) -> tuple[Ints, Ints]:
    """Return the positions of sequences that look like escapes, and their numbers."""
    data = padded[:-PADDING_BYTES]
    at = np.flatnonzero((data == ESCAPE_STARTS[0]) | (data == ESCAPE_STARTS[1]) | (data == ESCAPE_STARTS[2]))
    numbers = FIRST.take(padded.take(at)) - np.uint8(1)
    by_escape = np.flatnonzero(numbers == NO_ESCAPE)  # those that start with ESC: the bytes after it decide
    after = at.take(by_escape)
    matched = SECOND.take(padded.take(after + 1) << np.uint16(8) | padded.take(after + 2))
    deeper = np.flatnonzero(matched >= DEEPER)
    matched[deeper] = THIRD[(matched[deeper] - DEEPER).astype(np.uint16) << 8 | padded.take(after.take(deeper) + 3)]
    numbers[by_escape] = matched
    is_known = numbers != NO_ESCAPE
    return (at, numbers) if is_known.all() else (at[is_known], numbers[is_known])


def _find_escapes(padded: Bytes, g2: int) -> tuple[Ints, Ints]:
    """Return escapes except those inside the character after a single shift."""
    at, numbers = _find_candidates(padded)
    single = at[numbers == SINGLE_SHIFT]
    if not len(single):
        return at, numbers
    follow = 2 if g2 == NONE else 1
    single = single[_every_other(np.diff(single, prepend=-LOOKAHEAD_BYTES) < 2 + follow)]
    taken = np.zeros(len(padded) + 2, np.bool_)
    for i in range(follow):
        taken[single + 2 + i] = True
    free = ~taken[at]
    return at[free], numbers[free]


def _every_other(linked: Bools) -> Bools:
    """Return every other item of each chain, from its first; an item is linked if it overlaps the one before."""
    number = np.arange(len(linked), dtype=np.int32)
    counts: Bools = (number - np.maximum.accumulate(number * ~linked)) & 1 == 0
    return counts


def _states(numbers: Ints, before: State) -> _States:
    """Return the registers before the first escape and after each."""
    present = _distinct(numbers)
    columns = []
    for name in _States.__slots__:
        values = REGISTER_VALUES[name]
        column = np.full(len(numbers) + 1, getattr(before, name), np.int8)
        if any(values[number] != NONE for number in present):
            column[1:] = values.take(numbers)
            number = np.arange(len(column), dtype=np.int32)
            column = column.take(np.maximum.accumulate(number * (column != NONE)))
        columns.append(column)
    return _States(*columns)


def _mark_escapes(starts: Ints, numbers: Ints, marks: _Marks) -> None:
    sizes = SIZES.take(numbers)
    for i in range(1, int(sizes.max(initial=0))):
        marks.is_inside[starts[sizes > i] + i] = True
    marks.is_start[:] = ~marks.is_inside
    marks.is_start[starts] = False


def _decode_high(data: Bytes, starts: Ints, high_half: Ints, marks: _Marks) -> None:
    """Decode bytes beyond ASCII that are not Latin-1."""
    if high_half.any():
        high = np.flatnonzero(data >= 0x80)
        marks.points[high] = sets.high_half_tables()[high_half[np.searchsorted(starts, high)], data[high] & 0x7F]


def _decode_single_shifts(padded: Bytes, starts: Ints, numbers: Ints, g2: Ints, marks: _Marks) -> None:
    """Decode the characters after single shifts, which the end of the page may cut."""
    single = np.flatnonzero(numbers == SINGLE_SHIFT)
    if not len(single):
        return
    starts, g2, size = starts[single], g2[single], len(marks.points)
    first, second = (padded[starts + i] & np.int32(0x7F) for i in (2, 3))
    two = g2 == NONE
    pair = np.where(starts + 4 <= size, sets.pair_table(sets.CNS_2)[first << 7 | second], UNASSIGNED)
    marks.points[starts] = np.where(two, pair, sets.high_half_tables()[g2, first])
    marks.is_start[starts] = starts + 2 < size
    for at in (starts + 2, starts[two] + 3):
        at = at[at < size]
        marks.is_inside[at] = True
        marks.is_start[at] = False


def _decode_one_byte(data: Bytes, active_set: Bytes, present: list[int], marks: _Marks) -> None:
    """Decode characters of one-byte sets."""
    for number in present:
        if ASCII < number < sets.FIRST_TWO_BYTE:
            at = np.flatnonzero(active_set == number)
            marks.points[at] = sets.byte_tables()[number].take(data.take(at))


def _decode_pairs(data: Bytes, active_set: Bytes, present: list[int], odd: int, marks: _Marks) -> Ints:
    """Decode characters of two-byte sets in runs of graphic bytes, and return the starts of the runs.

    An unassigned pair is one lost byte, and the next pair starts at the byte after it, except in sets with a prefix, which lose the
    whole pair. A run of odd length loses its last byte.
    """
    is_two_byte = active_set >= sets.FIRST_TWO_BYTE
    has_next = is_two_byte.copy()  # True if the next byte is in the same run
    has_next[:-1] &= is_two_byte[1:]
    has_next[-1:] = False
    start = np.flatnonzero(is_two_byte[1:] > is_two_byte[:-1]) + 1
    if is_two_byte[:1].any():
        start = np.append(0, start)
    if not len(start):
        return start
    end = np.flatnonzero(is_two_byte > has_next)
    is_odd = (end + 1 - start) & 1
    is_odd[0] ^= odd if start[0] == 0 else 0
    has_next[np.maximum(end[is_odd == 1], 1) - 1] = False
    values = _pair_values(data, active_set, present)
    is_pair = has_next & (values != NONE)
    spelled, syllables = (
        _spelled_syllables(data, active_set, has_next) if sets.KS in present else (start[:0], start[:0])
    )
    letters = (spelled[:, None] + np.arange(SPELLED_BYTES)).ravel()
    is_pair[letters] = is_pair[spelled - 1] = False
    first = _every_other(np.concatenate([[False], is_pair[:-1]]))
    first[letters] = False
    first[spelled] = True
    _assign(marks.points, UNASSIGNED, is_two_byte)
    _assign(marks.points, values, is_pair)
    marks.points[spelled] = syllables
    second = is_two_byte > first
    np.logical_or(marks.is_inside, second, out=marks.is_inside)
    np.greater(marks.is_start, second, out=marks.is_start)
    _split_combined(np.flatnonzero(is_pair & first & (values > LAST_POINT)), marks)
    return start


def _assign(points: Ints, values: Ints | int, where: Bools) -> None:
    """Assign ``points[where] = values[where]``, four times as fast."""
    change = values - points
    change *= where
    points += change


def _split_combined(at: Ints, marks: _Marks) -> None:
    """Split pairs that are two characters; the second gets the position of the second byte."""
    both = marks.points[at]
    marks.points[at], marks.points[at + 1] = both & ((1 << sets.SECOND_SHIFT) - 1), both >> sets.SECOND_SHIFT
    marks.is_start[at + 1] = True


def _pair_values(data: Bytes, active_set: Bytes, present: list[int]) -> Ints:
    """Return the code point of each byte and the next as a pair of the byte's set."""
    pair = data.astype(np.uint16) << np.uint16(7)
    pair[:-1] |= data[1:]
    pair &= np.uint16(LAST_PAIR)
    first, *others = (number for number in present if number >= sets.FIRST_TWO_BYTE)
    points = sets.pair_table(first).take(pair)
    for number in others:
        own = np.flatnonzero(active_set == number)
        points[own] = sets.pair_table(number).take(pair.take(own))
    return points


def _spelled_syllables(data: Bytes, active_set: Bytes, has_next: Bools) -> tuple[Ints, Ints]:
    """Return the positions of Hangul syllables that are spelled in letters, and their code points."""
    end = max(len(data) - SPELLED_BYTES + 1, 0)
    fillers = np.flatnonzero(
        (active_set[:end] == sets.KS) & (data[:end] == FILLER[0]) & (data[1 : end + 1] == FILLER[1])
    )
    if not len(fillers):
        return fillers, fillers
    is_valid = np.ones(len(fillers), np.bool_)
    syllables = np.full(len(fillers), sets.FIRST_SYLLABLE)
    for row in range(3):
        is_valid &= data[fillers + 2 * row + 2] == FILLER[0]
        letter = sets.jamo_offsets()[row, data[fillers + 2 * row + 3] & 0x7F]
        is_valid &= letter != NONE
        syllables += letter
    for i in range(SPELLED_BYTES - 1):
        is_valid &= has_next[fillers + i]
    fillers, syllables = fillers[is_valid], syllables[is_valid]
    is_kept = _every_other(np.diff(fillers, prepend=-SPELLED_BYTES) < SPELLED_BYTES)
    return fillers[is_kept], syllables[is_kept]


def _last_start(inside: Bools, at: int) -> int:
    """Return the last byte up to a position that starts an escape or a character."""
    while inside[at]:
        at -= 1
    return at


def _is_odd(at: int, runs: Ints, active_set: Bytes, odd: int) -> int:
    """Return 1 if a position is inside a run of pairs, after an odd number of its bytes, else 0."""
    if at == len(active_set) or active_set[at] < sets.FIRST_TWO_BYTE:
        return 0
    start = int(runs[np.searchsorted(runs, at, "right") - 1])
    return (at - start + (odd if start == 0 else 0)) & 1


def _tables() -> tuple[Bytes, Bytes, Bytes]:
    """Return numbers of escapes by first byte (plus one, 0 for none), by the two bytes after ESC, and by the third."""
    first_bytes, second, third = (np.full(size, NO_ESCAPE, np.uint8) for size in (1 << 8, 1 << 16, 4 << 8))
    first_bytes[:] = 0
    first_bytes[ESCAPE_STARTS[0]] = NO_ESCAPE + 1
    deeper: dict[bytes, int] = {}
    for number, escape in enumerate(ESCAPES):
        first, rest = escape.sequence[0], escape.sequence[1:]
        if not rest:
            first_bytes[first] = number + 1
        elif len(rest) == 1:
            second[rest[0] << 8 : (rest[0] + 1) << 8] = number
        elif len(rest) == 2:
            second[rest[0] << 8 | rest[1]] = number
        else:
            row = deeper.setdefault(rest[:2], len(deeper))
            second[rest[0] << 8 | rest[1]] = DEEPER + row
            third[row << 8 | rest[2]] = number
    return first_bytes, second, third


NO_ESCAPE = len(ESCAPES)
DEEPER = NO_ESCAPE + 1  # higher numbers select a row of the table of third bytes
FIRST, SECOND, THIRD = _tables()
SIZES = np.array([len(escape.sequence) for escape in ESCAPES], np.int8)
REGISTER_VALUES = {name: np.array([getattr(escape, name) for escape in ESCAPES], np.int8) for name in _States.__slots__}
