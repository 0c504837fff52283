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

    A key that is kept in the end has been kept from when it first came, since the highest hash that is kept can only fall: so what is
    kept, and all that was ever put into it, is the same in whatever order keys came.

    >>> one, other = Sample(2), Sample(2)
    >>> for key in ("a", "b", "c", "d"): _ = one.at(key, list)
    >>> for key in ("d", "b", "c", "a"): _ = other.at(key, list)
    >>> sorted(one.keys()) == sorted(other.keys()), len(one)
    (True, 2)
    """

    __slots__ = ("_heap", "_most", "_values")

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[str, Kept] = {}
        self._heap: list[tuple[int, str]] = []  # hashes with their sign turned: the highest is the first

    def at(self, key: str, make: Callable[[], Kept]) -> Kept | None:
        """The value of a key, made where the key is new; None where its hash is too high to be kept."""
        found = self._values.get(key)
        if found is not None:
            return found
        entry = (-_hash(key), key)
        if len(self._values) < self._most:
            heapq.heappush(self._heap, entry)
        elif entry > self._heap[0]:
            _, gone = heapq.heapreplace(self._heap, entry)
            del self._values[gone]
        else:
            return None
        found = self._values[key] = make()
        return found

    def put(self, key: str, value: Kept) -> None:
        """Another value for a key that is kept."""
        if key in self._values:
            self._values[key] = value

    def keys(self) -> Iterator[str]:
        """Keys, in the order of their names."""
        return iter(sorted(self._values))

    def values(self) -> Iterator[Kept]:
        """Values, in the order of their keys' names: sums over them are the same bit for bit."""
        return (self._values[key] for key in sorted(self._values))

    def __len__(self) -> int:
        return len(self._values)


def _hash(key: str) -> int:
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
