"""Content blocks: paragraphs, headings, items, quotations, code and whole tables, and their form as plain text or Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from webtongue.content.places import Mark, PlacedBlock
from webtongue.content.select import data_tables
from webtongue.content.spans import cell_positions

__all__ = ["ContentBlock", "build_blocks", "join_markdown", "to_markdown"]

MARKDOWN_SPECIAL = re.compile(r"([\\`*_\[\]<>|~]|&(?=#?\w+;))")
# The start of a line that would be a heading, an item, a rule or an underline; the backslash goes before the last character.
MARKDOWN_START = re.compile(r"(#(?=#{0,5}(?:\s|$))|[+-](?=\s|$)|-(?=[-\s]+$)|=(?==*\s*$)|\d{1,9}[.)](?=\s|$))")
LIST_START = re.compile(r" *(?:- |(1)\. )")
QUOTE_START = re.compile(r" *>")
NESTING = "    "  # indentation of what is in an item with a dash or a number of up to two digits
FENCE = "```"
ITEM_TAG = re.compile(rb"<(?:li|dt|dd)[\s/>]", re.IGNORECASE)
CODE_TAG = re.compile(rb"</?(?:pre|listing|xmp)[\s/>]", re.IGNORECASE)
LINE_TAG = re.compile(rb"</?(?:br|div|p|li)[\s/>]", re.IGNORECASE)  # these tags divide the lines of a listing
BREAK_OR_LINE_END = re.compile(rb"<br[\s/>]|\n", re.IGNORECASE)
TEXT_TAG = re.compile(rb"</?(?:p|div|br|pre|blockquote|h[1-6]|[uod]l|table|t[rdh])[\s/>]", re.IGNORECASE)


class ContentBlock(NamedTuple):
    """A block of the main text: its kind (paragraph, heading, item, quote, code, table) and its text.

    ``level`` is that of a heading, or the depth of an item; what continues an item, such as its second paragraph, has the depth of
    the item. ``rows`` are the cells of a table, whose ``text`` has a line for each
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


def build_blocks(blocks: Sequence[PlacedBlock], raw: bytes = b"") -> Iterator[ContentBlock]:
    """Yield content blocks for the selected blocks of a page; the cells of a table become one block.

    ``raw`` are the bytes of the page, whose tags tell whether a block begins an item or continues it.
    """
    tables = data_tables(blocks)
    i = 0
    while i < len(blocks):
        table = blocks[i].table
        is_continued = i > 0 and _continues_item(blocks[i - 1], blocks[i], raw)
        if table not in tables:
            block = _build_block(blocks[i], is_continued)
            i += 1
            while block.kind == "code" and i < len(blocks) and (lines := _continue_code(blocks[i - 1], blocks[i], raw)):
                block = block._replace(text=block.text + lines, end=blocks[i].end)
                i += 1
            yield block
            continue
        start = i
        while i < len(blocks) and blocks[i].table == table:
            i += 1
        for caption in blocks[start:i]:
            if caption.marks & Mark.CAPTION:
                yield _build_block(caption, is_continued)
        if cells := [block for block in blocks[start:i] if not block.marks & Mark.CAPTION]:
            yield _build_table(cells, cell_positions(cells, raw), is_continued)


def _continues_item(before: PlacedBlock, block: PlacedBlock, raw: bytes) -> bool:
    """Return True for a block of a list, or a table in one, that is in the same item as the block before it."""
    if not (before.marks & Mark.LIST and (block.marks & Mark.LIST or block.table)):
        return False
    between = raw[before.end : block.begin]
    return bool(TEXT_TAG.search(between)) and not ITEM_TAG.search(between)


def _continue_code(before: PlacedBlock, block: PlacedBlock, raw: bytes) -> str:
    """Return the line ends between two blocks of one listing, and the second block; empty for another listing."""
    between = raw[before.end : block.begin]
    if (
        not block.marks & Mark.CODE
        or block.table != before.table
        or not LINE_TAG.search(between)
        or CODE_TAG.search(between)
    ):
        return ""
    ends = max(len(BREAK_OR_LINE_END.findall(between)), 1)
    return "\n" * ends + block.text


def _build_block(block: PlacedBlock, is_continued: bool = False) -> ContentBlock:
    marks = block.marks
    level, ordered = 0, False
    depth = _depth(marks)
    if block.kind == "heading":
        kind, level = "heading", max(marks & Mark.LEVEL, 1)
    elif marks & Mark.CODE:
        kind, level = "code", depth * is_continued
    elif marks & Mark.QUOTE:
        kind, level = "quote", depth * is_continued
    elif is_continued:
        kind, level = "paragraph", depth
    elif block.kind == "item" or (depth and block.kind == "link"):
        kind, level, ordered = "item", max(depth, 1), bool(marks & Mark.ORDERED)
    else:
        kind = "paragraph"
    text = block.text if kind == "code" else " ".join(block.text.split())
    return ContentBlock(kind, text, level, ordered, (), block.begin, block.end)


def _depth(marks: int) -> int:
    """Return the depth of the list around a block, 0 if there is none."""
    return 0 if not marks & Mark.LIST else 2 if marks & Mark.NESTED else 1


def _build_table(
    blocks: Sequence[PlacedBlock], positions: Sequence[tuple[int, int]], is_continued: bool
) -> ContentBlock:
    cells: dict[int, dict[int, str]] = {}
    for block, (number, column) in zip(blocks, positions, strict=True):
        row = cells.setdefault(number, {})
        text = " ".join(block.text.split())
        row[column] = f"{row[column]} {text}" if column in row else text
    first, last = min(map(min, cells.values())), max(map(max, cells.values()))
    columns = range(first, min(last, first + len(blocks)) + 1)
    rows = tuple(tuple(row.get(column, "") for column in columns) for row in cells.values())
    text = "\n".join("\t".join(row) for row in rows)
    level = max(_depth(blocks[0].marks), 1) * is_continued
    return ContentBlock("table", text, level, rows=rows, begin=blocks[0].begin, end=max(block.end for block in blocks))


def to_markdown(block: ContentBlock) -> str:
    """Return a block as Markdown.

    >>> to_markdown(ContentBlock("item", "Opið *alla* daga", 2))
    '    - Opið \\\\*alla\\\\* daga'
    """
    nesting = NESTING * block.level if block.kind not in ("heading", "item") else ""
    if block.kind == "code":
        fence = FENCE + "`" * block.text.count(FENCE)
        return nesting + f"\n{nesting}".join([fence, *block.text.split("\n"), fence])
    if block.kind == "table":
        return nesting + _markdown_table(block.rows).replace("\n", f"\n{nesting}")
    text = _escape(block.text)
    if block.kind == "heading":
        text = f"{text[:-1]}\\#" if text.endswith("#") else text  # marks at the end of a heading are not shown
        return f"{'#' * block.level} {text}"
    if match := MARKDOWN_START.match(text):
        text = f"{text[: match.end() - 1]}\\{text[match.end() - 1 :]}"
    if block.kind == "item":
        return f"{NESTING * (block.level - 1)}{'1.' if block.ordered else '-'} {text}"
    return f"{nesting}> {text}" if block.kind == "quote" else nesting + text


def join_markdown(blocks: Sequence[str]) -> str:
    """Return blocks of Markdown as one text.

    Items follow each other and are numbered, paragraphs of a quotation are one quotation, and an empty line separates other blocks.
    What continues an item that is not there stands on its own.

    >>> join_markdown(["1. a", "    b", "1. c", "> d", "> e"])
    '1. a\\n\\n    b\\n\\n2. c\\n\\n> d\\n>\\n> e'
    """
    text, before = "", ""
    numbers: list[int] = []  # the number of each open item, from outside to inside; 0 for an item with a dash
    for block in blocks:
        item = LIST_START.match(block)
        depth = min((len(block) - len(block.lstrip(" "))) // len(NESTING), len(numbers))
        number = numbers[depth] if depth < len(numbers) else 0
        del numbers[depth:]
        shown = block
        if item:
            numbers.append(number + 1 if item[1] else 0)
            shown = f"{numbers[-1]}. {block[item.end() :]}" if item[1] else block.lstrip(" ")
        shown = _nest(shown, [len(str(outer)) for outer in numbers[:depth]])
        separator = "\n" if item and LIST_START.match(before) else "\n\n"
        quotes = QUOTE_START.match(before), QUOTE_START.match(shown)
        if quotes[0] and quotes[1] and quotes[0][0] == quotes[1][0]:
            separator = f"\n{quotes[1][0]}\n"
        text += (separator if text else "") + shown
        before = shown if not item else block
    return text


def _nest(block: str, digits: Sequence[int]) -> str:
    """Return a block in items whose numbers have so many digits; longer numbers need more room."""
    nesting = "".join(NESTING + " " * max(count - 2, 0) for count in digits)
    present = (len(block) - len(block.lstrip(" "))) // len(NESTING) * len(NESTING)
    return "\n".join(line and nesting + line.removeprefix(" " * present) for line in block.split("\n"))


def _escape(text: str) -> str:
    return MARKDOWN_SPECIAL.sub(r"\\\1", text)


def _markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table of Markdown, whose first row is its head."""
    lines = [f"| {' | '.join(map(_escape, row))} |" for row in rows]
    lines.insert(1, f"|{' --- |' * len(rows[0])}")
    return "\n".join(lines)
