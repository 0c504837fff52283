"""Long texts in codings by table: the longest sequence that fits, found for all places of a stretch at once.

``tables.Sequences.decode`` reads the same with a regular expression, and is what short texts are read by.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.encodings import tables

__all__ = ["decode"]

STRETCH = 1 << 14  # bytes read at a time

Bytes = NDArray[np.uint8]
Ints = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Automaton:
    """Sequences as a tree. By node and byte: the node that it leads to and the sequence that ends with it, nought for none
    (NUL stands for itself); what each sequence stands for lies in one row of code points."""

    step: Ints
    ends: Ints
    begin: Ints
    size: Ints
    points: Ints
    longest: int


def decode(raw: bytes, name: str) -> Iterator[str]:
    """The text bit by bit."""
    table = _automaton(name)
    at = 0
    while at < len(raw):
        part = raw[at : at + STRETCH + table.longest]
        points, used = _read(np.frombuffer(part, np.uint8), table, at + len(part) == len(raw))
        yield points.astype("<u4").tobytes().decode("utf-32-le")
        at += used


def _read(data: Bytes, table: Automaton, last: bool) -> tuple[Ints, int]:
    """Code points, and how many bytes they took: in a stretch that is not the last, a sequence at the end may be cut."""
    sequence, size = _match(data, table)
    at = _begins(size)
    used = len(data)
    if not last:
        whole = int(np.searchsorted(at, STRETCH, "right")) - 1
        at, used = at[:whole], int(at[whole])
    found = sequence.take(at)
    counts = table.size.take(found)
    begin = table.begin.take(found)
    ends = np.cumsum(counts)
    if not len(ends) or ends[-1] == len(ends):
        return table.points.take(begin), used
    points = np.empty(int(ends[-1]), np.int32)
    first = ends - counts
    points[first] = table.points.take(begin)
    for i in range(1, int(counts.max())):
        more = np.flatnonzero(counts > i)
        points[first.take(more) + i] = table.points.take(begin.take(more) + i)
    return points, used


def _match(data: Bytes, table: Automaton) -> tuple[Ints, Ints]:
    """The longest sequence that begins with each byte, and its size."""
    sequence, size = table.ends.take(data), np.ones(len(data), np.int32)
    node = table.step.take(data)
    at = np.flatnonzero(node)
    node = node[at]
    for depth in range(1, table.longest):
        inside = int(np.searchsorted(at, len(data) - depth))
        at, node = at[:inside], node[:inside]
        place = node << 8 | data.take(at + depth)
        found = table.ends.take(place)
        ends = np.flatnonzero(found)
        sequence[at[ends]] = found[ends]
        size[at[ends]] = depth + 1
        node = table.step.take(place)
        on = np.flatnonzero(node)
        at, node = at[on], node[on]
    return sequence, size


def _begins(size: Ints) -> Ints:
    """The bytes that are reached from the first by going on by sizes. Each round knows those of twice as many steps."""
    end = len(size)
    jump = np.append(np.minimum(np.arange(end, dtype=np.int32) + size, end), np.int32(end))
    places = np.zeros(1, np.int32)
    while places[-1] < end:
        places = np.append(places, jump.take(places))
        jump = jump.take(jump)
    return places[: np.searchsorted(places, end)]


@cache
def _automaton(name: str) -> Automaton:
    units = {chr(byte): chr(byte) for byte in range(0x100)} | tables.load(name).units
    nodes = {"": 0}
    for source in units:
        for size in range(1, len(source)):
            nodes.setdefault(source[:size], len(nodes))
    step, ends = np.zeros((len(nodes), 0x100), np.int32), np.zeros((len(nodes), 0x100), np.int32)
    for path, node in nodes.items():
        if path:
            step[nodes[path[:-1]], ord(path[-1])] = node
    for number, source in enumerate(units):
        ends[nodes[source[:-1]], ord(source[-1])] = number
    sizes = np.array([len(target) for target in units.values()], np.int32)
    points = np.array([ord(char) for target in units.values() for char in target], np.int32)
    return Automaton(
        step.ravel(), ends.ravel(), np.cumsum(sizes) - sizes, sizes, points, max(len(source) for source in units)
    )
