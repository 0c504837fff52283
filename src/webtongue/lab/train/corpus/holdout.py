"""Select the lines that training leaves out, so that benchmarks can use the sources of the training corpus."""

from __future__ import annotations

import hashlib

__all__ = ["is_held_out"]

# 2% of the lines: enough for a million snippets, and too little to weaken the model of a language.
PARTITIONS = 50
HELD_OUT_PARTITION = 7


def is_held_out(line: str) -> bool:
    """Return True if a line is reserved for benchmarks. Only its text decides, so that copies in other files are left out too.

    The rule: BLAKE2b of the line in UTF-8, without its line feed, 8 bytes read little-endian, modulo 50, is 7.

    >>> [n for n in range(300) if is_held_out(f"line {n}")]
    [48, 189, 268]
    """
    digest = hashlib.blake2b(line.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") % PARTITIONS == HELD_OUT_PARTITION
