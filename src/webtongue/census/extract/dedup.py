"""Recognise repeated texts with a hash table of fixed size."""

from __future__ import annotations

import hashlib
from array import array

__all__ = ["RecentHashes", "hash_text", "normalize_space"]

BUCKET_SLOTS = 4  # slots in which a hash may be stored


def normalize_space(text: str) -> str:
    """Return a text with every run of white space as one space.

    >>> normalize_space("  Góðan \\n\\tdag ")
    'Góðan dag'
    """
    return " ".join(text.split())


def hash_text(text: str, *context: str) -> int:
    """Return a 64-bit hash of a text in a context, such as its host; the same on every machine and in every run."""
    data = "\0".join((*context, text)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


class RecentHashes:
    """A set of the last hashes that were added, with ``2**bits`` slots of eight bytes.

    A forgotten hash appears new again. A new hash never appears old, except with a probability of one in 2**64.

    >>> hashes = RecentHashes(10)
    >>> hashes.add(7), hashes.add(7), hashes.add(8)
    (False, True, False)
    """

    def __init__(self, bits: int) -> None:
        self._table = array("Q", bytes(8 << bits))
        self._bucket_mask = (1 << bits) - BUCKET_SLOTS

    def add(self, number: int) -> bool:
        """Add a hash; return True if it was already in the set."""
        number = number or 1  # 0 marks an empty slot
        table, start = self._table, number & self._bucket_mask
        for slot in range(start, start + BUCKET_SLOTS):
            if table[slot] == number:
                return True
        table[start + 1 : start + BUCKET_SLOTS] = table[start : start + BUCKET_SLOTS - 1]  # the oldest is forgotten
        table[start] = number
        return False
