"""Search for the next member of a compressed archive: to continue after damage, and to start reading within a file."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from typing import BinaryIO

from webtongue.census.read.decompress import GZIP_WBITS, ZSTD_MAGIC, Compression, inflate_until_damage, zstd_decoder

__all__ = ["find_member"]

WINDOW_BYTES = 1 << 19  # bytes of a file searched at a time
# Compressed bytes of a member that suffice to see how it starts. Zstandard decompresses whole blocks, of at most 128 KB.
PROBE_BYTES = {Compression.GZIP: 1 << 12, Compression.ZSTD: (1 << 17) + 64}
MAX_START_BYTES = 1 << 14  # decompressed bytes of a member that are looked at
MAX_MAGIC_BYTES = 10
FIRST_STEP_BYTES, STEP_BYTES = 1 << 5, 1 << 9  # compressed bytes that are decompressed at a time
# Three flags of gzip are reserved, and its tenth byte is one of fourteen systems, or 255 for an unknown one (RFC 1952).
MAGIC = {
    Compression.GZIP: re.compile(rb"\x1f\x8b\x08[\x00-\x1f].{5}[\x00-\x0d\xff]", re.DOTALL),
    Compression.ZSTD: re.compile(re.escape(ZSTD_MAGIC)),
}


def find_member(file: BinaryIO, compression: Compression, begin: int, accepts: Callable[[bytes], bool]) -> int:
    """Return the offset of the first member from ``begin`` on whose first decompressed bytes are accepted, or -1.

    Compressed bytes may look like the start of another member, so the start of every candidate is decompressed.
    """
    magic, probe_bytes = MAGIC[compression], PROBE_BYTES[compression]
    decompress_start = _start_decoder(file, compression, begin)
    file.seek(begin)
    window, window_offset = b"", begin
    while True:
        data = file.read(WINDOW_BYTES)
        window += data
        position = 0
        while match := magic.search(window, position):
            start = match.start()
            if data and len(window) - start < probe_bytes:
                break  # try again with more of the file
            if accepts(decompress_start(memoryview(window)[start : start + probe_bytes])):
                return window_offset + start
            position = start + 1
        if not data:
            return -1
        keep = match.start() if match else max(position, len(window) - MAX_MAGIC_BYTES + 1)
        window, window_offset = window[keep:], window_offset + keep


def _start_decoder(file: BinaryIO, compression: Compression, begin: int) -> Callable[[memoryview], bytes]:
    """Return a function from the first compressed bytes of a member to its first decompressed ones, empty if it is no member."""
    if compression is Compression.GZIP:
        return _inflate_start
    import zstandard

    decoder = zstd_decoder(file, begin)

    def decompress_start(compressed: memoryview) -> bytes:
        try:
            start: bytes = decoder.stream_reader(compressed).read(MAX_START_BYTES)
        except zstandard.ZstdError:
            return b""
        return start

    return decompress_start


def _inflate_start(compressed: memoryview) -> bytes:
    """Return the first bytes of a gzip member, as many as come before damage: a member that is damaged later still starts here.

    Most candidates are no members and fail within their first bytes, so those are tried first.
    """
    decoder = zlib.decompressobj(GZIP_WBITS)
    try:
        start = decoder.decompress(compressed[:FIRST_STEP_BYTES], MAX_START_BYTES)
    except zlib.error:
        return b""
    for position in range(FIRST_STEP_BYTES, len(compressed), STEP_BYTES):
        if len(start) >= MAX_START_BYTES or decoder.eof:
            break
        before, chunk = decoder.copy(), compressed[position : position + STEP_BYTES]
        try:
            start += decoder.decompress(chunk, MAX_START_BYTES)
        except zlib.error:
            return start + inflate_until_damage(before, chunk)
    return start
