"""Join chunks of bytes with little memory."""

from __future__ import annotations

import mmap
from collections.abc import Iterable

__all__ = ["join_chunks"]

MIN_MAPPED_BYTES = 1 << 20


def join_chunks(chunks: Iterable[bytes], max_bytes: int) -> bytes:
    """Return the chunks joined, which have at most ``max_bytes`` together.

    A growing heap buffer is moved many times and leaves holes, up to twice the memory. A mapped buffer occupies only what is
    written to it and is returned to the system as a whole.

    >>> join_chunks([b"ab", b"c"], 3)
    b'abc'
    """
    if max_bytes < MIN_MAPPED_BYTES:
        return b"".join(chunks)
    with mmap.mmap(-1, max_bytes) as buffer:
        for chunk in chunks:
            buffer.write(chunk)
        return buffer[: buffer.tell()]
