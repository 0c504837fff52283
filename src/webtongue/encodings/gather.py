"""Chunks put together without a second copy of them staying behind."""

from __future__ import annotations

import mmap
from collections.abc import Iterable

__all__ = ["gathered"]

MUCH = 1 << 20  # bytes from which on memory is asked of the system


def gathered(chunks: Iterable[bytes], most: int) -> bytes:
    """The chunks in one, which has ``most`` bytes or fewer.

    A buffer that grows is moved again and again and leaves holes that are too small for anything else: twice the memory. One
    that is mapped takes what is written to it, and is given back as a whole.

    >>> gathered([b"ab", b"c"], 3)
    b'abc'
    """
    if most < MUCH:
        return b"".join(chunks)
    with mmap.mmap(-1, most) as room:
        for chunk in chunks:
            room.write(chunk)
        return room[: room.tell()]
