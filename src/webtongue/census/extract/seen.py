"""What was seen before, in a table of fixed size."""

from __future__ import annotations

import hashlib
from array import array

__all__ = ["Seen", "folded", "hash_of"]

WAYS = 4  # places that a hash may be in: with so few, the oldest of them is soon found


def folded(text: str) -> str:
    """Text for comparison: every run of white space is one space.

    >>> folded("  Góðan \\n\\tdag ")
    'Góðan dag'
    """
    return " ".join(text.split())


def hash_of(text: str, *beside: str) -> int:
    """64 bits of a text, and of what it is seen beside: the same on every machine and in every run."""
    whole = "\0".join((*beside, text)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(whole, digest_size=8).digest(), "little")


class Seen:
    """Remembers the hashes that it was shown last, eight bytes each: as many as there are places, whatever the input.

    What it forgets seems new again; what is new never seems old, but for one chance in two to the power of 64.

    >>> seen = Seen(10)
    >>> seen.add(7), seen.add(7), seen.add(8)
    (False, True, False)
    """

    def __init__(self, bits: int) -> None:
        self._table = array("Q", bytes(8 << bits))
        self._last = (1 << bits) - WAYS  # where the last bucket begins: its bits choose one

    def add(self, number: int) -> bool:
        """Whether a hash was there; it is now."""
        number = number or 1  # nought is an empty place
        table, at = self._table, number & self._last
        for place in range(at, at + WAYS):
            if table[place] == number:
                return True
        table[at + 1 : at + WAYS] = table[at : at + WAYS - 1]  # the oldest goes
        table[at] = number
        return False
