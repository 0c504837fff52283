"""Where the next member of a packed archive begins: how reading goes on after damage, and how it begins within a file."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from typing import BinaryIO

from webtongue.census.read.unpack import GZIP_WINDOW, ZSTD_MAGIC, Packing, salvaged, zstd_decoder

__all__ = ["next_member"]

WINDOW = 1 << 19  # bytes of a file searched at a time
# Packed bytes of a member that are enough to see how it begins. Zstandard unpacks whole blocks, of 128 KB at most.
PROBE = {Packing.GZIP: 1 << 12, Packing.ZSTD: (1 << 17) + 64}
ENOUGH = 1 << 14  # unpacked bytes that are looked at
LONGEST_MAGIC = 10  # bytes
FIRST_STEP, STEP = 1 << 5, 1 << 9  # packed bytes that are unpacked at a time
# In gzip some flags are free, and the tenth byte is one of fourteen systems, or 255 for none (RFC 1952).
MAGIC = {
    Packing.GZIP: re.compile(rb"\x1f\x8b\x08[\x00-\x1f].{5}[\x00-\x0d\xff]", re.DOTALL),
    Packing.ZSTD: re.compile(re.escape(ZSTD_MAGIC)),
}


def next_member(file: BinaryIO, packing: Packing, begin: int, fits: Callable[[bytes], bool]) -> int:
    """The offset of the first member at or after an offset whose unpacked bytes begin as they should; -1 where there is none.

    The bytes of a packed member may look like the beginning of another, so each place that does is tried.
    """
    magic, probe = MAGIC[packing], PROBE[packing]
    opening = _opening_of(file, packing, begin)
    file.seek(begin)
    window, origin = b"", begin
    while True:
        read = file.read(WINDOW)
        window += read
        at = 0
        while found := magic.search(window, at):
            if read and len(window) - found.start() < probe:
                break  # look again with more of the file
            if fits(opening(memoryview(window)[found.start() : found.start() + probe])):
                return origin + found.start()
            at = found.start() + 1
        if not read:
            return -1
        keep = found.start() if found else max(at, len(window) - LONGEST_MAGIC + 1)
        window, origin = window[keep:], origin + keep


def _opening_of(file: BinaryIO, packing: Packing, begin: int) -> Callable[[memoryview], bytes]:
    """A function from the first packed bytes of a member to its first unpacked ones, none where it is no member."""
    if packing is Packing.GZIP:
        return _inflated_opening
    import zstandard

    decoder = zstd_decoder(file, begin)

    def opening(packed: memoryview) -> bytes:
        try:
            found: bytes = decoder.stream_reader(packed).read(ENOUGH)
        except zstandard.ZstdError:
            return b""
        return found

    return opening


def _inflated_opening(packed: memoryview) -> bytes:
    """As much as comes out before damage: a member that is damaged later on begins here all the same.

    Most places that look like a member are none, and show it in their first bytes: those are tried first, and alone.
    """
    inflate = zlib.decompressobj(GZIP_WINDOW)
    try:
        out = inflate.decompress(packed[:FIRST_STEP], ENOUGH)
    except zlib.error:
        return b""
    for at in range(FIRST_STEP, len(packed), STEP):
        if len(out) >= ENOUGH or inflate.eof:
            break
        before, piece = inflate.copy(), packed[at : at + STEP]
        try:
            out += inflate.decompress(piece, ENOUGH)
        except zlib.error:
            return out + salvaged(before, piece)
    return out
