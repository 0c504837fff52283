"""A bounded map whose contents do not depend on the order in which things came."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Generic, TypeVar

__all__ = ["Sample"]

Kept = TypeVar("Kept")


class Sample(Generic[Kept]):
    """Values of the ``most`` keys with the lowest hashes of all keys that were seen.

    A key that is kept in the end has been kept from when it first came, since the highest hash that is kept can only fall: so what
    is kept, and all that was ever put into it, is the same in whatever order keys came.

    >>> one, other = Sample(2), Sample(2)
    >>> for key in ("a", "b", "c", "d"): _ = one.at(key, lambda: key)
    >>> for key in ("d", "b", "c", "a"): _ = other.at(key, lambda: key)
    >>> list(one.values()) == list(other.values()), len(one)
    (True, 2)
    """

    __slots__ = ("_heap", "_most", "_values")

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[int, Kept] = {}  # by hash: a key may be as long as it likes
        self._heap: list[int] = []  # hashes with their sign turned: the highest is the first

    def at(self, key: str, make: Callable[[], Kept]) -> Kept | None:
        """The value of a key, made where the key is new; None where its hash is too high to be kept."""
        number = _hash(key)
        found = self._values.get(number)
        if found is not None:
            return found
        if len(self._values) < self._most:
            heapq.heappush(self._heap, -number)
        elif -number > self._heap[0]:
            del self._values[-heapq.heapreplace(self._heap, -number)]
        else:
            return None
        found = self._values[number] = make()
        return found

    def put(self, key: str, value: Kept) -> None:
        """Another value for a key that is kept."""
        number = _hash(key)
        if number in self._values:
            self._values[number] = value

    def values(self) -> Iterator[Kept]:
        """Values in the order of their hashes: sums over them are the same bit for bit."""
        return (self._values[number] for number in sorted(self._values))

    def __len__(self) -> int:
        return len(self._values)


def _hash(key: str) -> int:
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
