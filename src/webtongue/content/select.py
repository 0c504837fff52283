"""Select the main text of a page: which blocks are what a reader came for, and which are menus, banners, teasers and notices."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Sequence

from webtongue.content.places import Mark, PlacedBlock, noise_bits

__all__ = ["MIN_RUNNING_LETTERS", "count_letters", "data_tables", "select_blocks"]

INVISIBLE_KINDS = frozenset({"alt", "meta"})
MENU_KINDS = frozenset({"navigation", "link", "title"})  # a title repeats the name of the site and the first heading
BANNER_NOISE = noise_bits("notice", "consent")
BOILERPLATE_NOISE = BANNER_NOISE | noise_bits("numbers", "symbols", "common")
AROUND_MARKS = Mark.CHROME | Mark.ASIDE | Mark.HIDDEN
STRUCTURED_MARKS = Mark.QUOTE | Mark.CODE | Mark.TERM | Mark.CAPTION
EAST_ASIAN = re.compile("[\u2e80-\U0010ffff]")
SENTENCE_ENDS = ".!?…。！？؟۔।॥։።;"
CLOSING = "\"'”’»›)]）」』"
MIN_RUNNING_LETTERS = 80  # a shorter line is no running text
MIN_SENTENCE_LETTERS = 15  # a line that ends like a sentence may be this short
MAX_LINE_DISTANCE = 5  # lines between running text and a short line that belongs to it
MIN_MAIN_SHARE = 1 / 3  # share of the running text that must remain when the elements around the main text are removed
LINE_NUMBERS = "0123456789 \n"
MAX_CELL_LETTERS = 240  # a table with larger cells is a layout table


def count_letters(line: str) -> int:
    """Return the length of a line, in which an East Asian character counts as three letters."""
    if line.isascii() or EAST_ASIAN.search(line) is None:
        return len(line)
    return 3 * len(line) - 2 * len(EAST_ASIAN.sub("", line))


def select_blocks(blocks: Sequence[PlacedBlock], boilerplate: bool = False) -> list[PlacedBlock]:
    """Return the blocks of the main text, in order; with ``boilerplate``, all blocks that a page shows.

    Blocks around the main text are removed by their kind, noise and elements. Of the rest, running text stays, and what belongs to
    it: headings before it, sentences near it, and lists, tables and short lines in its containers or near it. A page without
    running text, such as a poem or a list, keeps all blocks that are not around the main text.
    """
    visible = [block for block in blocks if block.kind not in INVISIBLE_KINDS and not block.text.isspace()]
    if boilerplate:
        return visible
    tables = data_tables(visible)
    inner = [block for block in visible if _is_text(block, tables)]
    letters = [count_letters(block.text) for block in inner]
    main = [i for i, block in enumerate(inner) if not _is_around(block)]
    running = sum(count for count in letters if count >= MIN_RUNNING_LETTERS)
    if sum(letters[i] for i in main if letters[i] >= MIN_RUNNING_LETTERS) < MIN_MAIN_SHARE * running:
        main = list(range(len(inner)))  # the page uses such elements for its text
    main = _first_of_each(inner, main, tables)
    if not main:
        return []
    return _near_running_text([inner[i] for i in main], [letters[i] for i in main], tables)


def _first_of_each(blocks: Sequence[PlacedBlock], positions: Sequence[int], tables: Collection[int]) -> list[int]:
    """Return the positions of blocks without those that repeat another; what menus and titles repeat stays, and so do cells."""
    seen: set[str] = set()
    first = []
    for i in positions:
        if blocks[i].table in tables or blocks[i].text not in seen:
            first.append(i)
        seen.add(blocks[i].text)
    return first


def data_tables(blocks: Sequence[PlacedBlock]) -> frozenset[int]:
    """Return the numbers of the tables with data: several columns, and short cells without listings. Other tables are layout."""
    cells: dict[int, dict[tuple[int, int], int]] = defaultdict(lambda: defaultdict(int))
    linked: dict[int, int] = defaultdict(int)
    for block in blocks:
        if block.table:  # few pages have tables
            letters = count_letters(block.text)
            is_listing = block.marks & Mark.CODE and "\n" in block.text
            cells[block.table][block.row, block.column] += letters + is_listing * MAX_CELL_LETTERS
            linked[block.table] += letters * (block.kind in MENU_KINDS)
    return frozenset(
        table
        for table, sizes in cells.items()
        if any(column for _, column in sizes)
        and max(sizes.values()) <= MAX_CELL_LETTERS
        and linked[table] * 2 <= sum(sizes.values())
    )


def _is_text(block: PlacedBlock, tables: Collection[int]) -> bool:
    """Return False for menus, links, controls and noise."""
    if block.kind in ("navigation", "title") or block.marks & Mark.CONTROL:
        return False
    if block.marks & Mark.CODE and block.table and block.table not in tables and not block.text.strip(LINE_NUMBERS):
        return False  # beside a listing
    if block.table in tables:
        return not BANNER_NOISE & block.noise
    return block.kind != "link" and not BOILERPLATE_NOISE & block.noise


def _is_around(block: PlacedBlock) -> bool:
    """Return True for blocks in elements around the main text."""
    marks = block.marks
    return bool(marks & AROUND_MARKS or (marks & Mark.HEADER and not marks & Mark.MAIN and block.kind != "heading"))


def _near_running_text(
    blocks: Sequence[PlacedBlock], letters: Sequence[int], tables: Collection[int]
) -> list[PlacedBlock]:
    """Return running text and the blocks that belong to it; all blocks of a page without running text."""
    running = [i for i, count in enumerate(letters) if count >= MIN_RUNNING_LETTERS]
    if not running:
        return list(blocks)
    containers = {blocks[i].container for i in running}
    keep = [False] * len(blocks)
    next_kept = len(blocks) + MAX_LINE_DISTANCE + 1  # position of the next line that is no heading
    for i in range(len(blocks) - 1, -1, -1):
        block = blocks[i]
        if block.kind == "heading":
            keep[i] = next_kept - i <= MAX_LINE_DISTANCE
            continue
        keep[i] = letters[i] >= MIN_RUNNING_LETTERS or _belongs(block, i, running, containers, tables)
        if keep[i]:
            next_kept = i
    return [block for block, is_kept in zip(blocks, keep, strict=True) if is_kept]


def _belongs(
    block: PlacedBlock, at: int, running: Sequence[int], containers: Collection[int], tables: Collection[int]
) -> bool:
    """Return True for a short block in a container of running text, or one near it with the form of a text."""
    if block.container in containers:
        return True
    is_structured = block.table in tables or block.marks & STRUCTURED_MARKS or block.kind == "item"
    if not (is_structured or _is_sentence(block.text)):
        return False
    after = bisect_left(running, at)
    distance = min(abs(at - running[i]) for i in (after - 1, after) if 0 <= i < len(running))
    return distance <= MAX_LINE_DISTANCE * (3 if block.table in tables else 1)


def _is_sentence(text: str) -> bool:
    """Return True for a line that ends like a sentence."""
    return count_letters(text) >= MIN_SENTENCE_LETTERS and text.rstrip(CLOSING)[-1:] in SENTENCE_ENDS
