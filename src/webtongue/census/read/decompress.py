"""Decompressed bytes of an archive with their offsets in the file: plain, gzip and Zstandard files of one or many members.

Most archives compress each record as a member of its own, so that a record can be read by its offset. Some are compressed as a
whole, and any of them may be damaged. A reader asks for bytes, sees where members start, and learns of damage from
``source.error``. The memory in use depends on what the reader asks for, not on the size that a member decompresses to.
"""

from __future__ import annotations

import re
import zlib
from bisect import bisect_right
from collections.abc import Callable
from enum import StrEnum
from typing import Any, BinaryIO

from webtongue.errors import MissingExtra

__all__ = [
    "GZIP_WBITS",
    "ZSTD_MAGIC",
    "Compression",
    "DecompressedBuffer",
    "detect_compression",
    "inflate_until_damage",
    "zstd_decoder",
]

READ_BYTES = 1 << 16  # bytes read from a file at a time
GZIP_STEP_BYTES = 1 << 14  # compressed bytes given to zlib at a time; zlib copies what follows the end of a member
MAX_CHUNK_BYTES = 1 << 20  # bytes that zlib may return at a time
# Compressed bytes given to Zstandard at a time. A block of 128 KB can be compressed to 4 bytes, so a step returns at most 64 MB.
ZSTD_STEP_BYTES = 1 << 11
MAX_PASSED_MEMBERS = 1 << 10  # members before the buffer whose offsets are still stored
MAX_DICTIONARY_BYTES = 1 << 24  # tools write dictionaries of 100 KB
GZIP_MAGIC, ZSTD_MAGIC = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
SKIPPABLE_MAGIC = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
DICTIONARY_MAGIC = b"\x5d\x2a\x4d\x18"  # the skippable frame with the dictionary, at the start of a .warc.zst
SKIPPABLE_HEAD_BYTES = 8  # magic number and size
GZIP_WBITS = 31  # makes zlib expect a gzip header


class Compression(StrEnum):
    """The compression of a file."""

    PLAIN = "plain"
    GZIP = "gzip"
    ZSTD = "zstd"


def detect_compression(head: bytes) -> Compression:
    """Return the compression of a file by its first bytes, whatever its name."""
    if head.startswith(GZIP_MAGIC):
        return Compression.GZIP
    return Compression.ZSTD if head.startswith(ZSTD_MAGIC) or SKIPPABLE_MAGIC.match(head) else Compression.PLAIN


class _Source:
    """A stream of decompressed chunks, none of which spans two members."""

    def __init__(self, file: BinaryIO, begin: int) -> None:
        self._file = file
        self.member_offset = begin  # file offset of the member that was read last
        self.new_member = -1  # file offset of the member that the last chunk starts, -1 if the chunk continues a member
        self.error = ""  # why no more bytes come; empty at the end of the file
        self.error_offset = 0  # file offset of the damaged member
        self.is_cut = False  # whether the file ends within a member

    @property
    def offset(self) -> int:
        """The file offset of the first unused byte."""
        raise NotImplementedError

    def next_chunk(self, wanted: int) -> bytes:
        """Return the next chunk, empty at the end."""
        raise NotImplementedError


class DecompressedBuffer:
    """A window of decompressed bytes, ``data``, that starts at an offset of a file and is extended and shortened by its reader."""

    __slots__ = ("_base", "_offsets", "_positions", "compression", "data", "source")

    def __init__(self, file: BinaryIO, compression: Compression, begin: int = 0) -> None:
        file.seek(begin)
        self.data = bytearray()
        self.compression = compression
        self.source = SOURCES[compression](file, begin)
        self._base = begin if compression is Compression.PLAIN else 0  # decompressed position of data[0]
        self._positions: list[int] = []  # decompressed positions of the starts of members
        self._offsets: list[int] = []  # their file offsets

    def fill(self, count: int) -> bool:
        """Read until the buffer has ``count`` bytes; return False if there are fewer."""
        data, source = self.data, self.source
        while len(data) < count:
            chunk = source.next_chunk(count - len(data))
            if not chunk:
                return False
            if source.new_member >= 0:
                self._positions.append(self._base + len(data))
                self._offsets.append(source.new_member)
            data += chunk
        return True

    def drop(self, count: int) -> None:
        """Remove the first ``count`` bytes of the buffer."""
        del self.data[:count]
        self._base += count
        passed = bisect_right(self._positions, self._base) - 1
        if passed > MAX_PASSED_MEMBERS:  # not for every member, because deleting the head of a list copies the rest
            del self._positions[:passed]
            del self._offsets[:passed]

    def copy(self, start: int, end: int) -> bytes:
        """Return a part of the buffer."""
        with memoryview(self.data) as view:
            return bytes(view[start:end])

    def offset(self, index: int = 0) -> int:
        """Return the file offset of a byte of the buffer: in a compressed file, that of its member."""
        if self.compression is Compression.PLAIN:
            return self._base + index
        passed = bisect_right(self._positions, self._base + index)
        return self._offsets[passed - 1] if passed else self.source.offset

    def starts_member(self, index: int = 0) -> bool:
        """Return True if a member starts at a byte of the buffer."""
        return self.member_after(index - 1) == index

    def member_after(self, index: int) -> int:
        """Return the index at which the first member after a byte starts, -1 if the buffer has none."""
        passed = bisect_right(self._positions, self._base + index)
        return self._positions[passed] - self._base if passed < len(self._positions) else -1

    @property
    def end_offset(self) -> int:
        """The file offset after the buffer: of the next member, of the end of the file, or of damage."""
        return self._base + len(self.data) if self.compression is Compression.PLAIN else self.source.offset


class _Plain(_Source):
    """A file without compression."""

    def __init__(self, file: BinaryIO, begin: int) -> None:
        super().__init__(file, begin)
        self._offset = begin

    @property
    def offset(self) -> int:
        return self._offset

    def next_chunk(self, wanted: int) -> bytes:
        chunk = self._file.read(max(wanted, READ_BYTES))
        self._offset += len(chunk)
        return chunk


class _Compressed(_Source):
    """The members of a compressed file, one after the other: what all compressions have in common."""

    def __init__(self, file: BinaryIO, begin: int) -> None:
        super().__init__(file, begin)
        self._input = b""  # compressed bytes read from the file
        self._used = 0  # how many of them were decompressed
        self._input_offset = begin  # file offset of the first of them
        self._decoder: Any = None  # decoder of the current member
        self._has_output = False  # whether the decoder holds back output

    @property
    def offset(self) -> int:
        return self._input_offset + self._used

    def next_chunk(self, wanted: int) -> bytes:
        if self.error:
            return b""
        self.new_member = -1
        while True:
            if not self._has_output and not self._fill_input(1):
                self.is_cut = self._decoder is not None
                return b""
            if self._decoder is None:
                self.member_offset = self.offset
                if not self._start_member():
                    return b""
                self.new_member = self.member_offset
                continue
            chunk = self._decompress()
            if chunk or self.error:
                return chunk

    def _fill_input(self, count: int) -> bool:
        """Read until ``count`` compressed bytes are unused; return False if there are fewer."""
        while len(self._input) - self._used < count:
            data = self._file.read(READ_BYTES)
            if not data:
                return False
            self._input_offset += self._used
            self._input = self._input[self._used :] + data
            self._used = 0
        return True

    def _fail(self, error: str) -> bool:
        self.error, self.error_offset = error, self.member_offset
        return False

    def _start_member(self) -> bool:
        """Create the decoder of the member that starts here; return False if none does."""
        raise NotImplementedError

    def _decompress(self) -> bytes:
        """Return the next chunk of the member."""
        raise NotImplementedError


class _Gzip(_Compressed):
    def _start_member(self) -> bool:
        self._fill_input(len(GZIP_MAGIC))
        if not self._input.startswith(GZIP_MAGIC, self._used):
            return self._fail("bytes that are not a gzip member")
        self._decoder = zlib.decompressobj(GZIP_WBITS)
        return True

    def _decompress(self) -> bytes:
        decoder = self._decoder
        compressed = self._input[self._used : self._used + GZIP_STEP_BYTES]
        before = decoder.copy()
        try:
            chunk: bytes = decoder.decompress(compressed, MAX_CHUNK_BYTES)
        except zlib.error as error:
            self._fail(f"damaged gzip ({str(error).partition(': ')[2] or error})")
            return inflate_until_damage(before, compressed)
        self._used += len(compressed) - len(decoder.unused_data if decoder.eof else decoder.unconsumed_tail)
        self._has_output = len(chunk) == MAX_CHUNK_BYTES and not decoder.eof
        if decoder.eof:
            self._decoder = None
        return chunk


def inflate_until_damage(decoder: Any, compressed: bytes | memoryview) -> bytes:
    """Return the bytes that a zlib decoder gives before it fails."""
    output = bytearray()
    try:
        for position in range(len(compressed)):
            output += decoder.decompress(compressed[position : position + 1], MAX_CHUNK_BYTES)
    except zlib.error:
        pass
    return bytes(output)


class _Zstd(_Compressed):
    """Zstandard frames, with the dictionary that the first skippable frame may hold (the .warc.zst format)."""

    def __init__(self, file: BinaryIO, begin: int) -> None:
        super().__init__(file, begin)
        self._decompressor = zstd_decoder(file, begin)

    def _start_member(self) -> bool:
        while self._fill_input(SKIPPABLE_HEAD_BYTES) and SKIPPABLE_MAGIC.match(self._input, self._used):
            if not self._skip_frame():
                return self._fail("a frame that is longer than the file")
            self.member_offset = self.offset
        if not self._fill_input(1):
            return True  # the file ends with skippable frames
        if not self._input.startswith(ZSTD_MAGIC, self._used):
            return self._fail("bytes that are not a Zstandard frame")
        self._decoder = self._decompressor.decompressobj()
        return True

    def _decompress(self) -> bytes:
        import zstandard

        compressed = self._input[self._used : self._used + ZSTD_STEP_BYTES]
        try:
            chunk: bytes = self._decoder.decompress(compressed)
        except zstandard.ZstdError as error:
            self._fail(f"damaged Zstandard ({error})")
            return b""
        self._used += len(compressed)
        if self._decoder.eof:
            self._used -= len(self._decoder.unused_data)
            self._decoder = None
        return chunk

    def _skip_frame(self) -> bool:
        """Skip a skippable frame; return False if the file ends within it."""
        size = int.from_bytes(self._input[self._used + 4 : self._used + SKIPPABLE_HEAD_BYTES], "little")
        self._used += SKIPPABLE_HEAD_BYTES
        while size and self._fill_input(1):
            skipped = min(size, len(self._input) - self._used)
            self._used, size = self._used + skipped, size - skipped
        return not size


def zstd_decoder(file: BinaryIO, begin: int) -> Any:
    """Return a decompressor with the dictionary of the file, if it has one, and move the file to ``begin``.

    A damaged dictionary is ignored; the frames that need it are then reported as damaged.
    """
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("zstandard", "census") from None
    decoder = zstandard.ZstdDecompressor()
    try:
        file.seek(0)
        head = file.read(SKIPPABLE_HEAD_BYTES)
        size = int.from_bytes(head[4:], "little")
        if head.startswith(DICTIONARY_MAGIC) and size <= MAX_DICTIONARY_BYTES:
            raw = file.read(size)
            if raw.startswith(ZSTD_MAGIC):
                raw = decoder.stream_reader(raw).read(MAX_DICTIONARY_BYTES)
            decoder = zstandard.ZstdDecompressor(dict_data=zstandard.ZstdCompressionDict(raw))
    except (zstandard.ZstdError, ValueError, OSError):
        pass
    file.seek(begin)
    return decoder


SOURCES: dict[Compression, Callable[[BinaryIO, int], _Source]] = {
    Compression.PLAIN: _Plain,
    Compression.GZIP: _Gzip,
    Compression.ZSTD: _Zstd,
}
