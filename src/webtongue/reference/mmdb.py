"""Read MMDB files: MaxMind's format of networks and their records.

A file has a binary tree of the bits of addresses, a section of records, and metadata behind a marker. A node of the tree has
two numbers: one below the number of nodes is the next node, one that equals it means that nothing is known, and a larger one is
the place of a record. The reader holds the bytes of a file and checks every place, so that a damaged file raises UnreadableFile and
nothing worse.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from typing import Any

from webtongue.errors import UnreadableFile

__all__ = ["MmdbReader"]

MARKER = b"\xab\xcd\xefMaxMind.com"
MAX_METADATA_BYTES = 128 << 10  # the marker is in the last bytes of a file
GAP_BYTES = 16  # zeros between the tree and the records
RECORD_BITS = (24, 28, 32)  # sizes of a number in the tree
IPV4_DEPTH = 96  # a tree of IPv6 has IPv4 addresses below this many zero bits
MAX_VALUES = 10_000  # in one record; those of cities have about a hundred
MAX_NESTING = 32
MAX_CACHED_RECORDS = 1024  # files of countries have a few hundred

# Types of values. Sizes of numbers are those of the data, shorter ones have leading zeros.
POINTER, TEXT, DOUBLE, BYTES, MAP, INT32, ARRAY, BOOLEAN, FLOAT = 1, 2, 3, 4, 7, 8, 11, 14, 15
UNSIGNED = (5, 6, 9, 10)
POINTER_BASES = (0, 2048, 526_336, 0)  # added to pointers of 1, 2, 3 and 4 bytes
SIZE_BASES = (29, 285, 65_821)  # added to sizes of 1, 2 and 3 further bytes


class MmdbReader:
    """The networks of an MMDB file. Immutable and thread-safe.

    ``metadata`` is the file's description of itself, ``ip_version`` is 6 for files with addresses of both kinds.
    """

    def __init__(self, raw: bytes) -> None:
        marker = raw.rfind(MARKER, max(0, len(raw) - MAX_METADATA_BYTES))
        if marker < 0:
            raise UnreadableFile("it has no metadata")
        start = marker + len(MARKER)
        metadata = _Decoder(raw, start, len(raw)).decode(0)
        if not isinstance(metadata, dict):
            raise UnreadableFile("its metadata is not a map")
        self.metadata: dict[str, Any] = metadata
        self.ip_version: int = metadata.get("ip_version", 0)
        self._bits: int = metadata.get("record_size", 0)
        self._node_count: int = metadata.get("node_count", 0)
        if self.ip_version not in (4, 6) or self._bits not in RECORD_BITS or not isinstance(self._node_count, int):
            raise UnreadableFile("its metadata does not describe a tree")
        self._raw = raw
        self._node_bytes = self._bits // 4
        tree_bytes = self._node_count * self._node_bytes
        if not 0 < tree_bytes <= marker - GAP_BYTES:
            raise UnreadableFile("its tree is larger than the file")
        records = _Decoder(raw, tree_bytes + GAP_BYTES, marker)
        self._record = lru_cache(maxsize=MAX_CACHED_RECORDS)(records.decode)
        self._ipv4_root = self._descend(0, 0, 0, IPV4_DEPTH) if self.ip_version == 6 else (0, 0)

    def find(self, address: IPv4Address | IPv6Address) -> tuple[Any, int]:
        """Return the record of an address, None if there is none, and the length of the network's prefix in bits."""
        node, depth = self._ipv4_root if address.version == 4 else (0, 0)
        above = IPV4_DEPTH if address.version == 4 and self.ip_version == 6 else 0  # bits above those of the address
        if address.version == 6 and self.ip_version == 4:
            raise UnreadableFile("the file has no addresses of IPv6")
        if node < self._node_count and depth == above:
            node, depth = self._descend(node, int(address), depth, above + address.max_prefixlen)
        return self._value(node), max(depth - above, 0)

    def ipv4_networks(self) -> Iterator[tuple[int, int, Any]]:
        """Yield the first address, the number of addresses and the record of each IPv4 network, in the order of addresses."""
        root, depth = self._ipv4_root
        if depth not in (0, IPV4_DEPTH):  # one record for all addresses
            root = self._node_count
        pending = [(root, 0, 32)]
        while pending:
            node, first, free_bits = pending.pop()
            if node >= self._node_count:
                record = self._value(node)
                if record is not None:
                    yield first, 1 << free_bits, record
            elif free_bits:
                half = 1 << (free_bits - 1)
                pending += [(self._child(node, 1), first + half, free_bits - 1)]
                pending += [(self._child(node, 0), first, free_bits - 1)]

    def _descend(self, node: int, bits: int, depth: int, end: int) -> tuple[int, int]:
        """Follow the lowest ``end - depth`` bits of an address from a node; return where they end and at which depth."""
        while depth < end and node < self._node_count:
            node = self._child(node, bits >> (end - 1 - depth) & 1)
            depth += 1
        return node, depth

    def _child(self, node: int, bit: int) -> int:
        raw, start = self._raw, node * self._node_bytes
        if self._bits == 28:  # the byte in the middle has the upper four bits of both numbers
            middle = raw[start + 3]
            upper: int = middle & 0x0F if bit else middle >> 4
            return upper << 24 | int.from_bytes(raw[start + 4 * bit : start + 4 * bit + 3], "big")
        half = self._node_bytes // 2
        start += half * bit
        return int.from_bytes(raw[start : start + half], "big")

    def _value(self, node: int) -> Any:
        """Return the record that a number of the tree stands for; None if nothing is known, or for a tree without an end."""
        return self._record(node - self._node_count - GAP_BYTES) if node > self._node_count else None


class _Decoder:
    """The values in a section of a file."""

    def __init__(self, raw: bytes, start: int, end: int) -> None:
        self._raw, self._start, self._end = raw, start, end

    def decode(self, offset: int) -> Any:
        """Return the value at an offset in the section."""
        value, _, _ = self._decode(self._start + offset, MAX_VALUES, 0)
        return value

    def _take(self, place: int, size: int) -> bytes:
        if not self._start <= place <= place + size <= self._end:
            raise UnreadableFile("a value is outside of its section")
        return self._raw[place : place + size]

    def _decode(self, place: int, budget: int, nesting: int) -> tuple[Any, int, int]:
        """Return the value at a place, the place behind it, and how many further values may be read."""
        if budget <= 0 or nesting > MAX_NESTING:
            raise UnreadableFile("a record is too large or nested too deeply")
        control = self._take(place, 1)[0]
        kind, place = control >> 5, place + 1
        if kind == POINTER:
            return self._follow(control, place, budget, nesting)
        if kind == 0:
            kind, place = 7 + self._take(place, 1)[0], place + 1
        size, place = self._size(control & 0x1F, place)
        if kind in (MAP, ARRAY):
            return self._decode_items(kind, size, place, budget - 1, nesting + 1)
        if kind == BOOLEAN:
            return size != 0, place, budget - 1
        return _scalar(kind, self._take(place, size)), place + size, budget - 1

    def _size(self, size: int, place: int) -> tuple[int, int]:
        further = max(size - 28, 0)
        if not further:
            return size, place
        return SIZE_BASES[further - 1] + int.from_bytes(self._take(place, further), "big"), place + further

    def _follow(self, control: int, place: int, budget: int, nesting: int) -> tuple[Any, int, int]:
        length = (control >> 3 & 3) + 1
        low = int.from_bytes(self._take(place, length), "big")
        high = (control & 7) << 8 * length if length < 4 else 0
        target = self._start + POINTER_BASES[length - 1] + high + low
        value, _, budget = self._decode(target, budget - 1, nesting + 1)
        return value, place + length, budget

    def _decode_items(self, kind: int, size: int, place: int, budget: int, nesting: int) -> tuple[Any, int, int]:
        items = []
        for _ in range(size * 2 if kind == MAP else size):
            item, place, budget = self._decode(place, budget, nesting)
            items.append(item)
        if kind == ARRAY:
            return items, place, budget
        if not all(isinstance(key, str) for key in items[::2]):
            raise UnreadableFile("a key is not text")
        return dict(zip(items[::2], items[1::2], strict=True)), place, budget


def _scalar(kind: int, data: bytes) -> Any:
    """Return a value without parts."""
    if kind in UNSIGNED:
        return int.from_bytes(data, "big")
    if kind == TEXT:
        return data.decode("utf-8", "replace")
    if kind == BYTES:
        return data
    if kind == INT32:
        return int.from_bytes(data, "big", signed=len(data) == 4)
    if (kind, len(data)) in ((DOUBLE, 8), (FLOAT, 4)):
        return struct.unpack(">d" if kind == DOUBLE else ">f", data)[0]
    raise UnreadableFile(f"a value has the unknown type {kind} or a wrong size")
