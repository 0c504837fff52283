"""Every character of a page with its place in the page and its size in UTF-8, stretch by stretch.

UTF-16, UTF-32, ISO 2022 and UTF-7 are arrays that are looked at as a whole. Where a codec of Python's is all there is (HZ,
johab), it is fed a byte at a time around the places that are asked for.
"""

from __future__ import annotations

import codecs
import string
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.encodings import iso2022
from webtongue.encodings.escapes import unshifted
from webtongue.encodings.names import resolve

__all__ = ["find"]

STRETCH = 1 << 15  # bytes looked at at a time
STEP = 256  # bytes that a codec is fed at a time where nothing is asked for
SHIFTED = 1 << 12  # bytes of a stretch of UTF-7, and
LEAST_SHIFTED = 64  # of one that is not halved again where it is damaged
LOST = 3  # bytes of U+FFFD in UTF-8

Ints = NDArray[Any]
Stretch = tuple[Ints, Ints]  # where characters begin in the page, and their sizes in UTF-8


def find(raw: bytes, encoding: str, wanted: Sequence[int]) -> list[int]:
    """Where the characters begin that hold these bytes of the page in UTF-8; ``wanted`` rises."""
    out: list[int] = []
    passed = 0
    for at, sizes in _stretches(raw, encoding, wanted):
        if len(out) == len(wanted):
            break
        ends = passed + np.cumsum(sizes)
        passed = int(ends[-1]) if len(ends) else passed
        inside = wanted[len(out) : bisect_left(wanted, passed)]
        out += at[np.searchsorted(ends, inside, "right")].tolist()
    return out + [len(raw)] * (len(wanted) - len(out))


def _stretches(raw: bytes, encoding: str, wanted: Sequence[int]) -> Iterator[Stretch]:
    if encoding.startswith("utf-16"):
        return _utf16(raw, ">u2" if encoding.endswith("be") else "<u2")
    if encoding.startswith("utf-32"):
        return _utf32(raw, ">u4" if encoding.endswith("be") else "<u4")
    if encoding.startswith("iso-2022"):
        return ((stretch.at, _sizes(stretch.points)) for stretch in iso2022.stretches(raw))
    if encoding == "utf-7":
        return _utf7(raw, wanted)
    found = resolve(encoding)
    return _by_codec(raw, found.codec if found and found.codec else "utf-8", wanted)


def _sizes(points: Ints) -> Ints:
    """Of characters in UTF-8."""
    return 1 + (points >= 0x80).astype(np.int64) + (points >= 0x800) + (points >= 0x10000)


def _utf16(raw: bytes, unit: str) -> Iterator[Stretch]:
    """A high surrogate and a low one are a character; one without the other is lost, and so is half a unit at the end."""
    whole = len(raw) & ~1
    for begin in range(0, whole, STRETCH):
        before, after = min(begin, 2), begin + STRETCH
        units = np.frombuffer(raw[begin - before : min(after + 2, whole)], unit)
        pairs = (units[:-1] & 0xFC00 == 0xD800) & (units[1:] & 0xFC00 == 0xDC00)
        sizes = _sizes(units)
        sizes[:-1] += pairs
        sizes[1:] *= ~pairs
        at = begin - before + 2 * np.arange(len(units))
        mine = slice(before // 2, before // 2 + STRETCH // 2)
        yield at[mine], sizes[mine]
    if whole < len(raw):
        yield np.array([whole]), np.array([LOST])


def _utf32(raw: bytes, unit: str) -> Iterator[Stretch]:
    """What is no character is lost, and so is part of a unit at the end."""
    whole = len(raw) & ~3
    for begin in range(0, whole, STRETCH):
        points = np.frombuffer(raw[begin : min(begin + STRETCH, whole)], unit)
        sizes = np.where(points > 0x10FFFF, LOST, _sizes(points))
        yield begin + 4 * np.arange(len(points)), sizes
    if whole < len(raw):
        yield np.array([whole]), np.array([LOST])


def _utf7(raw: bytes, wanted: Sequence[int]) -> Iterator[Stretch]:
    """Stretches between which no shift is open; those in which nothing is asked for are not looked into."""
    passed = 0
    for begin, end in unshifted(raw, SHIFTED):
        text = raw[begin:end].decode("utf-7", "replace").encode("utf-8", "replace")
        if _any(wanted, passed, passed + len(text)):
            yield from _utf7_stretch(raw[begin:end], begin)
        else:
            yield np.array([begin]), np.array([len(text)])
        passed += len(text)


def _utf7_stretch(part: bytes, begin: int) -> Iterator[Stretch]:
    """One stretch, or its parts where it is damaged and can be divided; if not, characters are near where they should be."""
    text = part.decode("utf-7", "replace")
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), "<u2")
    at = _utf7_units(part)
    if len(at) != len(units) and len(part) >= 2 * LEAST_SHIFTED:
        halves = list(unshifted(part, len(part) // 2))
        if len(halves) > 1:
            for start, stop in halves:
                yield from _utf7_stretch(part[start:stop], begin + start)
            return
    if len(at) < len(units):
        at = np.append(at, np.full(len(units) - len(at), at[-1] if len(at) else 0))
    pairs = (units[:-1] & 0xFC00 == 0xD800) & (units[1:] & 0xFC00 == 0xDC00)
    sizes = np.where(units & 0xF800 == 0xD800, 1, _sizes(units))  # a lone surrogate is written as a question mark
    sizes[:-1][pairs] = 4
    sizes[1:][pairs] = 0
    yield begin + at[: len(units)], sizes


def _utf7_units(part: bytes) -> Ints:
    """Where the units of UTF-16 of a well-formed stretch begin."""
    data = np.frombuffer(part, np.uint8)
    digits = DIGITS[data]
    edges = np.flatnonzero(np.diff(digits, prepend=False, append=False))
    starts, ends = edges[::2], edges[1::2]
    signs = np.append(np.flatnonzero(data == ord("+")), len(data))
    shifts = signs[np.searchsorted(signs, starts)]  # the first sign of a run of digits shifts, others are digits
    shifts, ends = shifts[shifts < ends], ends[shifts < ends]
    sizes = ends - shifts
    count = np.repeat(sizes - 1, sizes)  # of the digits of a shift, for each of its bytes
    number = np.arange(len(count)) - np.repeat(np.cumsum(sizes) - sizes, sizes) - 1  # of a digit in its shift
    unit = 3 * (number // 8) + UNIT[number % 8]
    begins = np.ones(len(data), np.bool_)
    begins[np.repeat(shifts, sizes) + number + 1] = (count == 0) | BEGINS[number % 8] & (number >= 0) & (
        16 * (unit + 1) <= 6 * count
    )
    follow = ends < len(data)
    begins[ends[follow]] = (data[ends[follow]] != ord("-")) & (sizes[follow] > 1)
    return np.flatnonzero(begins)


def _by_codec(raw: bytes, codec: str, wanted: Sequence[int]) -> Iterator[Stretch]:
    """What a decoder gives out after each byte, in steps; those in which nothing is asked for are taken at once."""
    decoder = codecs.getincrementaldecoder(codec)("replace")
    passed = 0
    for begin in range(0, len(raw) + 1, STEP):
        step, state = raw[begin : begin + STEP], decoder.getstate()
        last = begin + STEP > len(raw)
        size = len(decoder.decode(step, last).encode("utf-8", "replace"))
        if not _any(wanted, passed, passed + size):
            yield np.array([begin - len(state[0])]), np.array([size])
        else:
            decoder.setstate(state)
            found = _byte_by_byte(decoder, step, begin, last)
            yield np.array([at for at, _ in found]), np.array([size for _, size in found])
        passed += size


def _byte_by_byte(decoder: Any, step: bytes, begin: int, last: bool) -> list[tuple[int, int]]:
    """Where characters begin and their sizes; ``begin`` is where the step does."""
    found = []
    for i in range(len(step) + last):
        pending = len(decoder.getstate()[0])
        for char in decoder.decode(step[i : i + 1], i == len(step)):
            found.append((begin + i - pending, len(char.encode("utf-8", "replace"))))
            pending = 0
    return found


def _any(wanted: Sequence[int], begin: int, end: int) -> bool:
    """Whether any of these rising numbers is there."""
    at = bisect_left(wanted, begin)
    return at < len(wanted) and wanted[at] < end


DIGITS = np.array([chr(byte) in string.ascii_letters + string.digits + "+/" for byte in range(0x100)])
# Which of eight digits of base64 begin one of the three units that they hold, and which.
BEGINS = np.array([True, False, True, False, False, True, False, False])
UNIT = np.array([0, 0, 1, 1, 1, 2, 2, 2])
