"""Partition sources into work items: large ones alone, small ones together, always in the same way."""

from __future__ import annotations

from collections.abc import Iterable

from webtongue.census.items import Source, WorkItem

__all__ = ["create_work_items"]

# Limits of an item: large enough that starting one costs nothing, small enough that a crash loses little.
MAX_ITEM_BYTES, MAX_ITEM_FILES = 1 << 26, 2000
# Small inputs are divided into smaller items, down to these limits, so that all cores have work.
MIN_ITEM_BYTES, MIN_ITEM_FILES = 1 << 22, 64
MIN_ITEMS = 32  # items that inputs should be divided into
SMALL_KINDS = frozenset(("page",))  # kinds whose sources are small if their size is unknown
SINGLE_KINDS = frozenset(("folder", "stdin"))  # kinds whose sources are always an item of their own


def create_work_items(sources: Iterable[Source]) -> list[WorkItem]:
    """Return work items, numbered in the order of the inputs.

    A source of unknown size is an item of its own, unless it is a page.
    """
    all_sources = list(sources)
    total_bytes = sum(_size(source) for source in all_sources)
    max_bytes = min(max(total_bytes // MIN_ITEMS, MIN_ITEM_BYTES), MAX_ITEM_BYTES)
    max_files = min(max(len(all_sources) // MIN_ITEMS, MIN_ITEM_FILES), MAX_ITEM_FILES)
    groups: list[list[Source]] = []
    group_bytes = 0
    for source in all_sources:
        size = _size(source)
        is_single = size > max_bytes or (not size and source.kind not in SMALL_KINDS) or source.kind in SINGLE_KINDS
        is_full = not groups or group_bytes + size > max_bytes or len(groups[-1]) == max_files
        if is_single or is_full:
            groups.append([])
            group_bytes = 0
        groups[-1].append(source)
        group_bytes = max_bytes + 1 if is_single else group_bytes + size
    return [WorkItem(number, tuple(group)) for number, group in enumerate(groups)]


def _size(source: Source) -> int:
    return source.end - source.begin if source.end else source.size
