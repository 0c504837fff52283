"""Map offsets into a transcoded page back to the page itself.

Pages in UTF-16, UTF-32, johab and stateful encodings are scanned in UTF-8, while callers need offsets into the original bytes.
UTF-16, UTF-32, ISO 2022 and UTF-7 are processed as arrays. For HZ and johab, Python's codec is fed byte by byte around the
wanted offsets.

>>> raw = "<p>図書館".encode("utf-16-le")
>>> to_source_offsets(raw, "utf-16le", [0, 3, 6, 12])
[0, 6, 8, 12]
"""

from __future__ import annotations

import codecs
import string
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.charset import iso2022
from webtongue.charset.names import resolve
from webtongue.charset.stateful import split_utf7

__all__ = ["to_source_offsets"]

CHUNK_BYTES = 1 << 15
CODEC_CHUNK_BYTES = 256  # bytes that a codec decodes at a time away from the wanted offsets
UTF7_CHUNK_BYTES = 1 << 12
MIN_UTF7_CHUNK_BYTES = 64  # smaller chunks are not halved to isolate damage
REPLACEMENT_BYTES = 3  # bytes of U+FFFD in UTF-8

Ints = NDArray[Any]
Chunk = tuple[Ints, Ints]  # offsets of characters in the page, and their sizes in UTF-8


def to_source_offsets(raw: bytes, encoding: str, offsets: Sequence[int]) -> list[int]:
    """Return the offsets in the page of the characters at these offsets of the page in UTF-8.

    The results keep the order of the offsets and lie within the page, even if it is damaged.
    """
    wanted = sorted(set(offsets))
    by_offset = dict(zip(wanted, _map_sorted(raw, encoding, wanted), strict=True))
    return [by_offset[offset] for offset in offsets]


def _map_sorted(raw: bytes, encoding: str, wanted: Sequence[int]) -> list[int]:
    result: list[int] = []
    passed = 0
    for at, sizes in _chunks(raw, encoding, wanted):
        if len(result) == len(wanted):
            break
        ends = passed + np.cumsum(sizes)
        passed = int(ends[-1]) if len(ends) else passed
        inside = wanted[len(result) : bisect_left(wanted, passed)]
        result += at[np.searchsorted(ends, inside, "right")].tolist()
    return result + [len(raw)] * (len(wanted) - len(result))


def _chunks(raw: bytes, encoding: str, wanted: Sequence[int]) -> Iterator[Chunk]:
    if encoding.startswith("utf-16"):
        return _utf16(raw, ">u2" if encoding.endswith("be") else "<u2")
    if encoding.startswith("utf-32"):
        return _utf32(raw, ">u4" if encoding.endswith("be") else "<u4")
    if encoding.startswith("iso-2022"):
        return ((chunk.offsets, _utf8_sizes(chunk.points)) for chunk in iso2022.decode_chunks(raw))
    if encoding == "utf-7":
        return _utf7(raw, wanted)
    resolved = resolve(encoding)
    return _by_codec(raw, resolved.codec if resolved and resolved.codec else "utf-8", wanted)


def _utf8_sizes(points: Ints) -> Ints:
    """Return the sizes of characters in UTF-8."""
    return 1 + (points >= 0x80).astype(np.int64) + (points >= 0x800) + (points >= 0x10000)


def _utf16(raw: bytes, unit: str) -> Iterator[Chunk]:
    """Yield a character for each surrogate pair and each other unit; a lone surrogate or odd byte at the end is U+FFFD."""
    end = len(raw) & ~1
    for start in range(0, end, CHUNK_BYTES):
        before, after = min(start, 2), start + CHUNK_BYTES
        units = np.frombuffer(raw[start - before : min(after + 2, end)], unit)
        pairs = (units[:-1] & 0xFC00 == 0xD800) & (units[1:] & 0xFC00 == 0xDC00)
        sizes = _utf8_sizes(units)
        sizes[:-1] += pairs
        sizes[1:] *= ~pairs
        at = start - before + 2 * np.arange(len(units))
        own = slice(before // 2, before // 2 + CHUNK_BYTES // 2)
        yield at[own], sizes[own]
    if end < len(raw):
        yield np.array([end]), np.array([REPLACEMENT_BYTES])


def _utf32(raw: bytes, unit: str) -> Iterator[Chunk]:
    """Yield a character for each unit; invalid ones and part of a unit at the end are U+FFFD."""
    end = len(raw) & ~3
    for start in range(0, end, CHUNK_BYTES):
        points = np.frombuffer(raw[start : min(start + CHUNK_BYTES, end)], unit)
        sizes = np.where(points > 0x10FFFF, REPLACEMENT_BYTES, _utf8_sizes(points))
        yield start + 4 * np.arange(len(points)), sizes
    if end < len(raw):
        yield np.array([end]), np.array([REPLACEMENT_BYTES])


def _utf7(raw: bytes, wanted: Sequence[int]) -> Iterator[Chunk]:
    """Yield chunks that end outside of shifts; a chunk without a wanted offset is one entry."""
    passed = 0
    for start, end in split_utf7(raw, UTF7_CHUNK_BYTES):
        text = raw[start:end].decode("utf-7", "replace").encode("utf-8", "replace")
        if _has_any(wanted, passed, passed + len(text)):
            yield from _utf7_chunk(raw[start:end], start)
        else:
            yield np.array([start]), np.array([len(text)])
        passed += len(text)


def _utf7_chunk(chunk: bytes, start: int) -> Iterator[Chunk]:
    """Yield a chunk, or its halves if it is damaged and can be divided; else the offsets are approximate."""
    text = chunk.decode("utf-7", "replace")
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), "<u2")
    at = _utf7_units(chunk)
    if len(at) != len(units) and len(chunk) >= 2 * MIN_UTF7_CHUNK_BYTES:
        halves = list(split_utf7(chunk, len(chunk) // 2))
        if len(halves) > 1:
            for first, end in halves:
                yield from _utf7_chunk(chunk[first:end], start + first)
            return
    if len(at) < len(units):
        at = np.append(at, np.full(len(units) - len(at), at[-1] if len(at) else 0))
    pairs = (units[:-1] & 0xFC00 == 0xD800) & (units[1:] & 0xFC00 == 0xDC00)
    sizes = np.where(units & 0xF800 == 0xD800, 1, _utf8_sizes(units))  # a lone surrogate is encoded as a question mark
    sizes[:-1][pairs] = 4
    sizes[1:][pairs] = 0
    yield start + at[: len(units)], sizes


def _utf7_units(chunk: bytes) -> Ints:
    """Return the offsets of the UTF-16 units of a well-formed chunk."""
    data = np.frombuffer(chunk, np.uint8)
    digits = IS_DIGIT[data]
    edges = np.flatnonzero(np.diff(digits, prepend=False, append=False))
    starts, ends = edges[::2], edges[1::2]
    signs = np.append(np.flatnonzero(data == ord("+")), len(data))
    shifts = signs[np.searchsorted(signs, starts)]  # the first plus sign of a run of digits starts a shift
    shifts, ends = shifts[shifts < ends], ends[shifts < ends]
    sizes = ends - shifts
    count = np.repeat(sizes - 1, sizes)  # number of digits of the shift, for each byte
    number = np.arange(len(count)) - np.repeat(np.cumsum(sizes) - sizes, sizes) - 1  # index of the digit in its shift
    unit = 3 * (number // 8) + UNIT_OF_DIGIT[number % 8]
    is_first = np.ones(len(data), np.bool_)
    is_first[np.repeat(shifts, sizes) + number + 1] = (count == 0) | IS_FIRST_DIGIT[number % 8] & (number >= 0) & (
        16 * (unit + 1) <= 6 * count
    )
    follow = ends < len(data)
    is_first[ends[follow]] = (data[ends[follow]] != ord("-")) & (sizes[follow] > 1)
    return np.flatnonzero(is_first)


def _by_codec(raw: bytes, codec: str, wanted: Sequence[int]) -> Iterator[Chunk]:
    """Yield the output of a decoder after each byte; a chunk without a wanted offset is one entry."""
    decoder = codecs.getincrementaldecoder(codec)("replace")
    passed = 0
    for start in range(0, len(raw) + 1, CODEC_CHUNK_BYTES):
        chunk, state = raw[start : start + CODEC_CHUNK_BYTES], decoder.getstate()
        is_last = start + CODEC_CHUNK_BYTES > len(raw)
        size = len(decoder.decode(chunk, is_last).encode("utf-8", "replace"))
        if not _has_any(wanted, passed, passed + size):
            yield np.array([start - len(state[0])]), np.array([size])
        else:
            decoder.setstate(state)
            characters = _byte_by_byte(decoder, chunk, start, is_last)
            yield np.array([at for at, _ in characters]), np.array([size for _, size in characters])
        passed += size


def _byte_by_byte(decoder: Any, chunk: bytes, start: int, is_last: bool) -> list[tuple[int, int]]:
    """Return the offsets and sizes of the characters of a chunk at offset ``start``."""
    characters = []
    for i in range(len(chunk) + is_last):
        pending = len(decoder.getstate()[0])
        for char in decoder.decode(chunk[i : i + 1], i == len(chunk)):
            characters.append((start + i - pending, len(char.encode("utf-8", "replace"))))
            pending = 0
    return characters


def _has_any(wanted: Sequence[int], start: int, end: int) -> bool:
    """Return True if any of the sorted offsets is in a range."""
    at = bisect_left(wanted, start)
    return at < len(wanted) and wanted[at] < end


IS_DIGIT = np.array([chr(byte) in string.ascii_letters + string.digits + "+/" for byte in range(0x100)])
# The first digits of the three units in eight digits of base64, and the unit of each digit.
IS_FIRST_DIGIT = np.array([True, False, True, False, False, True, False, False])
UNIT_OF_DIGIT = np.array([0, 0, 1, 1, 1, 2, 2, 2])
