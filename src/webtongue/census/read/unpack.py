"""The unpacked bytes of an archive, and where in the file they came from: plain, gzip and Zstandard, one member or many.

Archives are packed a record a member, so that each can be reached by its offset; some are packed as a whole, and all of them
may be damaged. Whoever reads asks for bytes, sees where members begin, and learns of damage by ``fault``. What is held
of a file is bounded by what is asked for, whatever a member unpacks to.
"""

from __future__ import annotations

import re
import zlib
from bisect import bisect_right
from collections.abc import Callable
from enum import StrEnum
from typing import Any, BinaryIO, Protocol

from webtongue.errors import MissingExtra

__all__ = ["GZIP_WINDOW", "ZSTD_MAGIC", "Packing", "Unpacked", "packing_of", "salvaged", "zstd_decoder"]

CHUNK = 1 << 16  # bytes read of a file at a time
STEP = 1 << 14  # packed bytes given to zlib at a time: what follows the end of a member is copied
MOST_OUT = 1 << 20  # bytes that zlib may return at a time
# Packed bytes given to Zstandard at a time: its blocks of 128 KB may have 4 bytes each, so this unpacks to 64 MB at worst.
ZSTD_STEP = 1 << 11
FORGOTTEN = 1 << 10  # members that were passed, before they are forgotten
LARGEST_DICTIONARY = 1 << 24  # bytes; tools make them of 100 KB
GZIP_MAGIC, ZSTD_MAGIC = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
DICTIONARY = b"\x5d\x2a\x4d\x18"  # the skippable frame that holds one, first in a .warc.zst
SKIP_HEAD = 8  # bytes of magic and size before what is skipped
GZIP_WINDOW = 31  # tells zlib to expect gzip


class Packing(StrEnum):
    """How the bytes of a file are packed."""

    PLAIN = "plain"
    GZIP = "gzip"
    ZSTD = "zstd"


def packing_of(head: bytes) -> Packing:
    """By the first bytes of a file, whatever its name."""
    if head.startswith(GZIP_MAGIC):
        return Packing.GZIP
    return Packing.ZSTD if head.startswith(ZSTD_MAGIC) or SKIPPABLE.match(head) else Packing.PLAIN


class _Tap(Protocol):
    """Gives unpacked bytes, a piece at a time, none of two members."""

    fault: str  # why no more comes; empty at the end of the file
    fault_at: int  # in the file, of the member that is damaged
    cut: bool  # the file ends within a member
    started: int  # offset of the member that is read
    began: int  # offset of the member that the last piece began, -1 where it continued one

    @property
    def offset(self) -> int:
        """Of the first byte of the file that was not used yet."""

    def pull(self, want: int) -> bytes:
        """The next piece, empty at the end."""


class Unpacked:
    """Unpacked bytes from an offset of a file on. ``data`` is what is held of them, and grows and shrinks at will."""

    __slots__ = ("_base", "_offsets", "_places", "_tap", "data", "packing")

    def __init__(self, file: BinaryIO, packing: Packing, begin: int = 0) -> None:
        file.seek(begin)
        self.data = bytearray()
        self.packing = packing
        self._base = begin if packing is Packing.PLAIN else 0  # unpacked position of data[0]
        self._places: list[int] = []  # where members begin, in unpacked bytes
        self._offsets: list[int] = []  # and in the file
        self._tap: _Tap = TAPS[packing](file, begin)

    def have(self, count: int) -> bool:
        """Whether so many bytes are there, after reading as far as needed."""
        data, tap = self.data, self._tap
        while len(data) < count:
            piece = tap.pull(count - len(data))
            if not piece:
                return False
            if tap.began >= 0:
                self._places.append(self._base + len(data))
                self._offsets.append(tap.began)
            data += piece
        return True

    def drop(self, count: int) -> None:
        """Go on by so many bytes, which are there."""
        del self.data[:count]
        self._base += count
        passed = bisect_right(self._places, self._base) - 1
        if passed > FORGOTTEN:  # not every time: to move a list takes as long as it is
            del self._places[:passed]
            del self._offsets[:passed]

    def copied(self, start: int, end: int) -> bytes:
        """Some of the bytes held."""
        with memoryview(self.data) as view:
            return bytes(view[start:end])

    def offset(self, index: int = 0) -> int:
        """Where in the file a byte held is stored: the offset of its member, unless the file is plain."""
        if self.packing is Packing.PLAIN:
            return self._base + index
        passed = bisect_right(self._places, self._base + index)
        return self._offsets[passed - 1] if passed else self._tap.offset

    def begins(self, index: int = 0) -> bool:
        """Whether a member begins at this byte."""
        return self.member_after(index - 1) == index

    def member_after(self, index: int) -> int:
        """Where the next member begins after a byte, among those held; -1 where none does."""
        passed = bisect_right(self._places, self._base + index)
        return self._places[passed] - self._base if passed < len(self._places) else -1

    @property
    def end(self) -> int:
        """The offset of what follows the bytes held: of the next member, of the end of the file, or of damage."""
        return self._base + len(self.data) if self.packing is Packing.PLAIN else self._tap.offset

    @property
    def fault(self) -> str:
        """Why nothing follows the bytes held; empty at the end of the file, and as long as more comes."""
        return self._tap.fault

    @property
    def fault_at(self) -> int:
        """Where the damaged member begins."""
        return self._tap.fault_at

    @property
    def cut(self) -> bool:
        """Whether the file ends within a member."""
        return self._tap.cut

    @property
    def member(self) -> int:
        """Where the member begins that was read last."""
        return self._tap.started


class _Plain:
    """A file as it is."""

    __slots__ = ("_file", "_offset", "began", "cut", "fault", "fault_at", "started")

    def __init__(self, file: BinaryIO, begin: int) -> None:
        self._file, self._offset, self.started = file, begin, begin
        self.fault, self.fault_at, self.cut, self.began = "", 0, False, -1

    @property
    def offset(self) -> int:
        return self._offset

    def pull(self, want: int) -> bytes:
        piece = self._file.read(max(want, CHUNK))
        self._offset += len(piece)
        return piece


class _Packed:
    """Members of a packed file, one after the other: the part that is alike for all packings."""

    __slots__ = (
        "_at",
        "_decoder",
        "_file",
        "_input",
        "_more",
        "_origin",
        "began",
        "cut",
        "fault",
        "fault_at",
        "started",
    )

    def __init__(self, file: BinaryIO, begin: int) -> None:
        self._file = file
        self._input = b""  # as read of the file
        self._at = 0  # how much of it was used
        self._origin = begin  # offset of its first byte
        self._decoder: Any = None  # of the member that is being read
        self._more = False  # it holds back unpacked bytes
        self.started = begin
        self.fault, self.fault_at, self.cut, self.began = "", 0, False, -1

    @property
    def offset(self) -> int:
        return self._origin + self._at

    def pull(self, want: int) -> bytes:
        if self.fault:
            return b""
        self.began = -1
        while True:
            if not self._more and not self._there(1):
                self.cut = self._decoder is not None
                return b""
            if self._decoder is None:
                self.started = self.offset
                if not self._begin():
                    return b""
                self.began = self.started
                continue
            piece = self._unpack()
            if piece or self.fault:
                return piece

    def _there(self, count: int) -> bool:
        """Whether so many bytes of the file wait to be unpacked, after reading if there are fewer."""
        while len(self._input) - self._at < count:
            read = self._file.read(CHUNK)
            if not read:
                return False
            self._origin += self._at
            self._input = self._input[self._at :] + read
            self._at = 0
        return True

    def _failed(self, why: str) -> bool:
        self.fault, self.fault_at = why, self.started
        return False

    def _begin(self) -> bool:
        """Make ready for the member that begins here, if one does."""
        raise NotImplementedError

    def _unpack(self) -> bytes:
        """The next piece of the member."""
        raise NotImplementedError


class _Gzip(_Packed):
    __slots__ = ()

    def _begin(self) -> bool:
        self._there(len(GZIP_MAGIC))
        if not self._input.startswith(GZIP_MAGIC, self._at):
            return self._failed("bytes that are no gzip member")
        self._decoder = zlib.decompressobj(GZIP_WINDOW)
        return True

    def _unpack(self) -> bytes:
        inflate = self._decoder
        packed = self._input[self._at : self._at + STEP]
        before = inflate.copy()
        try:
            out: bytes = inflate.decompress(packed, MOST_OUT)
        except zlib.error as error:
            self._failed(f"damaged gzip ({str(error).partition(': ')[2] or error})")
            return salvaged(before, packed)
        self._at += len(packed) - len(inflate.unused_data if inflate.eof else inflate.unconsumed_tail)
        self._more = len(out) == MOST_OUT and not inflate.eof
        if inflate.eof:
            self._decoder = None
        return out


def salvaged(inflate: Any, packed: bytes | memoryview) -> bytes:
    """What comes out before the damage."""
    out = bytearray()
    try:
        for at in range(len(packed)):
            out += inflate.decompress(packed[at : at + 1], MOST_OUT)
    except zlib.error:
        pass
    return bytes(out)


class _Zstd(_Packed):
    """Frames, with the dictionary that a first skippable frame may hold (the format of .warc.zst)."""

    __slots__ = ("_unzstd",)

    def __init__(self, file: BinaryIO, begin: int) -> None:
        super().__init__(file, begin)
        self._unzstd = zstd_decoder(file, begin)

    def _begin(self) -> bool:
        while self._there(SKIP_HEAD) and SKIPPABLE.match(self._input, self._at):
            if not self._skip():
                return self._failed("a frame that is longer than the file")
            self.started = self.offset
        if not self._there(1):
            return True  # only frames to be skipped were left
        if not self._input.startswith(ZSTD_MAGIC, self._at):
            return self._failed("bytes that are no Zstandard frame")
        self._decoder = self._unzstd.decompressobj()
        return True

    def _unpack(self) -> bytes:
        import zstandard

        packed = self._input[self._at : self._at + ZSTD_STEP]
        try:
            out: bytes = self._decoder.decompress(packed)
        except zstandard.ZstdError as error:
            self._failed(f"damaged Zstandard ({error})")
            return b""
        self._at += len(packed)
        if self._decoder.eof:
            self._at -= len(self._decoder.unused_data)
            self._decoder = None
        return out

    def _skip(self) -> bool:
        """Pass over a skippable frame."""
        size = int.from_bytes(self._input[self._at + 4 : self._at + SKIP_HEAD], "little")
        self._at += SKIP_HEAD
        while size and self._there(1):
            passed = min(size, len(self._input) - self._at)
            self._at, size = self._at + passed, size - passed
        return not size


def zstd_decoder(file: BinaryIO, begin: int) -> Any:
    """A decoder with the dictionary of the file, if it has one; the file is left where reading is to begin.

    A damaged dictionary is none: then the frames that need it are damaged too, and said to be.
    """
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("zstandard", "census") from None
    decoder = zstandard.ZstdDecompressor()
    try:
        file.seek(0)
        head = file.read(SKIP_HEAD)
        size = int.from_bytes(head[4:], "little")
        if head.startswith(DICTIONARY) and size <= LARGEST_DICTIONARY:
            raw = file.read(size)
            if raw.startswith(ZSTD_MAGIC):
                raw = decoder.stream_reader(raw).read(LARGEST_DICTIONARY)
            decoder = zstandard.ZstdDecompressor(dict_data=zstandard.ZstdCompressionDict(raw))
    except (zstandard.ZstdError, ValueError, OSError):
        pass
    file.seek(begin)
    return decoder


TAPS: dict[Packing, Callable[[BinaryIO, int], _Tap]] = {
    Packing.PLAIN: _Plain,
    Packing.GZIP: _Gzip,
    Packing.ZSTD: _Zstd,
}
