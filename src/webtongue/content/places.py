"""Blocks of text with their places in the structure of the page."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from webtongue import _kernel
from webtongue.analysis import Analysis
from webtongue.charset.codecs import decode
from webtongue.files import DATA
from webtongue.markup import Block
from webtongue.markup.blocks import KINDS, to_page_offsets
from webtongue.markup.noise import NAMES as NOISE
from webtongue.markup.scan import Markup

__all__ = ["Mark", "PlacedBlock", "noise_bits", "placed_blocks"]

CLASS_WORDS = DATA / "class_words.txt"
TAG = re.compile(rb"<[^>]*>")


class Mark:
    """Bits of the elements around a block (native/markup/places.hpp)."""

    LEVEL = 7  # the level of a heading
    QUOTE = 1 << 3
    CODE = 1 << 4
    HEADER_CELL = 1 << 5
    ORDERED = 1 << 6
    TERM = 1 << 7
    CAPTION = 1 << 8
    MAIN = 1 << 9
    ASIDE = 1 << 10
    HEADER = 1 << 11
    CONTROL = 1 << 12
    HIDDEN = 1 << 13
    CHROME = 1 << 14  # a class, id or role names a menu, banner, side bar or similar
    NESTED = 1 << 16
    LIST = 1 << 17


class PlacedBlock(NamedTuple):
    """A block of text, its noise as bits, and its place: marks, and the numbers of container, table, row and column; 0 for none."""

    text: str
    kind: str
    begin: int  # in the page's bytes
    end: int
    noise: int = 0
    marks: int = 0
    container: int = 0
    table: int = 0
    row: int = 0
    column: int = 0

    def sentences(self) -> list[PlacedBlock]:
        """Return the block divided into sentences of identifiable length; their offsets are estimates."""
        parts = Block(self.text, self.kind, "", self.begin, self.end).sentences()
        return [self._replace(text=part.text, begin=part.begin, end=part.end) for part in parts]


NO_PLACE = (0, 0, 0, 0, 0)


def noise_bits(*names: str) -> int:
    """Return the bits of kinds of noise."""
    return sum(1 << NOISE.index(name) for name in names)


def placed_blocks(analysis: Analysis) -> Iterator[PlacedBlock]:
    """Yield the blocks of a page with their places, which a second scan of the page records."""
    markup = analysis.markup
    if markup is None:
        return
    scan = _kernel.scan_places(markup.source, int(markup.syntax), _class_words())
    columns = (column.tolist() for column in scan.places())
    # Blocks are found by their offsets, since characters that an encoding does not have may begin a block in one scan only.
    places = dict(zip(scan.blocks()[1].tolist(), zip(*columns, strict=True), strict=False))
    text: bytes = markup.scan.text
    stops, begins, ends, _, kinds, flags = (column.tolist() for column in markup.scan.blocks())
    page_begins, page_ends = to_page_offsets(begins, ends, markup.page.raw, markup.transcoded)
    start = 0
    rows = zip(stops, begins, ends, page_begins, page_ends, kinds, flags, strict=True)
    for stop, key, source_end, begin, end, kind, noise in rows:
        line = text[start:stop].decode("utf-8", "replace")
        place = places.get(key, NO_PLACE)
        if place[0] & Mark.CODE and not markup.font:  # its line ends are in the source only
            line = _read_code(markup, key, source_end) or line
        yield PlacedBlock(line, KINDS[kind], begin, end, noise, *place)
        start = stop + 1


def _read_code(markup: Markup, begin: int, end: int) -> str:
    """Return the text of code with its line ends and the indent of its first line, without tags."""
    source = markup.source
    while begin and source[begin - 1] in b" \t":
        begin -= 1
    text = (markup.decoder or decode)(TAG.sub(b"", source[begin:end]), markup.read_as or "utf-8")
    lines = html.unescape(text).replace("\r\n", "\n").strip("\r\n").split("\n")
    return "\n".join(lines if markup.convert is None else map(markup.convert, lines))


@cache
def _class_words() -> _kernel.ClassWords:
    lines = CLASS_WORDS.read_text("utf-8").splitlines()
    return _kernel.ClassWords([line.strip() for line in lines if line.strip() and not line.startswith("#")])
