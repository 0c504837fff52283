"""Sources put together to work items: large ones alone, many small ones at a time, always in the same way."""

from __future__ import annotations

from collections.abc import Iterable

from webtongue.census.items import Source, WorkItem

__all__ = ["items_of"]

# What an item has at most: so much that starting one costs nothing, so little that a crash or a kill loses little.
MOST_BYTES, MOST_FILES = 1 << 26, 2000
# Small inputs make smaller items, but no smaller than these: so that all cores have something to do.
FEWEST_BYTES, FEWEST_FILES = 1 << 22, 64
SHARES = 32  # items that inputs should make at least
SMALL = frozenset(("page",))  # kinds that are small where nobody says how large they are


def items_of(sources: Iterable[Source]) -> list[WorkItem]:
    """Work items, numbered in the order of the inputs.

    An address of unknown size is an item of its own, unless it is a page.
    """
    everything = list(sources)
    whole = sum(_size(source) for source in everything)
    bytes_most = min(max(whole // SHARES, FEWEST_BYTES), MOST_BYTES)
    files_most = min(max(len(everything) // SHARES, FEWEST_FILES), MOST_FILES)
    portions: list[list[Source]] = []
    size = 0
    for source in everything:
        own = _size(source)
        alone = own > bytes_most or (not own and source.kind not in SMALL) or source.kind in ("folder", "stdin")
        full = not portions or size + own > bytes_most or len(portions[-1]) == files_most
        if alone or full:
            portions.append([])
            size = 0
        portions[-1].append(source)
        size = bytes_most + 1 if alone else size + own
    return [WorkItem(number, tuple(portion)) for number, portion in enumerate(portions)]


def _size(source: Source) -> int:
    return source.end - source.begin if source.end else source.size
