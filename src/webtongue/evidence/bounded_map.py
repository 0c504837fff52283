"""A bounded map whose contents do not depend on insertion order."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Generic, TypeVar

__all__ = ["BoundedMap"]

Value = TypeVar("Value")


class BoundedMap(Generic[Value]):
    """The values of the ``max_size`` keys with the lowest hashes of all keys seen so far.

    The highest hash in a full map never rises, so that a key that is in the map at the end has been in it since it was first added.
    Therefore the contents are the same for every insertion order.

    >>> forward, backward = BoundedMap(2), BoundedMap(2)
    >>> for key in ("a", "b", "c", "d"): _ = forward.get_or_add(key, lambda: key)
    >>> for key in ("d", "b", "c", "a"): _ = backward.get_or_add(key, lambda: key)
    >>> list(forward.values()) == list(backward.values()), len(forward)
    (True, 2)
    """

    __slots__ = ("_heap", "_max_size", "_values")

    def __init__(self, max_size: int) -> None:
        self._max_size = max_size
        self._values: dict[int, Value] = {}  # by hash, since keys may be of any length
        self._heap: list[int] = []  # negated hashes: the highest hash comes first

    def get_or_add(self, key: str, make: Callable[[], Value]) -> Value | None:
        """Return the value of a key, created by ``make`` if the key is new; None if its hash is too high for the map."""
        number = _hash(key)
        value = self._values.get(number)
        if value is not None:
            return value
        if len(self._values) < self._max_size:
            heapq.heappush(self._heap, -number)
        elif -number > self._heap[0]:
            del self._values[-heapq.heapreplace(self._heap, -number)]
        else:
            return None
        value = self._values[number] = make()
        return value

    def replace(self, key: str, value: Value) -> None:
        """Set the value of a key that is in the map."""
        number = _hash(key)
        if number in self._values:
            self._values[number] = value

    def values(self) -> Iterator[Value]:
        """Yield values in the order of their hashes, so that sums over them are the same bit for bit."""
        return (self._values[number] for number in sorted(self._values))

    def __len__(self) -> int:
        return len(self._values)


def _hash(key: str) -> int:
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
