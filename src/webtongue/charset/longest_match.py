"""Decode long texts in encodings by table: the longest match at all positions of a chunk at once.

``tables.SequenceTable.decode`` does the same with a regular expression, which is faster for short texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.charset import tables
from webtongue.records import dataclass

__all__ = ["decode"]

CHUNK_BYTES = 1 << 14

Bytes = NDArray[np.uint8]
Ints = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Trie:
    """Sequences as a prefix tree.

    ``children`` and ``sequences`` have, by node and byte, the next node and the sequence that ends there; 0 is none, and NUL
    decodes to itself. The code points of sequence i are ``points[starts[i] : starts[i] + sizes[i]]``.
    """

    children: Ints
    sequences: Ints
    starts: Ints
    sizes: Ints
    points: Ints
    max_bytes: int


def decode(raw: bytes, name: str) -> Iterator[str]:
    """Yield the decoded text in chunks."""
    trie = _trie(name)
    at = 0
    while at < len(raw):
        chunk = raw[at : at + CHUNK_BYTES + trie.max_bytes]
        points, used = _decode_chunk(np.frombuffer(chunk, np.uint8), trie, at + len(chunk) == len(raw))
        yield points.astype("<u4").tobytes().decode("utf-32-le")
        at += used


def _decode_chunk(data: Bytes, trie: Trie, is_last: bool) -> tuple[Ints, int]:
    """Return code points and the number of bytes used; a chunk that is not the last may end inside a sequence."""
    sequence, size = _match(data, trie)
    at = _starts(size)
    used = len(data)
    if not is_last:
        whole = int(np.searchsorted(at, CHUNK_BYTES, "right")) - 1
        at, used = at[:whole], int(at[whole])
    matched = sequence.take(at)
    counts = trie.sizes.take(matched)
    starts = trie.starts.take(matched)
    ends = np.cumsum(counts)
    if not len(ends) or ends[-1] == len(ends):
        return trie.points.take(starts), used
    points = np.empty(int(ends[-1]), np.int32)
    first = ends - counts
    points[first] = trie.points.take(starts)
    for i in range(1, int(counts.max())):
        longer = np.flatnonzero(counts > i)
        points[first.take(longer) + i] = trie.points.take(starts.take(longer) + i)
    return points, used


def _match(data: Bytes, trie: Trie) -> tuple[Ints, Ints]:
    """Return the longest sequence that starts at each byte, and its size."""
    sequence, size = trie.sequences.take(data), np.ones(len(data), np.int32)
    node = trie.children.take(data)
    at = np.flatnonzero(node)
    node = node[at]
    for depth in range(1, trie.max_bytes):
        inside = int(np.searchsorted(at, len(data) - depth))
        at, node = at[:inside], node[:inside]
        key = node << 8 | data.take(at + depth)
        matched = trie.sequences.take(key)
        ends = np.flatnonzero(matched)
        sequence[at[ends]] = matched[ends]
        size[at[ends]] = depth + 1
        node = trie.children.take(key)
        deeper = np.flatnonzero(node)
        at, node = at[deeper], node[deeper]
    return sequence, size


def _starts(size: Ints) -> Ints:
    """Return the bytes that are reached from the first by steps of these sizes; each round doubles the known steps."""
    end = len(size)
    jump = np.append(np.minimum(np.arange(end, dtype=np.int32) + size, end), np.int32(end))
    starts = np.zeros(1, np.int32)
    while starts[-1] < end:
        starts = np.append(starts, jump.take(starts))
        jump = jump.take(jump)
    return starts[: np.searchsorted(starts, end)]


@cache
def _trie(name: str) -> Trie:
    decode_map = {chr(byte): chr(byte) for byte in range(0x100)} | tables.load(name).decode_map
    nodes = {"": 0}
    for source in decode_map:
        for size in range(1, len(source)):
            nodes.setdefault(source[:size], len(nodes))
    children, sequences = (np.zeros((len(nodes), 0x100), np.int32) for _ in range(2))
    for path, node in nodes.items():
        if path:
            children[nodes[path[:-1]], ord(path[-1])] = node
    for number, source in enumerate(decode_map):
        sequences[nodes[source[:-1]], ord(source[-1])] = number
    sizes = np.array([len(target) for target in decode_map.values()], np.int32)
    points = np.array([ord(char) for target in decode_map.values() for char in target], np.int32)
    return Trie(children.ravel(), sequences.ravel(), np.cumsum(sizes) - sizes, sizes, points, max(map(len, decode_map)))
