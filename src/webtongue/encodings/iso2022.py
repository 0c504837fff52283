"""ISO 2022 as East Asia used it: sets of characters put at G0, G1 and G2 by escapes, and shifts between them.

A page may shift at every third byte, so nothing is done shift by shift: a stretch of the page is an array, and each step is
a pass over it. ``tests/twins/encodings/iso2022.py`` reads the same in a plain loop.

>>> decode(b"\\x1b$B0!\\x1b(B and \\x1b$)C\\x0e0!\\x0f").decode()
'亜 and 가'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.encodings import designations as sets
from webtongue.encodings import wide
from webtongue.encodings.designations import ESCAPES, NONE, PLAIN, SINGLE_SHIFT
from webtongue.encodings.gather import gathered

__all__ = ["Stretch", "decode", "designated", "stretches"]

STRETCH = 1 << 15  # bytes read at a time: arrays of this size stay in the cache
LONGEST = 16  # bytes that are left for the next stretch: no escape or character is longer
LARGEST = 3  # bytes of UTF-8 for one of the page
ROOM = 3  # bytes after the first of the longest escape
UNKNOWN = ord(sets.REPLACEMENT)
LAST_POINT = 0x10FFFF
LAST_PAIR = (1 << 14) - 1
SYLLABLE = 8  # bytes of one of Hangul that is written in letters:
FILLER = b"$T"  # this pair, and then a pair each
BEGINS = b"\x1b\x0e\x0f"  # escapes

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Ints = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters of a page, and where in the page each of them begins."""

    points: Ints
    at: Ints


@dataclass(frozen=True, slots=True)
class State:
    """What the escapes so far have put where; ``odd``: an odd number of bytes of a run that goes on was read."""

    g0: int = PLAIN
    g1: int = PLAIN
    shifted: int = 0
    upper: int = sets.LATIN
    g2: int = NONE  # the second plane of CNS 11643
    odd: int = 0


@dataclass(frozen=True, slots=True)
class _States:
    """A column for each field of a state but the last, by the number of escapes before."""

    g0: Ints
    g1: Ints
    shifted: Ints
    upper: Ints
    g2: Ints

    @property
    def kept(self) -> Bytes:
        """The set that graphic bytes are read in."""
        return np.where(self.shifted, self.g1, self.g0).astype(np.uint8)

    def first(self, rows: int) -> _States:
        return _States(*(getattr(self, name)[:rows] for name in self.__slots__))

    def at(self, row: int, odd: int) -> State:
        g0, g1, shifted, upper, g2 = (int(getattr(self, name)[row]) for name in self.__slots__)
        return State(g0, g1, shifted, upper, g2, odd)


@dataclass(frozen=True, slots=True)
class _Marks:
    """What is known of each byte of a stretch so far."""

    points: Ints  # the character that it begins
    written: Bools  # whether it begins one
    inside: Bools  # whether it is not the first byte of its escape or character


def decode(raw: bytes) -> bytes:
    """The page in UTF-8; what no set has becomes U+FFFD."""
    return gathered((_utf8(stretch.points) for stretch in stretches(raw)), LARGEST * len(raw))


def designated(head: bytes) -> set[str]:
    """The names of what is designated.

    >>> sorted(designated(b"\\x1b$B0!\\x1b(J\\x1b(B"))
    ['(J', 'B']
    """
    head += bytes(ROOM)
    parts = (np.frombuffer(head[at : at + STRETCH + ROOM], np.uint8) for at in range(0, len(head) - ROOM, STRETCH))
    return {ESCAPES[number].name for part in parts for number in _present(_candidates(part)[1])} - {""}


def stretches(raw: bytes) -> Iterator[Stretch]:
    """The page bit by bit. Points are bytes where all of a stretch are ASCII, else integers of four bytes."""
    state, at = State(), 0
    while at < len(raw):
        part = raw[at : at + STRETCH]
        kept = state.g1 if state.shifted else state.g0
        if not kept and part.isascii() and not any(byte in part for byte in BEGINS):
            yield Stretch(np.frombuffer(part, np.uint8), np.arange(at, at + len(part)))
            at += len(part)
            continue
        part = raw[at : at + STRETCH + LONGEST]
        points, where, used, state = _read(_padded(part), state, at + len(part) == len(raw))
        yield Stretch(points, where + at)
        at += used


def _read(padded: Bytes, before: State, last: bool) -> tuple[Ints, Ints, int, State]:
    """Characters, where they are, how many bytes they took, and the state after them."""
    size = len(padded) - ROOM
    starts, numbers = _active(padded, before.g2)
    states = _states(numbers, before)
    if before.g2 == NONE and states.g2[-1] != NONE:
        # From here on a single shift has one byte and not two: the next stretch begins there.
        put = int(np.argmax(states.g2 != NONE))
        starts, numbers, states, last = starts[:put], numbers[:put], states.first(put + 1), True
        size = int(starts[-1] + SIZES[numbers[-1]])
    data = padded[:size]
    marks = _Marks(data.astype(np.int32), np.ones(size, np.bool_), np.zeros(size, np.bool_))
    _mark_escapes(starts, numbers, marks)
    _read_high(data, starts, states.upper, marks)
    _read_single(padded, starts, numbers, states.g2, marks)
    kept = np.repeat(states.kept, np.diff(starts, prepend=0, append=size))
    kept *= (data >= sets.GRAPHIC.start) & (data < sets.GRAPHIC.stop) & ~marks.inside
    present = _present(states.kept)
    _read_bytes(data, kept, present, marks)
    runs = _read_pairs(data, kept, present, before.odd, marks)
    used = size if last else _last_start(marks.inside, size - LONGEST)
    where = np.flatnonzero(marks.written[:used])
    after = states.at(int(np.searchsorted(starts, used)), _is_odd(used, runs, kept, before.odd))
    return marks.points.take(where).view(np.uint32), where, used, after


def _utf8(points: Ints) -> bytes:
    return points.tobytes() if points.dtype == np.uint8 else wide.to_utf8(points.tobytes(), "utf-32le")


def _padded(part: bytes) -> Bytes:
    return np.frombuffer(part + bytes(ROOM), np.uint8)


def _present(numbers: Ints) -> list[int]:
    """Which small numbers there are."""
    return np.flatnonzero(np.bincount(numbers)).tolist()


def _candidates(padded: Bytes) -> tuple[Ints, Ints]:
    """Where escapes seem to be, and their numbers."""
    data = padded[:-ROOM]
    at = np.flatnonzero((data == BEGINS[0]) | (data == BEGINS[1]) | (data == BEGINS[2]))
    numbers = BEGIN.take(padded.take(at)) - np.uint8(1)
    escape = np.flatnonzero(numbers == NO_ESCAPE)  # by what follows the byte ESC
    after = at.take(escape)
    found = SECOND.take(padded.take(after + 1) << np.uint16(8) | padded.take(after + 2))
    deeper = np.flatnonzero(found >= DEEPER)
    found[deeper] = THIRD[(found[deeper] - DEEPER).astype(np.uint16) << 8 | padded.take(after.take(deeper) + 3)]
    numbers[escape] = found
    known = numbers != NO_ESCAPE
    return (at, numbers) if known.all() else (at[known], numbers[known])


def _active(padded: Bytes, g2: int) -> tuple[Ints, Ints]:
    """Escapes without those whose bytes are what a single shift is followed by."""
    at, numbers = _candidates(padded)
    single = at[numbers == SINGLE_SHIFT]
    if not len(single):
        return at, numbers
    follow = 2 if g2 == NONE else 1
    single = single[_every_other(np.diff(single, prepend=-LONGEST) < 2 + follow)]
    taken = np.zeros(len(padded) + 2, np.bool_)
    for i in range(follow):
        taken[single + 2 + i] = True
    free = ~taken[at]
    return at[free], numbers[free]


def _every_other(linked: Bools) -> Bools:
    """Of things in a row those that count: one that is linked does where the one before it does not."""
    number = np.arange(len(linked), dtype=np.int32)
    counts: Bools = (number - np.maximum.accumulate(number * ~linked)) & 1 == 0
    return counts


def _states(numbers: Ints, before: State) -> _States:
    """What is where before the first escape and after each."""
    present = _present(numbers)
    columns = []
    for name in _States.__slots__:
        puts = PUTS[name]
        column = np.full(len(numbers) + 1, getattr(before, name), np.int8)
        if any(puts[number] != NONE for number in present):
            column[1:] = puts.take(numbers)
            number = np.arange(len(column), dtype=np.int32)
            column = column.take(np.maximum.accumulate(number * (column != NONE)))
        columns.append(column)
    return _States(*columns)


def _mark_escapes(starts: Ints, numbers: Ints, marks: _Marks) -> None:
    sizes = SIZES.take(numbers)
    for i in range(1, int(sizes.max(initial=0))):
        marks.inside[starts[sizes > i] + i] = True
    marks.written[:] = ~marks.inside
    marks.written[starts] = False


def _read_high(data: Bytes, starts: Ints, upper: Ints, marks: _Marks) -> None:
    """Bytes beyond ASCII: Latin-1 stands as it is."""
    if upper.any():
        high = np.flatnonzero(data >= 0x80)
        marks.points[high] = sets.upper_half()[upper[np.searchsorted(starts, high)], data[high] & 0x7F]


def _read_single(padded: Bytes, starts: Ints, numbers: Ints, g2: Ints, marks: _Marks) -> None:
    """What single shifts are followed by; it may be cut off by the end of the page."""
    single = np.flatnonzero(numbers == SINGLE_SHIFT)
    if not len(single):
        return
    starts, g2, size = starts[single], g2[single], len(marks.points)
    first, second = (padded[starts + i] & np.int32(0x7F) for i in (2, 3))
    two = g2 == NONE
    pair = np.where(starts + 4 <= size, sets.pairs(sets.CNS_2)[first << 7 | second], UNKNOWN)
    marks.points[starts] = np.where(two, pair, sets.upper_half()[g2, first])
    marks.written[starts] = starts + 2 < size
    for at in (starts + 2, starts[two] + 3):
        at = at[at < size]
        marks.inside[at] = True
        marks.written[at] = False


def _read_bytes(data: Bytes, kept: Bytes, present: list[int], marks: _Marks) -> None:
    """Characters of sets that have a byte each."""
    for number in present:
        if PLAIN < number < sets.FIRST_OF_PAIRS:
            at = np.flatnonzero(kept == number)
            marks.points[at] = sets.one_byte()[number].take(data.take(at))


def _read_pairs(data: Bytes, kept: Bytes, present: list[int], odd: int, marks: _Marks) -> Ints:
    """Characters of sets that have two bytes each, in runs of graphic bytes; where the runs begin.

    A pair that a set has not is a lost byte, and the next pair begins with the byte after it; but where a set is read after
    a prefix, pairs stay pairs. A run of an odd number has a lost byte at its end.
    """
    of_pairs = kept >= sets.FIRST_OF_PAIRS
    near = of_pairs.copy()  # whether the next byte is of the same run
    near[:-1] &= of_pairs[1:]
    near[-1:] = False
    begin = np.flatnonzero(of_pairs[1:] > of_pairs[:-1]) + 1
    if of_pairs[:1].any():
        begin = np.append(0, begin)
    if not len(begin):
        return begin
    end = np.flatnonzero(of_pairs > near)
    is_odd = (end + 1 - begin) & 1
    is_odd[0] ^= odd if begin[0] == 0 else 0
    near[np.maximum(end[is_odd == 1], 1) - 1] = False
    values = _values(data, kept, present)
    whole = near & (values != NONE)
    spelt, syllables = _syllables(data, kept, near) if sets.KS in present else (begin[:0], begin[:0])
    letters = (spelt[:, None] + np.arange(SYLLABLE)).ravel()
    whole[letters] = whole[spelt - 1] = False
    first = _every_other(np.concatenate([[False], whole[:-1]]))
    first[letters] = False
    first[spelt] = True
    _put(marks.points, UNKNOWN, of_pairs)
    _put(marks.points, values, whole)
    marks.points[spelt] = syllables
    second = of_pairs > first
    np.logical_or(marks.inside, second, out=marks.inside)
    np.greater(marks.written, second, out=marks.written)
    _read_combined(np.flatnonzero(whole & first & (values > LAST_POINT)), marks)
    return begin


def _put(points: Ints, values: Ints | int, where: Bools) -> None:
    """``points[where] = values[where]``, four times as fast."""
    change = values - points
    change *= where
    points += change


def _read_combined(at: Ints, marks: _Marks) -> None:
    """Pairs that are two characters: the second has the place of the second byte."""
    both = marks.points[at]
    marks.points[at], marks.points[at + 1] = both & ((1 << sets.COMBINED) - 1), both >> sets.COMBINED
    marks.written[at + 1] = True


def _values(data: Bytes, kept: Bytes, present: list[int]) -> Ints:
    """What each byte and the next stand for together in the byte's set."""
    pair = data.astype(np.uint16) << np.uint16(7)
    pair[:-1] |= data[1:]
    pair &= np.uint16(LAST_PAIR)
    first, *others = (number for number in present if number >= sets.FIRST_OF_PAIRS)
    out = sets.pairs(first).take(pair)
    for number in others:
        mine = np.flatnonzero(kept == number)
        out[mine] = sets.pairs(number).take(pair.take(mine))
    return out


def _syllables(data: Bytes, kept: Bytes, near: Bools) -> tuple[Ints, Ints]:
    """Where syllables of Hangul are written in letters, and which they are."""
    room = max(len(data) - SYLLABLE + 1, 0)
    found = np.flatnonzero((kept[:room] == sets.KS) & (data[:room] == FILLER[0]) & (data[1 : room + 1] == FILLER[1]))
    if not len(found):
        return found, found
    fits = np.ones(len(found), np.bool_)
    syllables = np.full(len(found), sets.HANGUL)
    for place in range(3):
        fits &= data[found + 2 * place + 2] == FILLER[0]
        letter = sets.letters()[place, data[found + 2 * place + 3] & 0x7F]
        fits &= letter != NONE
        syllables += letter
    for i in range(SYLLABLE - 1):
        fits &= near[found + i]
    found, syllables = found[fits], syllables[fits]
    free = _every_other(np.diff(found, prepend=-SYLLABLE) < SYLLABLE)
    return found[free], syllables[free]


def _last_start(inside: Bools, at: int) -> int:
    """The last byte up to there that begins an escape or a character."""
    while inside[at]:
        at -= 1
    return at


def _is_odd(at: int, runs: Ints, kept: Bytes, odd: int) -> int:
    """Whether a run of pairs goes on there of which an odd number of bytes has been read."""
    if at == len(kept) or kept[at] < sets.FIRST_OF_PAIRS:
        return 0
    begin = int(runs[np.searchsorted(runs, at, "right") - 1])
    return (at - begin + (odd if begin == 0 else 0)) & 1


def _tables() -> tuple[Bytes, Bytes, Bytes]:
    """Numbers of escapes by their first byte (one more, nought for none), by the two after ESC, and by the third."""
    begin, second, third = (np.full(size, NO_ESCAPE, np.uint8) for size in (1 << 8, 1 << 16, 4 << 8))
    begin[:] = 0
    begin[BEGINS[0]] = NO_ESCAPE + 1
    deeper: dict[bytes, int] = {}
    for number, escape in enumerate(ESCAPES):
        first, rest = escape.sequence[0], escape.sequence[1:]
        if not rest:
            begin[first] = number + 1
        elif len(rest) == 1:
            second[rest[0] << 8 : (rest[0] + 1) << 8] = number
        elif len(rest) == 2:
            second[rest[0] << 8 | rest[1]] = number
        else:
            row = deeper.setdefault(rest[:2], len(deeper))
            second[rest[0] << 8 | rest[1]] = DEEPER + row
            third[row << 8 | rest[2]] = number
    return begin, second, third


NO_ESCAPE = len(ESCAPES)
DEEPER = NO_ESCAPE + 1  # from this number on: which table of the third byte
BEGIN, SECOND, THIRD = _tables()
SIZES = np.array([len(escape.sequence) for escape in ESCAPES], np.int8)
PUTS = {name: np.array([getattr(escape, name) for escape in ESCAPES], np.int8) for name in _States.__slots__}
