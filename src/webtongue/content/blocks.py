"""Content blocks: paragraphs, headings, items, quotations, code and whole tables, and their form as plain text or Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from webtongue.content.places import Mark, PlacedBlock
from webtongue.content.select import data_tables

__all__ = ["ContentBlock", "build_blocks", "join_markdown", "to_markdown"]

MARKDOWN_SPECIAL = re.compile(r"([\\`*_\[\]<>|])")
MARKDOWN_START = re.compile(r"(?=[#+-](?:[#\s]|$)|\d+[.)]\s)")  # a line that would start a heading or a list
LIST_START = re.compile(r" *(?:- |1\. )")
FENCE = "```"


class ContentBlock(NamedTuple):
    """A block of the main text: its kind (paragraph, heading, item, quote, code, table) and its text.

    ``level`` is that of a heading, or the depth of an item. ``rows`` are the cells of a table, whose ``text`` has a line for each
    row and a tab between cells. Other text is one line, except code. ``begin`` and
    ``end`` are offsets in the page's bytes.
    """

    kind: str
    text: str
    level: int = 0
    ordered: bool = False
    rows: tuple[tuple[str, ...], ...] = ()
    begin: int = 0
    end: int = 0


def build_blocks(blocks: Sequence[PlacedBlock]) -> Iterator[ContentBlock]:
    """Yield content blocks for the selected blocks of a page; the cells of a table become one block."""
    tables = data_tables(blocks)
    i = 0
    while i < len(blocks):
        table = blocks[i].table
        if table not in tables:
            yield _build_block(blocks[i])
            i += 1
            continue
        start = i
        while i < len(blocks) and blocks[i].table == table:
            i += 1
        yield _build_table(blocks[start:i])


def _build_block(block: PlacedBlock) -> ContentBlock:
    marks = block.marks
    level, ordered = 0, False
    if block.kind == "heading":
        kind, level = "heading", max(marks & Mark.LEVEL, 1)
    elif marks & Mark.CODE:
        kind = "code"
    elif marks & Mark.QUOTE:
        kind = "quote"
    elif block.kind == "item" or (marks & Mark.LIST and block.kind == "link"):
        kind, level, ordered = "item", 2 if marks & Mark.NESTED else 1, bool(marks & Mark.ORDERED)
    else:
        kind = "paragraph"
    text = block.text if kind == "code" else " ".join(block.text.split())
    return ContentBlock(kind, text, level, ordered, (), block.begin, block.end)


def _build_table(blocks: Sequence[PlacedBlock]) -> ContentBlock:
    cells: dict[int, dict[int, str]] = {}
    for block in blocks:
        row = cells.setdefault(block.row, {})
        text = " ".join(block.text.split())
        row[block.column] = f"{row[block.column]} {text}" if block.column in row else text
    first, last = min(map(min, cells.values())), max(map(max, cells.values()))
    columns = range(first, min(last, first + len(blocks)) + 1)
    rows = tuple(tuple(row.get(column, "") for column in columns) for row in cells.values())
    text = "\n".join("\t".join(row) for row in rows)
    return ContentBlock("table", text, rows=rows, begin=blocks[0].begin, end=max(block.end for block in blocks))


def to_markdown(block: ContentBlock) -> str:
    """Return a block as Markdown.

    >>> to_markdown(ContentBlock("item", "Opið *alla* daga", 2))
    '  - Opið \\\\*alla\\\\* daga'
    """
    if block.kind == "code":
        fence = FENCE + "`" * block.text.count(FENCE)
        return f"{fence}\n{block.text}\n{fence}"
    if block.kind == "table":
        return _markdown_table(block.rows)
    text = _escape(block.text)
    if block.kind == "heading":
        return f"{'#' * block.level} {text}"
    if block.kind == "item":
        return f"{'  ' * (block.level - 1)}{'1.' if block.ordered else '-'} {text}"
    text = MARKDOWN_START.sub(r"\\", text, count=1) if MARKDOWN_START.match(text) else text
    return f"> {text}" if block.kind == "quote" else text


def join_markdown(blocks: Sequence[str]) -> str:
    """Return blocks of Markdown as one text: items follow each other, an empty line separates other blocks."""
    text, was_item = "", False
    for block in blocks:
        is_item = LIST_START.match(block) is not None
        text += ("" if not text else "\n" if was_item and is_item else "\n\n") + block
        was_item = is_item
    return text


def _escape(text: str) -> str:
    return MARKDOWN_SPECIAL.sub(r"\\\1", text)


def _markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table of Markdown, whose first row is its head."""
    lines = [f"| {' | '.join(map(_escape, row))} |" for row in rows]
    lines.insert(1, f"|{' --- |' * len(rows[0])}")
    return "\n".join(lines)
